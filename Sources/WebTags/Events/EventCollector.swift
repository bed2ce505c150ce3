import Foundation
import Hits

/// What an event is made of, as it was when it was tracked (WT-402).
struct EventSnapshot: Sendable {
  var id: UUID
  var event: TagEvent
  var time: HitTime
  var random: UInt64
  var sessionID: Int64
  var visitorID: String
  var persistent: JSONObject
  var volatile: JSONObject
  var trace: String?
  var consent: JSONObject

  /// The event as it is told of when it was not taken in.
  var refused: QueuedEvent {
    QueuedEvent(
      id: id, type: event.type, title: event.title, time: time.wallMilliseconds, data: event.data,
      tagIDs: event.tagIDs)
  }
}

/// Puts an event's data together (WT-402, WT-406): what is collected < persistent < volatile < the event's own.
struct EventCollector: Sendable {
  let configuration: WebTagsConfiguration
  let device: any Device
  let connectivity: any Connectivity
  let power: any Power

  /// - Returns: the event with all data; nil when the data nests too deep or is too long.
  func event(_ snapshot: EventSnapshot, _ warnings: inout [String]) -> QueuedEvent? {
    var data = collected(snapshot)
    for layer in [snapshot.persistent, snapshot.volatile, snapshot.event.data] {
      guard let layer = EventData.clean(layer, &warnings) else { return nil }
      data.merge(layer) { _, new in new }
    }
    let size = Value.map(data).jsonBytes.count
    guard size <= EventData.longest else { return nil }
    return QueuedEvent(
      id: snapshot.id, type: snapshot.event.type, title: snapshot.event.title, time: snapshot.time.wallMilliseconds,
      data: data, tagIDs: snapshot.event.tagIDs, bytes: size)
  }

  private func collected(_ snapshot: EventSnapshot) -> JSONObject {
    var data = names(snapshot)
    times(snapshot.time, &data)
    facts(&data)
    data["tealium_random"] = .string(Self.digits(snapshot.random))
    data["tealium_session_id"] = .string(String(snapshot.sessionID))
    data["tealium_visitor_id"] = .string(snapshot.visitorID)
    data["visitor_id"] = .string(snapshot.visitorID)
    data["event_id"] = .string(snapshot.id.uuidString)
    if let trace = snapshot.trace {
      data["cp.trace_id"] = .string(trace)
      data["tealium_trace_id"] = .string(trace)
    }
    data.merge(snapshot.consent) { _, new in new }
    return data
  }

  private func names(_ snapshot: EventSnapshot) -> JSONObject {
    let event = snapshot.event
    var data: JSONObject = [
      "tealium_account": .string(configuration.account), "tealium_profile": .string(configuration.profile),
      "tealium_environment": .string(configuration.environment), "tealium_library_name": "tagworks",
      "tealium_library_version": .string(ProductInfo.version), "call_type": .string(event.type), "origin": "mobile",
    ]
    if let source = configuration.dataSource, !source.isEmpty { data["tealium_datasource"] = .string(source) }
    switch event.kind {
    case .view:
      data["tealium_event"] = .string(event.title)
      data["tealium_event_type"] = "view"
      data["screen_title"] = .string(event.title)
    case .link:
      data["tealium_event"] = .string(event.title)
      data["tealium_event_type"] = "event"
      data["event_name"] = .string(event.title)
      data["link_id"] = .string(event.title)
    case .custom(let type):
      data["tealium_event"] = .string(event.title.isEmpty ? type : event.title)
      data["tealium_event_type"] = .string(type)
    }
    return data
  }

  private func times(_ time: HitTime, _ data: inout JSONObject) {
    let milliseconds = time.wallMilliseconds
    data["tealium_timestamp_epoch"] = .int(milliseconds / 1000)
    data["timestamp_unix"] = .int(milliseconds / 1000)
    data["timestamp_unix_milliseconds"] = .int(milliseconds)
    data["timestamp"] = .string(EventTime.utc(milliseconds))
    data["timestamp_local"] = .string(EventTime.local(milliseconds, offset: time.utcOffset))
    data["timestamp_offset"] = .string(NumberText.text(Double(time.utcOffset) / 3600))
  }

  /// What is unknown has no key (WT-407).
  private func facts(_ data: inout JSONObject) {
    let state = power.state
    let texts: [(String, String?)] = [
      ("app_name", device.appName), ("app_rdns", device.appID), ("app_version", device.appVersion),
      ("app_uuid", device.installID), ("platform", device.platform.lowercased()), ("device", device.model),
      ("device_model", device.model), ("device_architecture", Self.architecture),
      ("device_os_version", device.osVersion), ("os_name", device.platform),
      ("device_resolution", device.screen?.description),
      ("device_orientation", device.screen.map { $0.width > $0.height ? "landscape" : "portrait" }),
      ("device_language", device.language),
      ("device_battery_percent", state.level.flatMap { Int(exactly: ($0 * 100).rounded()).map(String.init) }),
      ("device_ischarging", state.level.map { _ in state.isCharging ? "true" : "false" }),
      ("connection_type", connection),
    ]
    for (key, text) in texts where text?.isEmpty == false { data[key] = text.map { .string($0) } }
  }

  private var connection: String {
    switch connectivity.state {
    case .offline: "none"
    case .wired: "wired"
    case .wifi: "wifi"
    case .cellular: "cellular"
    case .unknown: "unknown"
    }
  }

  private static var architecture: String {
    #if arch(x86_64)
      "x86_64"
    #elseif arch(arm64)
      "arm64"
    #else
      ""
    #endif
  }

  /// 16 decimal digits.
  private static func digits(_ random: UInt64) -> String { (random % 10_000_000_000_000_000).padded(to: 16) }
}

/// The argument of `__tagworks.deliver` (WT-424).
enum DeliveryCall {
  static func argument(
    _ events: [(event: QueuedEvent, reason: QueueReason?)], remoteAPI: Bool
  ) -> String {
    var list: [Value] = []
    for (event, reason) in events {
      list.append(item(event, reason, type: event.type, id: event.id.uuidString))
      if remoteAPI { list.append(item(event, reason, type: "remote_api", id: event.id.uuidString + ".remote")) }
    }
    return PageJSON.text(["events": .list(list)])
  }

  private static func item(_ event: QueuedEvent, _ reason: QueueReason?, type: String, id: String) -> Value {
    var data = event.data
    data["was_queued"] = reason == nil ? "false" : "true"
    data["dispatch_service"] = "tagmanagement"
    data["queue_reason"] = reason.map { .string($0.rawValue) } ?? .absent
    let name = data["tealium_event"]?.string ?? event.title
    return [
      "id": .string(id), "type": .string(type), "name": .string(name), "data": .map(data),
      "uids": event.tagIDs.map { .list($0.map { .string($0) }) } ?? .absent,
    ]
  }

  /// Reads the results of a call; the second deliveries of `remote_api` say nothing of the event.
  static func results(_ json: String) -> [PageMachine.EventResult]? {
    guard let value = try? Value(json: json, limits: JSONLimits(bytes: 1 << 20)), let list = value.map?["results"]?.list
    else { return nil }
    return list.compactMap { result($0.map ?? [:]) }
  }

  /// Reads one result.
  static func result(_ result: JSONObject) -> PageMachine.EventResult? {
    guard let id = result["id"]?.string.flatMap(UUID.init(uuidString:)) else { return nil }
    if result["final"] == false { return .init(id: id, outcome: .delivered(confirmed: false), isFinal: false) }
    if result["ok"] == true { return .init(id: id, outcome: .delivered(confirmed: result["confirmed"] == true)) }
    guard result["ok"] == false else { return nil }
    let text = result["error"]?.string ?? "the page threw"
    return .init(id: id, outcome: .failed(FailureReason(.script, String(text.prefix(1024)))))
  }
}
