/// Something about an ad document or request that its author should know (VA-330).
public struct AdDiagnostic: Sendable, Hashable {
  /// How bad it is.
  public enum Severity: String, Sendable, Hashable {
    /// Worth knowing; nothing was changed.
    case note
    /// The input was not well-formed and was mended.
    case repair
    /// A part of the input counts for nothing.
    case warning
    /// An ad, a break or the document is lost.
    case error
  }

  /// A stable text such as `xml.ampersand`, never renamed.
  public struct Code: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The text.
    public let rawValue: String

    /// Makes a code of its text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Makes a code of its text.
    public init(stringLiteral text: String) { rawValue = text }

    /// The text.
    public var description: String { rawValue }
  }

  /// What it is.
  public var code: Code
  /// How bad it is.
  public var severity: Severity
  /// A sentence, free of URLs and macro values (VA-1403).
  public var message: String
  /// The line in the document, from 1; 0 when it is about no place in a document.
  public var line: Int
  /// The column in characters, from 1; 0 when it is about no place in a document.
  public var column: Int
  /// The element, such as `/VAST/Ad[1]/InLine/Creatives`; empty when there is none.
  public var path: String
  /// The ad it is about.
  public var adID: String?
  /// The break it is about.
  public var breakID: String?

  /// An ad that does not play.
  static func failed(_ code: VASTErrorCode, adID: String?) -> AdDiagnostic {
    AdDiagnostic("ad.failed", .error, "An ad does not play: \(code.errorCode.rawValue).", adID: adID)
  }

  /// The code and the sentence, for a log.
  var text: String { "\(code.rawValue): \(message)" }

  /// Makes a diagnostic.
  public init(
    _ code: Code, _ severity: Severity, _ message: String, line: Int = 0, column: Int = 0, path: String = "",
    adID: String? = nil, breakID: String? = nil
  ) {
    self.code = code
    self.severity = severity
    self.message = message
    self.line = line
    self.column = column
    self.path = path
    self.adID = adID
    self.breakID = breakID
  }
}
