import Hits
import Testing

@Suite struct URIEscapeTests {
  @Test(
    "TM-616: all but letters, digits and - _ . * is percent-encoded, a blank as %20",
    arguments: [
      ("", ""), ("azAZ09-_.*", "azAZ09-_.*"), ("a b+c", "a%20b%2Bc"), ("~/?&=#%\"", "%7E%2F%3F%26%3D%23%25%22"),
      ("é", "%C3%A9"), ("👍", "%F0%9F%91%8D"), ("\u{0}\u{7F}", "%00%7F"), ("a\nb", "a%0Ab"),
    ])
  func macro(text: String, escaped: String) {
    #expect(URIEscape.macro.escape(text) == escaped)
  }

  @Test(
    "HQ-611: in a hit ~ stays and * is encoded",
    arguments: [("a-._~", "a-._~"), ("a*b", "a%2Ab"), ("50% 👍", "50%25%20%F0%9F%91%8D")])
  func hit(text: String, escaped: String) {
    #expect(URIEscape.hit.escape(text) == escaped)
    var bytes = Array("x=".utf8)
    URIEscape.hit.append(text, to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == "x=" + escaped)
  }
}
