import Foundation
import Hits

/// The page around a universal tag's script, where none is published (WT-205).
///
/// Nothing enters it but validated names, percent-encoded URLs and escaped constants: never data of events.
enum PageShell {
  /// - Parameter policy: a content security policy, the first element of the head.
  static func html(
    script: URL, prelude: String, integrity: IntegrityHash?, policy: String?
  ) -> String {
    var html = "<!doctype html><html><head>"
    if let policy {
      html += #"<meta http-equiv="Content-Security-Policy" content=""# + attribute(policy) + #"">"#
    }
    html += #"<meta charset="utf-8"><title>Tagworks</title></head><body>"#
    if !prelude.isEmpty { html += "<script>" + prelude + "</script>" }
    html += #"<script src=""# + attribute(script.absoluteString) + #"""#
    if let integrity { html += #" integrity=""# + integrity.attribute + #"" crossorigin="anonymous""# }
    return html + "></script></body></html>"
  }

  /// Puts a policy into a bundled page, before anything it could forbid (WT-831).
  static func html(_ page: String, policy: String) -> String {
    let meta = #"<meta http-equiv="Content-Security-Policy" content=""# + attribute(policy) + #"">"#
    guard let head = page.range(of: "<head", options: .caseInsensitive),
      let end = page[head.upperBound...].firstIndex(of: ">")
    else { return meta + page }
    let after = page.index(after: end)
    return page[..<after] + meta + page[after...]
  }

  private static func attribute(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "\"", with: "&quot;")
      .replacingOccurrences(of: "<", with: "&lt;").replacingOccurrences(of: ">", with: "&gt;")
  }
}
