/// A hit in the making: what an app fills in and a `HitSink` accepts.
///
/// A builder is a value; each `set` returns a changed copy, so a half-filled one can be kept as a template (HQ-1225).
///
///     tracker.send(.event(category: "Video", action: "Play", label: "Cute Cats"))
public struct HitBuilder: Sendable, Hashable {
  /// What the hit reports.
  public let kind: HitKind
  /// Wire names and texts.
  public private(set) var fields: [String: String]
  /// Free parameters of a custom hit.
  public private(set) var parameters: [String: Value]
  /// The consent purposes the hit needs (HQ-221).
  public private(set) var purposes: ConsentPurposes = .analyticsStorage
  /// How old it may get; nil for the store's own bound.
  public private(set) var maxAge: Duration?
  /// Wire names set to nil: they leave the tracker's own values out of this hit (HQ-204).
  public private(set) var suppressed: Set<String> = []

  /// Makes a builder of any kind; the factories are the usual way.
  public init(kind: HitKind, fields: [String: String] = [:], parameters: [String: Value] = [:]) {
    self.kind = kind
    self.fields = fields
    self.parameters = parameters
  }

  /// Sets a field by its wire name; nil removes it, also when the tracker would have given it (HQ-111, HQ-204).
  ///
  /// A leading `&` is accepted and removed (HQ-112).
  public func set(_ value: String?, for name: String) -> HitBuilder {
    var copy = self
    let name = name.hasPrefix("&") ? String(name.dropFirst()) : name
    copy.fields[name] = value
    if value == nil { copy.suppressed.insert(name) } else { copy.suppressed.remove(name) }
    return copy
  }

  /// Sets several fields by their wire names.
  public func set(all fields: [String: String]) -> HitBuilder {
    fields.reduce(self) { builder, field in builder.set(field.value, for: field.key) }
  }

  /// The text of a field, by its wire name; nil when it is not set.
  public func get(_ name: String) -> String? {
    fields[name.hasPrefix("&") ? String(name.dropFirst()) : name]
  }

  /// Replaces the purposes that must be granted; the empty set passes in every state (HQ-221).
  public func requiring(_ purposes: ConsentPurposes) -> HitBuilder {
    var copy = self
    copy.purposes = purposes
    return copy
  }

  /// Lets the hit expire earlier than the store's bound.
  public func maxAge(_ age: Duration) -> HitBuilder {
    var copy = self
    copy.maxAge = age
    return copy
  }

  /// The fields as they stand, without what a tracker adds.
  public func build() -> [String: String] { fields }
}
