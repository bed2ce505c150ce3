import Hits

/// Values that go with every hit, by wire name (HQ-203, HQ-204).
struct StickyFields: Sendable {
  private(set) var values: [String: String] = [:]

  /// Names that the library writes itself.
  private static let closed: Set<String> = ["v", "t", "tid", "qt", "ht", "z", "_s", "_v"]

  init(_ values: [String: String] = [:]) { self.values = values }

  /// Sets a value, or clears it with nil; false for a name that cannot be set.
  mutating func set(_ value: String?, for name: String) -> Bool {
    guard FieldName.isValid(name), !Self.closed.contains(name) else { return false }
    values[name] = value
    return true
  }

  /// The name without the `&` that the original's constants begin with (HQ-112).
  static func wireName(_ name: String) -> String { name.hasPrefix("&") ? String(name.dropFirst()) : name }

  /// What is known of the device (HQ-204).
  static func defaults(of device: (any Device)?) -> StickyFields {
    var values = ["ds": "app"]
    if let device {
      values["an"] = device.appName
      values["aid"] = device.appID
      values["av"] = device.appVersion
      // As the original wrote it, whatever case the platform has.
      values["ul"] = device.language.lowercased()
      values["sr"] = device.screen?.description
      values["dm"] = device.model
    }
    return StickyFields(values.filter { !$0.value.isEmpty })
  }
}
