import Testing

@testable import VideoAds

@Suite struct AdCookieJarTests {
  /// 2026-11-30 22:00:00 UTC.
  private static let now: Int64 = 1_796_076_000_000

  private static func header(_ cookies: [String], from url: String = "https://a.ads.test/x", to other: String)
    -> String?
  {
    var jar = AdCookieJar()
    for cookie in cookies { jar.store(cookie, from: url, at: now) }
    return jar.header(for: other, at: now)
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

  @Test(
    "VA-205: a cookie goes until its time is over: Max-Age before Expires, and no readable time means the loader's life",
    arguments: [
      ("id=1", .max), ("id=1; Max-Age=60", 60_000), ("id=1; Expires=Mon, 30 Nov 2026 22:01:30 GMT", 90_000),
      ("id=1; expires=Mon, 30-Nov-2026 22:01:30 GMT", 90_000), ("id=1; expires=Mon, 30-Nov-26 22:01:30 GMT", 90_000),
      ("id=1; Max-Age=60; Expires=Mon, 30 Nov 2026 22:01:30 GMT", 60_000),
      ("id=1; Expires=Mon, 30 Nov 2026 22:01:30 GMT; Max-Age=60", 60_000),
      ("id=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT", 0), ("id=1; Max-Age=-1", 0),
      ("id=1; Max-Age=\(Int64.min)", 0), ("id=1; Max-Age=0; Expires=Mon, 30 Nov 2026 22:01:30 GMT", 0),
      ("id=1; Max-Age=\(Int64.max)", 4_294_967_296_000), ("id=1; Max-Age=soon; Expires=never", .max),
    ] as [(String, Int64)])
  func lifetime(cookie: String, _ lifetime: Int64) {
    var jar = AdCookieJar()
    jar.store("id=0", from: "https://a.ads.test/", at: Self.now)
    jar.store(cookie, from: "https://a.ads.test/", at: Self.now)
    let moments: [Int64] = lifetime == .max ? [0, 1 << 45] : [lifetime - 1, lifetime]
    let found = moments.map { jar.header(for: "https://a.ads.test/", at: Self.now + $0) }
    #expect(found == (lifetime == .max ? ["id=1", "id=1"] : [lifetime == 0 ? nil : "id=1", nil]))
  }

  @Test("VA-205: a full jar gives up its oldest cookie")
  func room() {
    var jar = AdCookieJar()
    for number in 0...100 { jar.store("n\(number)=1", from: "https://a.ads.test/", at: Self.now) }
    let names = jar.header(for: "https://a.ads.test/", at: Self.now)?.split(separator: ";") ?? []
    #expect(names.count == 100 && names.first == "n1=1" && names.last == " n100=1")
  }
}
