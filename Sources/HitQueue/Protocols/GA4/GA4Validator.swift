import Hits

/// Judges GA4 payloads without a network, by the rules of `ga4-limits` (HQ-634, HQ-635).
///
/// It knows an app stream by `app_instance_id`, a web stream by `client_id`. A payload may hold several faults; each
/// gives one message.
public struct GA4Validator: Sendable {
  /// Whether texts may have 500 UTF-16 units instead of 100, as on 360 properties.
  public var allowsLongValues: Bool
  /// Wall milliseconds against which timestamps are too old; nil to let all pass.
  public var now: Int64?
  private static let jsonLimits = JSONLimits(bytes: 1 << 20, depth: 8, nodes: 200_000, textBytes: 1 << 20)

  /// Makes a validator.
  public init(allowsLongValues: Bool = false, now: Int64? = nil) {
    self.allowsLongValues = allowsLongValues
    self.now = now
  }

  /// The faults of a payload; none when it is fine.
  public func messages(for payload: [UInt8]) -> [GA4Message] {
    let document: JSONDocument
    do throws(JSONError) { document = try JSONDocument(payload, limits: Self.jsonLimits) } catch {
      return [GA4Message("", .valueInvalid, "The payload is not JSON: \(error)")]
    }
    guard document.root.kind == .object else {
      return [GA4Message("", .valueInvalid, "The payload is not a JSON object.")]
    }
    var messages: [GA4Message] = []
    if payload.count > GA4Limits.body {
      messages.append(
        GA4Message("", .valueOutOfBounds, "The payload has more than \(GA4Limits.body) bytes."))
    }
    let isApp = checkClient(document.root, &messages)
    checkUserProperties(document.root["user_properties"], &messages)
    checkEvents(document.root["events"], isApp: isApp, &messages)
    return messages
  }

  /// Whether a text is an app's instance id: 32 hexadecimal digits.
  static func isAppInstance(_ text: String) -> Bool {
    text.utf8.count == 32 && text.utf8.allSatisfy { HexDigits.value(of: $0) != nil }
  }

  /// Judges who sent it.
  ///
  /// - Returns: whether it is of an app stream.
  private func checkClient(_ root: JSONElement, _ messages: inout [GA4Message]) -> Bool {
    if let instance = root["app_instance_id"] {
      if instance.string.map(Self.isAppInstance) != true {
        messages.append(
          GA4Message("app_instance_id", .valueInvalid, "app_instance_id must be 32 hexadecimal digits."))
      }
      return true
    }
    guard let client = root["client_id"] else {
      messages.append(
        GA4Message("client_id", .valueRequired, "client_id, or app_instance_id of an app stream, is missing."))
      return false
    }
    switch client.string {
    case nil: messages.append(GA4Message("client_id", .valueInvalid, "client_id must be a text."))
    case "": messages.append(GA4Message("client_id", .valueRequired, "client_id is empty."))
    default: break
    }
    return false
  }

  private func checkUserProperties(_ properties: JSONElement?, _ messages: inout [GA4Message]) {
    guard let properties else { return }
    let path = "user_properties"
    guard properties.kind == .object else {
      messages.append(GA4Message(path, .valueInvalid, "user_properties must be an object."))
      return
    }
    if properties.members.count > GA4Limits.userProperties {
      messages.append(
        GA4Message(path, .exceededMaxEntities, "There are more than \(GA4Limits.userProperties) user properties."))
    }
    var seen: Set<String> = []
    for member in properties.members {
      let place = "\(path).\(member.key)"
      checkName(member.key, longest: GA4Limits.userPropertyName, at: place, seen: &seen, &messages)
      if GA4Name.isReservedUserProperty(member.key) { messages.append(Self.reserved(place)) }
      let value = member.value.kind == .object ? member.value["value"] : member.value
      guard let value, value.kind != .object, value.kind != .array else {
        messages.append(GA4Message(place, .valueInvalid, "A user property's value must be a text or a number."))
        continue
      }
      checkLength(value, limit: GA4Limits.userPropertyValue, at: place, &messages)
    }
  }

  private func checkEvents(_ events: JSONElement?, isApp: Bool, _ messages: inout [GA4Message]) {
    guard let events else {
      messages.append(GA4Message("events", .valueRequired, "events is missing."))
      return
    }
    guard events.kind == .array else {
      messages.append(GA4Message("events", .valueInvalid, "events must be a list."))
      return
    }
    let count = events.items.count
    if count == 0 { messages.append(GA4Message("events", .valueRequired, "There is no event.")) }
    if count > GA4Limits.events {
      messages.append(
        GA4Message("events", .exceededMaxEntities, "There are more than \(GA4Limits.events) events."))
    }
    for (index, event) in events.items.enumerated() {
      GA4EventCheck(path: "events[\(index)]", isApp: isApp, allowsLongValues: allowsLongValues, now: now)
        .check(event, &messages)
    }
  }
}

extension GA4Validator {
  /// Judges a name's form and length, and whether it came before.
  func checkName(
    _ name: String, longest: Int, at path: String, seen: inout Set<String>, _ messages: inout [GA4Message]
  ) {
    if !GA4Name.isWellFormed(name) {
      messages.append(
        GA4Message(path, .nameInvalid, "A name begins with a letter and has only letters, digits and underscores."))
    } else if name.utf8.count > longest {
      messages.append(GA4Message(path, .nameInvalid, "The name has more than \(longest) characters."))
    }
    if !seen.insert(name).inserted { messages.append(GA4Message(path, .nameDuplicated, "The name comes twice.")) }
  }

  func checkLength(_ value: JSONElement, limit: Int, at path: String, _ messages: inout [GA4Message]) {
    guard let text = value.string, GA4Limits.cut(text, to: limit) != nil else { return }
    messages.append(GA4Message(path, .valueOutOfBounds, "The text has more than \(limit) characters."))
  }

  static func reserved(_ path: String) -> GA4Message {
    GA4Message(path, .nameReserved, "The name is reserved.")
  }
}
