import Foundation
import HitQueue
import Hits
public import TagManager

extension TagManager {
  /// The app's own tag manager, made at its first use (TM-1211).
  ///
  /// It reads the dictionary `Tagworks` of Info.plist with the texts `server`, `environment` and `collector`, or the
  /// variables `TAGWORKS_SERVER`, `TAGWORKS_ENVIRONMENT` and `TAGWORKS_COLLECTOR`. Where its data cannot be kept, an error
  /// is logged and every hit is refused.
  public static let shared: TagManager = {
    let texts = SharedSettings(
      info: Bundle.main.infoDictionary?["Tagworks"] as? [String: String] ?? [:],
      variables: ProcessInfo.processInfo.environment)
    let settings = texts.settings
    do throws(TagManagerError) { return try live(settings) } catch {
      settings.logger.log(.error, "\(error)")
      return TagManager(
        configuration: settings.configuration, ports: Ports(sink: ClosedSink()), logger: settings.logger)
    }
  }()
}

/// The few texts by which an app without code of its own says where its server is.
struct SharedSettings {
  let server: String?
  let environment: String?
  let collector: String?

  /// Variables count before the dictionary of the app, so that a developer can point an app elsewhere.
  init(info: [String: String], variables: [String: String]) {
    func text(_ key: String) -> String? {
      [variables["TAGWORKS_\(key.uppercased())"], info[key]].compactMap { $0 }.first { !$0.isEmpty }
    }
    server = text("server")
    environment = text("environment")
    collector = text("collector") ?? server
  }

  var settings: LiveSettings {
    var settings = LiveSettings(
      configuration: TagManager.Configuration(
        server: server.map(ContainerServer.tagworks), environment: environment ?? "live"))
    settings.defaultDestination = collector.map { .measurementProtocol($0) }
    return settings
  }
}

/// Takes no hit, for there is no store to keep it in.
private struct ClosedSink: HitSink {
  func send(_ hit: HitBuilder, tracker: String?) -> SendReceipt { SendReceipt(state: .refused(.closed)) }
}
