import Authoring
import Console
import Foundation
import HTTPClient
import Hits
import TestSupport
import Testing

/// A directory that `tagworks publish` writes, delivered by nginx to an app.
@Suite("Static publication") struct StaticPublicationTests {
  @Test(
    "CO-406: nginx delivers the published directory; the app opens it signed, gets 304, and a change with the reload")
  func nginx() async throws {
    let directory = try TemporaryDirectory()
    let site = directory.file("site")
    let key = try SigningKey.make(file: directory.file("key.pem"))
    try await Shop.publish("Hello", to: site, key: directory.file("key.pem"))
    guard let nginx = try await Nginx.serving(site) else { return }
    let settings = Shop.settings(nginx.url, key: key)

    let app = try AppProcess(directory, settings)
    let opened = try await app.ask("open")
    #expect(opened["endedBy"] == "network")
    #expect(opened["version"] == "3")
    #expect(try await app.value("greeting") == "Hello")
    let outcome = try await app.ask("push", ["update": ["event": "openScreen", "screenName": "Home"]])
    #expect(Shop.fired(outcome).contains("screen view"))
    #expect(try await app.ask("refresh")["outcome"] == "notChanged")

    try await Shop.publish("Good day", to: site, key: directory.file("key.pem"))
    // Until the reload, body, validator and signature are the old ones together.
    _ = try await app.ask("close")
    _ = try await app.ask("open")
    #expect(try await app.ask("refresh")["outcome"] == "notChanged")
    try await nginx.reload()
    _ = try await app.ask("close")
    _ = try await app.ask("open")
    #expect(try await app.ask("refresh")["outcome"] == "updated(3)")
    #expect(try await app.value("greeting") == "Good day")
    try await app.end()
    try await nginx.stop()
  }

  @Test("CO-406, TM-421: nginx gives the heads that the manifest says, plain and packed, and 404 for what is not there")
  func heads() async throws {
    let directory = try TemporaryDirectory()
    let site = directory.file("site")
    try await Shop.publish("Hello", to: site)
    guard let nginx = try await Nginx.serving(site) else { return }
    let transport = PlatformTransport()
    func get(_ path: String, _ headers: HTTPHeaders = [:]) async throws -> HTTPResponse {
      try await transport.send(HTTPRequest(url: nginx.url + path, headers: headers))
    }
    let live = try await get("/v1/containers/GTM-SHOP")
    #expect(live.status == 200)
    #expect(live.headers["Content-Type"] == "application/json")
    #expect(live.headers["Cache-Control"] == "public, max-age=300, stale-while-revalidate=86400")
    #expect(live.headers["Tagworks-Version"] == "3")
    #expect(live.headers["Tagworks-Sequence"] == "1")
    #expect(live.headers["Tagworks-Published"] != nil)
    #expect(live.headers["Tagworks-Signature"] == nil)
    #expect(live.headers["Vary"] == "Accept-Encoding")
    #expect(live.headers.values(of: "ETag").count == 1)
    #expect(live.body == Array(try Data(contentsOf: URL(fileURLWithPath: site + "/v1/containers/GTM-SHOP"))))
    let etag = try #require(live.headers["ETag"])
    for validator in [etag, "W/" + etag] {
      let unchanged = try await get("/v1/containers/GTM-SHOP", ["If-None-Match": validator])
      #expect(unchanged.status == 304)
      #expect(unchanged.headers["ETag"] == etag)
    }
    #expect(try await get("/v1/containers/GTM-SHOP", ["If-None-Match": "\"other\""]).status == 200)
    for path in ["/v1/containers/GTM-NONE", "/v1/containers/gtm-shop", "/v1/containers/"] {
      #expect(try await get(path).status == 404, "\(path)")
    }
    let versions = try FileManager.default.contentsOfDirectory(atPath: site + "/v1/versions/GTM-SHOP")
    let name = try #require(versions.first { $0.hasSuffix(".json") })
    let version = try await get("/v1/versions/GTM-SHOP/" + name)
    #expect(version.body == live.body)
    #expect(version.headers["Cache-Control"] == "public, max-age=31536000, immutable")
    #expect(version.headers["ETag"] == etag)
    try await nginx.stop()
  }
}
