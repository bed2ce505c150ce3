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
  /// What could not be taken in; the sink logs each once (HQ-111, HQ-120 to HQ-123).
  public private(set) var ignored: Set<IgnoredInput> = []
  /// The indexes given to products, impressions and promotions.
  var commerce = CommerceIndexes()

  /// Makes a builder of any kind; the factories are the usual way.
  ///
  /// A leading `&` of a field's name is removed (HQ-112).
  public init(kind: HitKind, fields: [String: String] = [:], parameters: [String: Value] = [:]) {
    self.kind = kind
    self.fields =
      fields.keys.contains { $0.utf8.first == UInt8(ascii: "&") }
      ? Dictionary(fields.map { (Self.wireName($0.key), $0.value) }, uniquingKeysWith: max) : fields
    self.parameters = parameters
  }

  /// Sets a field by its wire name; nil removes it, also when the tracker would have given it (HQ-111, HQ-204).
  ///
  /// A leading `&` is accepted and removed (HQ-112).
  public func set(_ value: String?, for name: String) -> HitBuilder {
    var copy = self
    copy.assign(value, to: Self.wireName(name))
    return copy
  }

  /// Sets a field of a known type; nil removes it, also when the tracker would have given it.
  public func set<Content: FieldContent>(_ value: Content?, for field: Field<Content>) -> HitBuilder {
    set(value?.fieldText, for: field.name)
  }

  /// Sets several fields by their wire names.
  public func set(all fields: [String: String]) -> HitBuilder {
    var copy = self
    for (name, value) in fields { copy.assign(value, to: Self.wireName(name)) }
    return copy
  }

  /// Sets several fields to values of any type (HQ-111).
  ///
  /// Texts, numbers and booleans are taken, `null` removes the field, lists and maps are left out and noted in
  /// `ignored`.
  public func set(all values: [String: Value]) -> HitBuilder {
    var copy = self
    for (name, value) in values {
      let name = Self.wireName(name)
      switch value {
      case .string(let text): copy.assign(text, to: name)
      case .int(let number): copy.assign(number.fieldText, to: name)
      case .double(let number): copy.assign(number.fieldText, to: name)
      case .bool(let flag): copy.assign(flag.fieldText, to: name)
      case .null: copy.assign(nil, to: name)
      case .list, .map: copy.ignored.insert(IgnoredInput(name: name, reason: .noScalar))
      case .absent: break
      }
    }
    return copy
  }

  /// The text of a field, by its wire name; nil when it is not set.
  public func get(_ name: String) -> String? { fields[Self.wireName(name)] }

  /// The text of a field; nil when it is not set.
  public func get<Content: FieldContent>(_ field: Field<Content>) -> String? { fields[field.name] }

  private mutating func assign(_ value: String?, to name: String) {
    fields[name] = value
    if value == nil { suppressed.insert(name) } else if !suppressed.isEmpty { suppressed.remove(name) }
  }

  /// Puts fields in the place of others, without keeping a tracker's values out.
  func replacing(_ names: Set<String>, with fields: [String: String]) -> HitBuilder {
    var copy = self
    for name in names { copy.fields[name] = nil }
    for (name, value) in fields { copy.assign(value, to: name) }
    return copy
  }

  func ignoring(_ name: String, _ reason: IgnoredInput.Reason) -> HitBuilder {
    var copy = self
    copy.ignored.insert(IgnoredInput(name: name, reason: reason))
    return copy
  }

  private static func wireName(_ name: String) -> String {
    name.utf8.first == UInt8(ascii: "&") ? String(name.dropFirst()) : name
  }

  /// Starts a new session with this hit (HQ-212).
  public func startSession() -> HitBuilder { set("start", for: .sessionControl) }

  /// Ends the session with this hit (HQ-212).
  public func endSession() -> HitBuilder { set("end", for: .sessionControl) }

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

/// Something that a builder was given and left out.
public struct IgnoredInput: Sendable, Hashable {
  /// The field's wire name, or what the names of its fields begin with.
  public let name: String
  /// Why it was left out.
  public let reason: Reason

  package init(name: String, reason: Reason) {
    self.name = name
    self.reason = reason
  }

  /// Why something was left out.
  public enum Reason: String, Sendable, Hashable {
    /// A list or map, which no field can hold.
    case noScalar
    /// A product or promotion with neither id nor name.
    case unnamed
    /// One more than the protocol has indexes for.
    case tooMany
    /// E-commerce on a kind of hit that carries none.
    case otherKind
  }
}
