import Hits

/// Values that go with every hit of a queue, the device's below the app's, cleaned once for all hits.
struct CommonFields: Sendable {
  /// Rises with every change.
  private(set) var generation = 0
  private(set) var cleaned: [CleanField]
  private(set) var own = StickyFields()
  private let defaults: [CleanField]

  init(defaults: StickyFields) {
    self.defaults = [CleanField](cleaning: defaults.values)
    cleaned = self.defaults
  }

  mutating func set(_ value: String?, for name: String) -> Bool {
    guard own.set(value, for: name) else { return false }
    cleaned = defaults.merged(with: [CleanField](cleaning: own.values))
    generation += 1
    return true
  }
}

/// A tracker's values, and those with the common ones below them, cleaned once for all hits.
struct TrackerFields: Sendable {
  private(set) var own = StickyFields()
  private var cleaned: (generation: Int, fields: [CleanField])?

  mutating func set(_ value: String?, for name: String) -> Bool {
    cleaned = nil
    return own.set(value, for: name)
  }

  /// What goes with the next hit.
  mutating func takeForOneHit(over common: CommonFields) -> [CleanField] {
    let fields: [CleanField]
    if let cleaned, cleaned.generation == common.generation {
      fields = cleaned.fields
    } else {
      fields = common.cleaned.merged(with: [CleanField](cleaning: own.values))
      cleaned = (common.generation, fields)
    }
    // A session's start or end belongs to one hit (HQ-212).
    if own.values["sc"] != nil { _ = set(nil, for: "sc") }
    return fields
  }
}

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
