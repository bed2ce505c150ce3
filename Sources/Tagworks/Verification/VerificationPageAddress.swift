import Foundation

/// Where a page pretends to be: an https address of its own that resolves nowhere (VA-900).
///
/// Beside scripts of this machine over http it is a name of this machine over http, for an https page may load none.
struct VerificationPageAddress: Sendable {
  static let document =
    #"<!doctype html><html><head><meta charset="utf-8"><title>Tagworks</title></head><body></body></html>"#

  let origin: String
  let url: URL

  init(adSessionID: String, hasInsecureScript: Bool) {
    let letters = adSessionID.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(40)
    var components = URLComponents()
    components.scheme = hasInsecureScript ? "http" : "https"
    components.host = "ad-\(letters)." + (hasInsecureScript ? "localhost" : "invalid")
    origin = components.string ?? ""
    components.path = "/"
    // Letters, digits and constants are a URL.
    url = components.url ?? URL(fileURLWithPath: "/")
  }
}
