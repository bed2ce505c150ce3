import Digests
import DurableStore
import Foundation
public import HTTPClient
public import Hits
public import WebTags

extension WebTagsEnvironment {
  /// The system's disk, network and device for web tags (WT-117).
  ///
  /// - Parameters:
  ///   - host: makes the page's engine; nil where there is none, and events wait (WT-312).
  ///   - connectivity: tells whether there is a network; nil to assume that there is.
  ///   - device: facts about the device and the app; nil for the system's.
  ///   - pins: the public keys of hosts from which pages, settings and command files are fetched (WT-821); what the engine
  ///     itself fetches, such as scripts, is not held to them.
  public static func live(
    host: (any PageHostFactory)?, connectivity: (any Connectivity)? = nil, device: (any Device)? = nil,
    pins: PublicKeyPins = .none, collectSink: (any HitSink)? = nil, log: (@Sendable (LogLevel, String) -> Void)? = nil
  ) throws(WebTagsError) -> WebTagsEnvironment {
    let facts: any Device
    if let device { facts = device } else { facts = try systemDevice(log) }
    return WebTagsEnvironment(
      host: host, transport: PlatformTransport(pins: pins), storage: WebTagsFolders(),
      connectivity: connectivity ?? AssumedNetwork(), device: facts,
      hash: { algorithm, bytes in
        let digest: Digest =
          switch algorithm {
          case .sha256: .sha256
          case .sha384: .sha384
          case .sha512: .sha512
          }
        // Where the system forbids the function there is no hash, and nothing has the one that is pinned.
        return digest.digest(of: bytes) ?? []
      }, collectSink: collectSink, log: log)
  }

  private static func systemDevice(
    _ log: (@Sendable (LogLevel, String) -> Void)?
  ) throws(WebTagsError) -> any Device {
    let data = DataDirectory.standard(appID: SystemDevice.appID)
    do {
      try StoreDirectory.prepare(data)
      let id = try SystemDevice.installID(in: DeviceStoreFile(path: data + "/device.json") { log?(.prod, $0) })
      return SystemDevice.facts(appID: SystemDevice.appID, installID: id)
    } catch {
      throw WebTagsError(.storageFailed, data, "the install's id cannot be kept", cause: error)
    }
  }
}

/// A network that is always there and costs nothing, where the app tells of none.
private struct AssumedNetwork: Connectivity {
  var state: NetworkState { .unknown }
  var isMetered: Bool { false }
  var changes: AsyncStream<NetworkState> { AsyncStream { $0.finish() } }
}
