import Hits
import Testing

@testable import TagManager

@Suite("Requests for containers")
struct ContainerRequestTests {
  private static func request(
    _ server: ContainerServer? = .tagworks("https://tags.example.com/base/"), _ plan: FetchPlan = FetchPlan(),
    environment: String = "live", token: String? = nil, insecure: Bool = false, draft: PreviewLink? = nil
  ) throws(RefreshFailure) -> HTTPRequest {
    try ContainerRequest(
      id: "GTM-X", server: server, environment: environment, environmentToken: token, allowsInsecureServer: insecure,
      platform: "Linux", limit: 16 << 20
    ).request(plan, draft: draft)
  }

  @Test("TM-420: the address, by environment")
  func addresses() throws {
    #expect(try Self.request().url == "https://tags.example.com/base/v1/containers/GTM-X")
    #expect(
      try Self.request(environment: "te st", token: "a&b").url
        == "https://tags.example.com/base/v1/containers/GTM-X?environment=te%20st&auth=a%26b")
  }

  @Test("TM-420, TM-421: the headers, and nothing that tells a device or a person")
  func headers() throws {
    let plain = try Self.request()
    #expect(
      Set(plain.headers.map(\.name)) == ["Accept", "User-Agent"])
    #expect(plain.headers["Accept"] == "application/json, application/x-protobuf;q=0.5")
    #expect(plain.headers["User-Agent"] == "Tagworks/\(ProductInfo.version) (Linux)")
    let manual = try Self.request(.tagworks("https://a.example"), FetchPlan(etag: "\"e\"", bypassesCaches: true))
    #expect(manual.headers["If-None-Match"] == "\"e\"")
    #expect(manual.headers["Cache-Control"] == "no-cache")
    #expect(plain.timeout == .seconds(60) && plain.idleTimeout == .seconds(20))
    #expect(plain.redirects == RedirectRule(limit: 3, schemes: ["https"]))
    #expect(plain.responseLimit == 16_777_216)
  }

  @Test(
    "TM-421: plain http for loopback only, or where the app allows it",
    arguments: [
      ("http://127.0.0.1:8080", false, true), ("http://tags.example.com", false, false),
      ("http://tags.example.com", true, true), ("tags.example.com", true, false), ("https://a.example/?x", true, false),
    ])
  func insecure(base: String, isAllowed: Bool, works: Bool) {
    let request = try? Self.request(.tagworks(base), insecure: isAllowed)
    #expect((request != nil) == works)
    if works { #expect(request?.redirects.schemes == ["http", "https"]) }
  }

  @Test("TM-1004: a draft is asked for with its token, and without a validator")
  func draft() throws {
    let link = PreviewLink(id: "GTM-X", token: "t", version: "env-3")
    let request = try Self.request(.tagworks("https://a.example"), FetchPlan(etag: "e", isPreview: true), draft: link)
    #expect(request.url == "https://a.example/v1/containers/GTM-X?gtm_auth=t&gtm_preview=env-3")
    #expect(request.headers["If-None-Match"] == nil)
  }

  @Test("TM-435: the legacy endpoint, without conditional headers")
  func legacy() throws {
    let request = try Self.request(.legacy("https://a.example"), FetchPlan(etag: "e", fingerprint: "f 1"))
    #expect(request.url == "https://a.example/r?id=GTM-X&v=i100000000&pv=f%201")
    #expect(request.headers["If-None-Match"] == nil)
    #expect(try Self.request(.legacy("https://a.example")).url == "https://a.example/r?id=GTM-X&v=i100000000")
  }
}
