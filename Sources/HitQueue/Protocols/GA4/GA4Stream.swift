import Hits

/// The data stream of a GA4 property that hits go to, with the id by which the server knows it (HQ-630).
public enum GA4Stream: Sendable, Hashable {
  /// An app stream, by its Firebase app id, such as `1:1234:ios:321abc`.
  case app(String)
  /// A web stream, by its measurement id, such as `G-AB12CD34`.
  case web(String)

  /// Google's address; `region1.` for the European Union.
  public static let endpoint = "https://www.google-analytics.com/mp/collect"

  /// The address with the stream's id, which is no secret: what the store keeps of a lane.
  func endpoint(below base: String) -> String {
    switch self {
    case .app(let id): "\(base)?firebase_app_id=\(URIEscape.hit.escape(id))"
    case .web(let id): "\(base)?measurement_id=\(URIEscape.hit.escape(id))"
    }
  }

  /// Reads the id in an address; nil when it names no stream.
  init?(endpoint: String) {
    let query = FormFields(Array(endpoint.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst()))
    if let id = query["firebase_app_id"] {
      self = .app(id)
    } else if let id = query["measurement_id"] {
      self = .web(id)
    } else {
      return nil
    }
  }

  /// Whether the id can be one: of an app stream, digit, digits, letters, letters and digits between colons.
  var isValid: Bool {
    switch self {
    case .web(let id): return !id.isEmpty
    case .app(let id):
      let parts = id.split(separator: ":", omittingEmptySubsequences: false)
      return parts.count == 4 && parts[0].utf8.last.map(GA4Name.isDigit) == true
        && !parts[1].isEmpty && parts[1].utf8.allSatisfy(GA4Name.isDigit)
        && !parts[2].isEmpty && parts[2].utf8.allSatisfy(GA4Name.isLetter)
        && !parts[3].isEmpty && parts[3].utf8.allSatisfy { GA4Name.isLetter($0) || GA4Name.isDigit($0) }
    }
  }

  var isApp: Bool { if case .app = self { true } else { false } }
}
