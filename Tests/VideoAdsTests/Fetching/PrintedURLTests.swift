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
}
