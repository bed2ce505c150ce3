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

  /// Something about an ad: where it stands in its document, as far as that is known, and its id (VA-330).
  init(_ code: Code, _ severity: Severity, _ message: String, of ad: VAST.Ad) {
    self.init(code, severity, message, path: ad.path ?? "", adID: ad.id)
  }

  /// An ad that does not play.
  static func failed(_ code: VASTErrorCode, _ ad: VAST.Ad) -> AdDiagnostic {
    let name = ad.id.map { "Ad '\(shortened($0))'" } ?? "An ad"
    return AdDiagnostic("ad.failed", .error, "\(name) does not play: \(code.errorCode.rawValue).", of: ad)
  }

  /// What something belongs to, as a part of a sentence; empty when neither has an id.
  static func owner(adID: String?, breakID: String? = nil) -> String {
    adID.map { " of ad '\(shortened($0))'" } ?? breakID.map { " of break '\(shortened($0))'" } ?? ""
  }

  private static func shortened(_ id: String) -> Substring { id.prefix(40) }

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
