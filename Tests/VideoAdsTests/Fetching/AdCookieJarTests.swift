import Testing

@testable import VideoAds

@Suite struct AdCookieJarTests {
  private static func header(_ cookies: [String], from url: String = "https://a.ads.test/x", to other: String)
    -> String?
  {
    var jar = AdCookieJar()
    for cookie in cookies { jar.store(cookie, from: url) }
    return jar.header(for: other)
  }

  @Test(
    "VA-205: a cookie goes to its host and path; a domain widens it, never to a foreign or a top one",
    arguments: [
      (["id=1"], "https://a.ads.test/y", "id=1"), (["id=1"], "https://b.ads.test/y", nil),
      (["id=1; Domain=.ads.test"], "https://b.ads.test/y", "id=1"),
      (["id=1; Domain=other.test"], "https://other.test/", nil),
      (["id=1; Domain=test"], "https://b.test/", nil), (["id=1; Path=/v"], "https://a.ads.test/video", nil),
      (["id=1; Path=/v"], "https://a.ads.test/v/1", "id=1"), (["id=1; Secure"], "http://a.ads.test/", nil),
      (["id=1", "id=2"], "https://a.ads.test/", "id=2"), (["id=1", "id=; Max-Age=0"], "https://a.ads.test/", nil),
      (["=1", "x", ""], "https://a.ads.test/", nil), (["a=1", "b=2=3"], "https://a.ads.test/", "a=1; b=2=3"),
    ] as [([String], String, String?)])
  func rules(cookies: [String], url: String, expected: String?) {
    #expect(Self.header(cookies, to: url) == expected)
  }
}
