import DurableStore
import Foundation
import HTTPClient
import HitQueue
import Hits
public import TagManager

extension TagManager {
  /// Makes a tag manager on the system's disk and network, with a durable queue for its hits (TM-1200).
  ///
  /// Keep it as long as the app runs. Saved containers, values with a lifetime and hits survive the app's end.
  ///
  /// - Throws: `TagManagerError` with code `configuration` when the directory of the data or the store of the hits
  ///   cannot be used; the cause tells why.
  public static func live(_ settings: LiveSettings = LiveSettings()) throws(TagManagerError) -> TagManager {
    do {
      return TagManager(
        configuration: settings.configuration, ports: try ports(settings), logger: settings.logger)
    } catch {
      throw TagManagerError(.configuration, "The tag manager cannot keep its data: \(error)", cause: error)
    }
  }

  private static func ports(_ settings: LiveSettings) throws -> Ports {
    let appID = settings.appID ?? SystemDevice.appID
    let data = settings.dataDirectory ?? DataDirectory.standard(appID: appID)
    try StoreDirectory.prepare(data)
    let deviceStore = DeviceStoreFile(path: data + "/device.json") { [logger = settings.logger] in
      logger.log(.warning, $0)
    }
    let device: any Device =
      if let device = settings.device { device } else {
        SystemDevice.facts(appID: appID, installID: try SystemDevice.installID(in: deviceStore))
      }
    let transport = PlatformTransport()
    let analytics = try Analytics(
      store: settings.hits, transport: transport, connectivity: settings.connectivity, device: device,
      logger: QueueLogger(logger: settings.logger))
    analytics.defaultDestination = settings.defaultDestination ?? settings.configuration.server?.collector
    warnOfMissingScheme(appID, settings.logger)
    return Ports(
      sink: analytics, transport: transport, dispatcher: analytics, device: device, identifiers: settings.identifiers,
      connectivity: settings.connectivity, defaultContainers: defaultContainers(settings),
      savedContainers: try SavedContainerFiles(directory: data + "/containers"),
      legacyContainers: settings.legacySavedDirectory.map(DirectoryDefaultContainers.init(path:)),
      signatureVerifier: Ed25519Verifier(),
      dataLayerStorage: DataLayerFile(path: data + "/datalayer.json"), deviceStore: deviceStore,
      tagFunctions: tagFunctions(settings))
  }

  /// The app's own tag kinds, and ours where it has none of that name (WT-470).
  private static func tagFunctions(_ settings: LiveSettings) -> [String: any TagFunction] {
    let kinds: [String: any TagFunction] = ["__webtag": WebTagFunction()]
    return kinds.merging(settings.tagFunctions) { _, own in own }
  }

  private static func defaultContainers(_ settings: LiveSettings) -> DirectoryDefaultContainers {
    let ownPlace = Bundle.main.resourcePath ?? (CommandLine.arguments[0] as NSString).deletingLastPathComponent
    return DirectoryDefaultContainers(path: settings.defaultContainers ?? ownPlace)
  }

  /// Says that preview links cannot reach the app (TM-1001).
  private static func warnOfMissingScheme(_ appID: String, _ logger: any TagLogger) {
    #if canImport(Darwin)
      let types = Bundle.main.infoDictionary?["CFBundleURLTypes"] as? [[String: Any]] ?? []
      let schemes = types.flatMap { $0["CFBundleURLSchemes"] as? [String] ?? [] }
      let scheme = "tagmanager.c.\(appID)"
      guard !schemes.contains(where: { $0.lowercased() == scheme.lowercased() }) else { return }
      logger.log(
        .warning,
        "Preview links cannot reach the app: its Info.plist lacks the URL scheme \(scheme) (previewSchemeMissing).")
    #endif
  }
}

extension ContainerServer {
  /// The same server as a collector of hits; a legacy server is none.
  fileprivate var collector: Destination? {
    switch self {
    case .tagworks(let base): .measurementProtocol(base)
    case .legacy: nil
    }
  }
}
