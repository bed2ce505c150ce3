import Hits
import Testing

@Suite struct CleanTextTests {
  @Test(
    "HQ-135: control characters go, blanks around a text go, the rest stays as it is",
    arguments: [
      ("plain", "plain"), ("", ""), (" a ", "a"), ("a\tb", "a b"), ("a\r\nb", "a b"), ("a\n\rb", "a  b"),
      ("a\rb\nc", "a b c"),
      ("a\u{0}b\u{7F}c\u{85}d\u{9F}e", "abcde"), ("\u{A0}a", "\u{A0}a"), ("\n\t \r\n", ""), ("\u{1} a", "a"),
      ("e\u{301}", "e\u{301}"), ("👩‍👩‍👧 🇻🇳", "👩‍👩‍👧 🇻🇳"), ("\u{C280}", "\u{C280}"),
    ])
  func cleaned(text: String, expected: String) {
    let clean = CleanText(text)
    #expect(Array(clean.text.utf8) == Array(expected.utf8))
    #expect(!clean.isTruncated)
    #expect(CleanText.isClean(text) == (Array(text.utf8) == Array(expected.utf8)))
  }

  @Test(
    "HQ-1221: a text is cut to whole scalars within its bytes",
    arguments: [
      (String(repeating: "é", count: 100), 150), (String(repeating: "👍", count: 50), 148),
      (String(repeating: "a", count: 149) + "é", 149), (String(repeating: "a", count: 149) + "👍", 149),
      (String(repeating: "🇻🇳", count: 20), 148),
    ])
  func truncated(text: String, bytes: Int) {
    let clean = CleanText(text, limit: 150)
    #expect(clean.text.utf8.count == bytes)
    #expect(clean.isTruncated)
    #expect(Array(text.utf8).starts(with: Array(clean.text.utf8)))
  }

  @Test("HQ-134: a text that just fits is not cut, and a limit below one scalar leaves nothing")
  func bounds() {
    #expect(!CleanText("éé", limit: 4).isTruncated)
    #expect(CleanText("éé", limit: 3).text == "é")
    #expect(CleanText("👍", limit: 3).text == "")
    #expect(CleanText("👍", limit: 0).text == "")
  }
}
