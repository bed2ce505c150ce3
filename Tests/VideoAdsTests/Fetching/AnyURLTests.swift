import Hits
import Testing

@testable import VideoAds

@Suite struct AnyURLTests {
  @Test("VA-1406: any text is refused or becomes a legal URL that repair leaves alone; macros in it never trap")
  func anyText() {
    let random = SeededRandomSource(seed: 11)
    let pieces = [
      "http", "https", "://", "a.test", "/", "?", "#", "%", "%4", "%zz", "[", "]", "[CACHEBUSTING]", "%%RANDOM%%",
      "%5BASSETURI%5D", "[", "[[", "é", "\u{0}", "\n", " ", "@", ":", "::1", "\\", "|", "<![CDATA[", "]]>", "&amp;",
      "xn--",
      "ü.test", "//", "..", "javascript:", "𝔘",
    ]
    var accepted = 0
    for _ in 0..<20_000 {
      let start = random.next() % 3 == 0 ? "" : "https://a.test"
      let count = Int(random.next() % 12)
      let text = (0..<count).reduce(start) { text, _ in text + pieces[Int(random.next() % UInt64(pieces.count))] }
      let expanded = MacroExpansionTests.expand(text) { _ in }
      guard let url = try? AdURL(text, base: nil, expand: { _ in expanded }) else { continue }
      accepted += 1
      #expect(url.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
      #expect(AdURL.legal(url.text) == url.text, "what is legal is not repaired again: \(text)")
    }
    #expect(accepted > 5_000)
  }
}
