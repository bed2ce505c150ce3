/// What is wrong with a GA4 payload, in the words of Google's own validation server (HQ-635).
public struct GA4Message: Sendable, Hashable, Codable {
  /// Where, such as `events[0].params.value`; empty for the whole payload.
  public var fieldPath: String
  /// A sentence for a person.
  public var description: String
  /// What.
  public var validationCode: Code

  /// The kinds of fault: an open set.
  public struct Code: RawRepresentable, Sendable, Hashable, Codable {
    /// The code as it is printed.
    public let rawValue: String

    /// Makes a code of its text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Of the wrong type or form.
    public static let valueInvalid = Code(rawValue: "VALUE_INVALID")
    /// Not there.
    public static let valueRequired = Code(rawValue: "VALUE_REQUIRED")
    /// Not a name, or too long for one.
    public static let nameInvalid = Code(rawValue: "NAME_INVALID")
    /// A name that only Google uses.
    public static let nameReserved = Code(rawValue: "NAME_RESERVED")
    /// Too long, too large, or too old.
    public static let valueOutOfBounds = Code(rawValue: "VALUE_OUT_OF_BOUNDS")
    /// Too many.
    public static let exceededMaxEntities = Code(rawValue: "EXCEEDED_MAX_ENTITIES")
    /// A name that comes twice.
    public static let nameDuplicated = Code(rawValue: "NAME_DUPLICATED")
  }

  init(_ fieldPath: String, _ validationCode: Code, _ description: String) {
    self.fieldPath = fieldPath
    self.validationCode = validationCode
    self.description = description
  }
}
