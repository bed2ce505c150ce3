import Testing

@testable import VideoAds

@Suite struct PrintedURLTests {
  @Test(
    "VA-1403: user and password are left out of what is printed, and nothing else",
    arguments: [
      ("https://user:secret@a.test/x?u=a@b#c", "https://a.test/x?u=a@b#c"), ("https://user@a.test", "https://a.test"),
      ("//user:secret@a.test:80/x", "//a.test:80/x"), (" https://u:p@a.test/[RANDOM]", "https://a.test/[RANDOM]"),
      ("https://u:p@q@a.test/", "https://a.test/"), ("ftp://u:p@a.test/", "ftp://a.test/"),
      ("https://a.test/x@y?[A]&b=@", "https://a.test/x@y?[A]&b=@"), ("video.xml", "video.xml"), ("a@b.xml", "a@b.xml"),
    ])
  func printed(written: String, printed: String) {
    #expect(PrintedURL.text(written) == printed)
  }

  @Test("VA-1502: of a very long URL a table shows the ends and says how long it is")
  func short() {
    let long = "https://u:p@a.test/?" + String(repeating: "x", count: 8_000) + "&end"
    let short = PrintedURL.shortText(long)
    #expect(short.hasPrefix("https://a.test/?xxx") && short.hasSuffix("xxx&end (8020 characters)"))
    #expect(short.contains("…") && short.count < 260)
    let usual = "https://a.test/" + String(repeating: "x", count: 200)
    #expect(PrintedURL.shortText(usual) == usual)
  }
}
