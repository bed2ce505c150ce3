import Testing

@testable import VideoAds

@Suite struct AdURLTests {
  @Test(
    "VA-202: a URL is made legal and nothing else changes",
    arguments: [
      (" \n https://a.test/x\r\ny\t ", "https://a.test/xy"),
      ("<![CDATA[https://a.test/]]>", "https://a.test/"),
      ("![CDATA[https://a.test/]]", "https://a.test/"),
      ("[CDATA[ https://a.test/ ]]>", "https://a.test/"),
      ("https://a.test/?a=1&amp;b=2", "https://a.test/?a=1&b=2"),
      ("//a.test/x", "https://a.test/x"),
      ("https://a.test/?a=1|2&b={x}&c=\"q\"&d=a b", "https://a.test/?a=1%7C2&b=%7Bx%7D&c=%22q%22&d=a%20b"),
      ("https://a.test/<>\\^`", "https://a.test/%3C%3E%5C%5E%60"),
      ("https://a.test/é?ü=ß", "https://a.test/%C3%A9?%C3%BC=%C3%9F"),
      ("https://a.test/[x]?[y]", "https://a.test/%5Bx%5D?%5By%5D"),
      ("https://[::1]:80/[x]", "https://[::1]:80/%5Bx%5D"),
      ("https://a.test/?a=%7C&b=100%&c=%zz", "https://a.test/?a=%7C&b=100%25&c=%25zz"),
      ("https://BÜCHER.example/x", "https://xn--bcher-kva.example/x"),
      ("https://почта.рф:8080/", "https://xn--80a1acny.xn--p1ai:8080/"),
      ("https://a.test//b//c?url=https://x/y?z=1&&e=", "https://a.test//b//c?url=https://x/y?z=1&&e="),
      ("https://a.test", "https://a.test"),
      ("https://a.test/vast.xml?b=2&a=1", "https://a.test/vast.xml?b=2&a=1"),
      ("https://a.test/?a=${BIDSERVERID}", "https://a.test/?a=$%7BBIDSERVERID%7D"),
      ("HTTP://A.test/", "HTTP://A.test/"),
    ])
  func repairs(_ written: String, _ expected: String) throws {
    let url = try AdURL(written, base: nil)
    #expect(url.text.replacing("http:", with: "HTTP:") == expected.replacing("http:", with: "HTTP:"))
    #expect(try AdURL(url.text, base: nil).text == url.text)
  }

  @Test("VA-202: what was changed is known")
  func isRepaired() throws {
    #expect(try !AdURL("https://a.test/?a=%7C", base: nil).isRepaired)
    #expect(try AdURL("https://a.test/?a=|", base: nil).isRepaired)
    #expect(try AdURL(" https://a.test/", base: nil).isRepaired)
    for base in [nil, "http://b.test/"] {
      #expect(try AdURL("//a.test/", base: base).isRepaired && AdURL.isMended("//a.test/"))
    }
    #expect(try !AdURL("/x", base: "http://b.test/").isRepaired, "VA-410")
    #expect(try !AdURL("https://a.test/[X]", base: nil) { $0.replacing("[X]", with: "1") }.isRepaired)
  }

  @Test(
    "VA-410: relative URLs are resolved against the URL of their document (RFC 3986, 5.4)",
    arguments: [
      ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
      ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"),
      (";x", "http://a/b/c/;x"), (".", "http://a/b/c/"), ("..", "http://a/b/"), ("../g", "http://a/b/g"),
      ("../..", "http://a/"), ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("/./g", "http://a/g"),
      ("g;x=1/../y", "http://a/b/c/y"), ("g?y/../x", "http://a/b/c/g?y/../x"),
    ])
  func relative(_ written: String, _ expected: String) throws {
    #expect(try AdURL(written, base: "http://a/b/c/d;p?q").text == expected)
  }

  @Test("VA-102, VA-207, VA-807: what is never requested says why")
  func refusals() {
    func refusal(_ written: String, base: String? = nil) -> AdURL.Refusal? {
      do { _ = try AdURL(written, base: base) } catch { return error }
      return nil
    }
    for text in ["", "  ", "<![CDATA[]]>"] { #expect(refusal(text) == .blank) }
    for text in ["wrapper.xml", "/x", "?a", "www.a.test/x"] { #expect(refusal(text) == .relative) }
    for text in [
      "file:///etc/passwd", "data:text/xml,x", "javascript:alert(1)", "ftp://a/", "blob:x", "about:blank", "app:x",
    ] {
      #expect(refusal(text) == .scheme)
      #expect(refusal(text, base: "https://a.test/") == .scheme)
    }
    for text in ["http://", "https:///x", "http://:80/"] { #expect(refusal(text) == .noHost) }
    #expect(refusal("https://a.test/" + String(repeating: "x", count: 8_192)) == .tooLong)
  }

  @Test("VA-201: macros are expanded before the rest is made legal")
  func order() throws {
    let url = try AdURL("https://a.test/?a=[A]&b=[B]|", base: nil) { $0.replacing("[A]", with: "1%7C") }
    #expect(url.text == "https://a.test/?a=1%7C&b=%5BB%5D%7C")
  }

  @Test("VA-1406: any text gives a URL or a refusal")
  func total() {
    var state: UInt64 = 3
    let pieces = [
      "http", "://", "[", "]", "%", "%5", "é", "#", "?", "/", "..", "@", ":", "\u{0}", " ", "a", "ü.рф", "&amp;",
    ]
    for _ in 0..<3_000 {
      var text = ""
      for _ in 0..<8 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        text += pieces[Int(state >> 33) % pieces.count]
      }
      if let url = try? AdURL(text, base: "https://b.test/x") {
        #expect(url.text.utf8.allSatisfy { 0x21...0x7E ~= $0 })
      }
    }
  }
}
