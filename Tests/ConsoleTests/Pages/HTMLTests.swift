import Hits
import Testing

@testable import Console

@Suite("HTML") struct HTMLTests {
  static let hostile = "\"><script>alert(1)</script>'&<!-- \u{0}\u{1B}</textarea></title>{{x}}"

  @Test("CO-903: a text is escaped in content and in attributes, and control characters are no part of it")
  func escaped() {
    let html = element("p", Attribute("title", Self.hostile), text: Self.hostile).markup
    #expect(!html.contains("<script"))
    #expect(!html.contains("<!--"))
    #expect(html.split(separator: "<").count == 2)
    #expect(!html.unicodeScalars.contains { $0.value < 0x20 })
    #expect(element("p", text: "a < b & \"c\" 'd'").markup == "<p>a &lt; b &amp; &quot;c&quot; &#39;d&#39;</p>")
    #expect(element("input", .flag("checked", true), .flag("disabled", false)).markup == "<input checked>")
  }

  @Test("a textarea gives back what is in it, a first line break too")
  func textarea() { #expect(element("textarea", text: "\na\n").markup == "<textarea>\n\na\n</textarea>") }

  @Test("CO-903: an address holds any text as a part of its own")
  func address() {
    let address = PageAddress.container("../a b", "tags").adding("x/?#\"<").asking("q", "a&b=c\"")
    #expect(address.text == "/containers/..%2Fa%20b/tags/x%2F%3F%23%22%3C?q=a%26b%3Dc%22")
  }

  @Test("times are read as they are shown")
  func times() {
    #expect(TimeText.text(1_800_000_000_000) == "2027-01-15 08:00:00")
    #expect(TimeText.input(1_800_000_000_000) == "2027-01-15T08:00")
    #expect(TimeText.milliseconds(ofInput: "2027-01-15T08:00") == 1_800_000_000_000)
    for text in ["", "x", "2027-13-01T00:00", "2027-01-15", "2027-01-15T08:00+01:00"] {
      #expect(TimeText.milliseconds(ofInput: text) == nil, "\(text)")
    }
  }

  @Test("a multipart form has its fields and its file, whatever is in the file")
  func multipart() throws {
    let file = "{\"a\": \"--x\r\n\"}\r\n--y"
    let body =
      "--x\r\nContent-Disposition: form-data; name=\"csrf\"\r\n\r\nabc\r\n--x\r\n"
      + "Content-Disposition: form-data; name=\"file\"; filename=\"a.json\"\r\nContent-Type: application/json\r\n\r\n"
      + file.replacing("--x", with: "--z") + "\r\n--x--\r\n"
    func form(_ type: String, _ body: String) -> MultipartForm? {
      MultipartForm(ServerRequest(method: "POST", path: "/", headers: ["Content-Type": type], body: Array(body.utf8)))
    }
    let read = try #require(form("multipart/form-data; boundary=x", body))
    #expect(read.fields["csrf"] == "abc")
    #expect(read.file.map { String(decoding: $0, as: UTF8.self) } == file.replacing("--x", with: "--z"))
    #expect(form("application/x-www-form-urlencoded", body) == nil)
    for damaged in ["", "--x", "--x\r\n", String(body.dropLast(20)), "--x\r\n\r\n--x--", String(body.prefix(60))] {
      _ = form("multipart/form-data; boundary=x", damaged)
    }
    #expect(form("multipart/form-data; boundary=", body) == nil)
  }

  @Test("CO-500: a QR code has its finder patterns and grows with its text; a text too long for one has none")
  func qrCode() throws {
    let code = try #require(QRCode("https://tags.example.com/preview/p?id=GTM-SHOP"))
    #expect((code.width - 17) % 4 == 0)
    for (row, column) in [(0, 0), (0, code.width - 7), (code.width - 7, 0)] {
      for offset in 0..<7 {
        #expect(code.isDark(row, column + offset))
        #expect(code.isDark(row + 6, column + offset))
        #expect(code.isDark(row + 3, column + 3))
        #expect(!code.isDark(row + 1, column + 1 + offset % 5))
      }
    }
    #expect(try #require(QRCode(String(repeating: "a", count: 900))).width > code.width)
    #expect(QRCode(String(repeating: "a", count: 2000)) == nil)
  }
}
