public import Hits

/// When tags fire and value collections hold (CO-204).
public struct Trigger: Entity {
  /// What entities of the type are.
  public static let kind = EntityKind.trigger
  /// Everything the export says about it.
  public var fields: [String: Value]

  /// Makes a trigger of its fields.
  public init(fields: [String: Value]) { self.fields = fields }

  /// What the event's name must be, for a trigger of custom events.
  public var eventConditions: [Condition] { fields.conditions("customEventFilter") }
  /// What else must hold.
  public var conditions: [Condition] {
    get { fields.conditions("filter") }
    set { fields["filter"] = .list(newValue.map { .map($0.fields) }) }
  }

  /// The parameter that makes a trigger a sampled one: the share of installs, in percent with up to two decimals.
  static let sampleKey = "samplePercent"

  /// The share of installs for which it can fire; nil for all of them.
  public var samplePercent: String? { parameters.last { $0.key == Self.sampleKey }?.text }
}

/// Triggers that are in every container without being listed (CO-204).
enum StandardTrigger: String, CaseIterable {
  /// Every event of a container for the older SDK.
  case anyEventOfOlderSDK = "2147479554"
  /// No condition at all, which also holds outside events.
  case always = "2147479555"
  /// Every event.
  case anyEvent = "2147479556"

  var name: String { self == .always ? "Always" : "Any Event" }
}
