import Hits
import Testing

@testable import HTTPClient

@Suite("Redirects") struct RedirectStepTests {
  static let target = Origin(scheme: "HTTPS", host: "Shop.Example", port: 443)

  @Test(
    "status and method decide what is a redirect",
    arguments: [
      (300, "GET", false), (301, "GET", true), (302, "HEAD", true), (303, "GET", true), (304, "GET", false),
      (305, "GET", false), (307, "POST", true), (308, "PUT", true), (301, "POST", false), (302, "POST", false),
      (303, "POST", false), (200, "GET", false),
    ])
  func statuses(status: Int, method: String, follows: Bool) {
    let step = RedirectStep(status: status, target: Self.target, method: method, hopsMade: 0, rule: .follow(1))
    #expect(step == (follows ? .follow : .answer))
  }

  @Test("an answer without a readable place is the answer")
  func noTarget() {
    #expect(RedirectStep(status: 302, target: nil, method: "GET", hopsMade: 0, rule: .follow(1)) == .answer)
  }

  @Test("hosts compare without case")
  func hosts() {
    let rule = RedirectRule(limit: 1, hosts: ["SHOP.example"])
    #expect(RedirectStep(status: 302, target: Self.target, method: "GET", hopsMade: 0, rule: rule) == .follow)
  }

  #if !canImport(Darwin)
    @Test(
      "a URL's origin is read as libcurl reads it",
      arguments: [
        ("https://Shop.Example/a", Origin(scheme: "https", host: "shop.example", port: 443)),
        ("http://good.example@evil.example:8080/", Origin(scheme: "http", host: "evil.example", port: 8080)),
        ("http://[::1]/", Origin(scheme: "http", host: "[::1]", port: 80)),
      ])
    func origins(url: String, origin: Origin) {
      #expect(Origin(url: url) == origin)
    }
  #endif
}
