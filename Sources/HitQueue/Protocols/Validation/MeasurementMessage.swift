/// What is to be said of one Measurement Protocol v1 hit (HQ-703).
public struct MeasurementMessage: Sendable, Hashable, Codable {
  /// How bad it is.
  public enum Severity: String, Sendable, Hashable, Codable {
    /// The hit is refused.
    case error = "ERROR"
    /// The hit is taken, but not as it is.
    case warning = "WARN"
    /// For the reader only.
    case information = "INFO"
  }

  /// What it is about: an open set.
  public struct Code: RawRepresentable, Sendable, Hashable, Codable {
    /// The code as it is printed.
    public let rawValue: String

    /// Makes a code of its text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A field that the protocol or the hit's type requires is not there, or empty.
    public static let valueRequired = Code(rawValue: "VALUE_REQUIRED")
    /// A value of the wrong type or form.
    public static let valueInvalid = Code(rawValue: "VALUE_INVALID")
    /// A text that would be cut, a time that may not be processed, an index that no hit may use.
    public static let valueOutOfBounds = Code(rawValue: "VALUE_OUT_OF_BOUNDS")
    /// More than 8,192 bytes.
    public static let hitTooLarge = Code(rawValue: "HIT_TOO_LARGE")
    /// More than 20 hits, or 16,384 bytes.
    public static let batchTooLarge = Code(rawValue: "BATCH_TOO_LARGE")
    /// A name that no table knows.
    public static let parameterUnknown = Code(rawValue: "PARAMETER_UNKNOWN")
    /// A field of another type of hit.
    public static let parameterNotForType = Code(rawValue: "PARAMETER_NOT_FOR_TYPE")
    /// A property that is not registered here.
    public static let propertyUnknown = Code(rawValue: "PROPERTY_UNKNOWN")
  }

  /// How bad it is.
  public var messageType: Severity
  /// What it is about; nil for plain information.
  public var messageCode: Code?
  /// A sentence for a person.
  public var description: String
  /// The field it is about.
  public var parameter: String?

  init(_ messageType: Severity, _ messageCode: Code?, _ description: String, parameter: String? = nil) {
    self.messageType = messageType
    self.messageCode = messageCode
    self.description = description
    self.parameter = parameter
  }
}
