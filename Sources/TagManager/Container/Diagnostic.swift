/// Something about an input that its author should know (TM-170).
public struct Diagnostic: Sendable, Hashable, Codable {
  /// How bad it is.
  public enum Severity: String, Sendable, Hashable, Codable {
    /// The input is not usable.
    case error
    case warning
    case info
  }

  /// A stable text, never renamed; the list is in `Diagnostic+Codes.swift` (TM-171).
  public struct Code: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The text, such as `valueCycle`.
    public let rawValue: String

    /// Makes a code of its text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The text.
    public var description: String { rawValue }
  }

  /// How bad it is.
  public var severity: Severity
  /// What it is.
  public var code: Code
  /// A sentence that names the remedy.
  public var message: String
  /// Where: a file's name, a byte offset, a path such as `tags[3].url`; nil for the whole input.
  public var location: String?

  /// Makes a diagnostic.
  public init(_ severity: Severity, _ code: Code, _ message: String, at location: String? = nil) {
    self.severity = severity
    self.code = code
    self.message = message
    self.location = location
  }
}
