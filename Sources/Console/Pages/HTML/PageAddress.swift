import Hits

/// Where a page is: a path on this server, with what is asked of it.
///
/// Every part is escaped, so that no text of an author can lead elsewhere.
struct PageAddress: Sendable, Hashable {
  private var path: String
  private var query: [String] = []

  init(_ segments: String...) {
    path = "/" + segments.map(URIEscape.hit.escape).joined(separator: "/")
  }

  /// The page of one thing below this one.
  func adding(_ segments: String...) -> PageAddress {
    var address = self
    address.path += (path.hasSuffix("/") ? "" : "/") + segments.map(URIEscape.hit.escape).joined(separator: "/")
    return address
  }

  /// The same page, asked something; nil asks nothing.
  func asking(_ name: StaticString, _ value: String?) -> PageAddress {
    guard let value else { return self }
    var address = self
    address.query.append("\(name)=\(URIEscape.hit.escape(value))")
    return address
  }

  var text: String { path + (query.isEmpty ? "" : "?" + query.joined(separator: "&")) }

  static let home = PageAddress("containers")
  static let signIn = PageAddress("sign-in")
  static let signOut = PageAddress("sign-out")
  static let setup = PageAddress("setup")
  static let hits = PageAddress("hits")
  static let activity = PageAddress("activity")
  static let settings = PageAddress("settings")
  static let account = PageAddress("account")

  static func container(_ id: String, _ part: String? = nil) -> PageAddress {
    let address = PageAddress("containers", id)
    return part.map { address.adding($0) } ?? address
  }

  /// Reads the path of a request on this server; nil for anything that could lead elsewhere.
  init?(own text: String?) {
    guard let text, text.hasPrefix("/"), !text.hasPrefix("//"), !text.hasPrefix("/\\"), text.utf8.count <= 512,
      text.utf8.allSatisfy({ byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "_"),
          UInt8(ascii: "."), UInt8(ascii: "~"), UInt8(ascii: "%"):
          true
        default: false
        }
      })
    else { return nil }
    path = text
  }
}
