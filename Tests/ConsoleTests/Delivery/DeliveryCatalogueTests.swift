import Authoring
import Digests
import Foundation
import GzipFormat
import HTTPClient
import Hits
import TestSupport
import Testing

@testable import Console
@testable import TagManager

@Suite("Delivery") struct DeliveryCatalogueTests {
  let catalogue = DeliveryCatalogue()

  private func fill(_ delivery: ContainerDelivery, staging: ContainerDelivery? = nil) {
    catalogue.replace(with: [
      SampleContainer.id: .app([
        "live": .init(token: nil, delivery: delivery),
        "staging": .init(token: Digest.sha256("secret".utf8), delivery: staging),
      ]),
      "GTM-EMPTY": .app(["live": .init(token: nil, delivery: nil)]), "GTM-WEB": .other(.web),
    ])
  }

  /// What the instant routes answer to a target; nil where they leave it to others.
  private func get(_ target: String, _ headers: HTTPHeaders = [:]) -> ServerResponse? {
    let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
    let request = InstantRequest(path: parts[0], query: parts.count > 1 ? parts[1] : "", headers: headers)
    let route = DeliveryRoutes(catalogue).instant.first { request.path.hasPrefix($0.prefix) }
    return route?.answer(request)?.response
  }

  @Test("CO-600: 200 with body, validator and heads; 304 with the same heads; packed for whoever takes gzip")
  func content() throws {
    let delivery = try SampleContainer.delivery(.string(String(repeating: "long ", count: 200)), sequence: 5)
    fill(delivery)
    let path = "/v1/containers/GTM-TEST"
    let whole = try #require(get(path))
    #expect(whole.status == 200)
    #expect(whole.body == delivery.json.plain)
    #expect(whole.headers["Content-Type"] == "application/json")
    #expect(whole.headers["Cache-Control"] == "public, max-age=300, stale-while-revalidate=86400")
    #expect(whole.headers["Vary"] == "Accept, Accept-Encoding")
    #expect(whole.headers["ETag"] == delivery.json.etag)
    #expect(whole.headers["Tagworks-Sequence"] == "5")
    #expect(whole.headers["Content-Encoding"] == nil)
    let packed = try #require(get(path, ["Accept-Encoding": "gzip"]))
    #expect(packed.headers["Content-Encoding"] == "gzip")
    #expect(try Gunzip.unpack(packed.body, limit: 1 << 20) == whole.body)
    #expect(packed.headers["ETag"] == whole.headers["ETag"])
    let unchanged = try #require(get(path, ["If-None-Match": delivery.json.etag]))
    #expect(unchanged.status == 304)
    #expect(unchanged.body.isEmpty)
    for name in ["ETag", "Cache-Control", "Vary", "Tagworks-Version", "Tagworks-Sequence", "Tagworks-Published"] {
      #expect(unchanged.headers[name] == whole.headers[name] && unchanged.headers[name] != nil, "\(name)")
    }
    let binary = try #require(get(path, ["Accept": "application/x-protobuf"]))
    #expect(binary.headers["Content-Type"] == "application/x-protobuf")
    #expect(binary.headers["ETag"] == delivery.json.etag.dropLast() + "-b\"")
    #expect(get(path, ["Accept": "application/x-protobuf", "If-None-Match": delivery.json.etag])?.status == 200)
  }

  @Test(
    "CO-600: unknown and unpublished are 404; another kind is 403 with its reason; so are wrong tokens, without one")
  func refusals() throws {
    fill(try SampleContainer.delivery(), staging: try SampleContainer.delivery("staged"))
    let rows: [(target: String, status: Int, text: String)] = [
      ("/v1/containers/GTM-NONE", 404, "no such container"), ("/v1/containers/", 404, "no such container"),
      ("/v1/containers/GTM-TEST/x", 404, "no such container"), ("/v1/containers/GTM-EMPTY", 404, "nothing of it"),
      ("/v1/containers/GTM-WEB", 403, "Container GTM-WEB is for the web, not for apps."),
      ("/v1/containers/GTM-TEST?environment=staging", 403, "token"),
      ("/v1/containers/GTM-TEST?environment=staging&auth=guess", 403, "token"),
      ("/v1/containers/GTM-TEST?environment=none&auth=secret", 403, "token"),
      ("/v1/containers/GTM-TEST?environment=staging&auth=secret", 200, "staged"),
      ("/v1/containers/GTM-TEST?environment=live&auth=whatever", 200, "first"),
      ("/v1/containers/GTM-TEST?other=x", 200, "first"), ("/r", 404, "no such container"),
      ("/r?id=GTM-WEB", 403, "is for the web"),
    ]
    for (target, status, text) in rows {
      let response = try #require(get(target), "\(target)")
      #expect(response.status == status, "\(target)")
      let body = String(decoding: response.body, as: UTF8.self)
      #expect(body.contains(text), "\(target) \(body)")
      guard status != 200 else { continue }
      #expect(try Value(json: response.body).map?["reason"]?.string?.contains(text) == true)
      #expect(response.headers["Cache-Control"] == "no-store")
    }
  }

  @Test("CO-501: a preview is not answered from memory")
  func preview() throws {
    fill(try SampleContainer.delivery())
    #expect(get("/v1/containers/GTM-TEST?gtm_auth=t&gtm_preview=1") == nil)
    #expect(get("/v1/containers/GTM-TEST?gtm_preview=1") == nil)
    for query in ["gtm_auth=&gtm_preview=", "gtm_auth", "gtm_preview=", "a=b&gtm_preview", "gtm%5Fauth="] {
      #expect(get("/v1/containers/GTM-TEST?\(query)") == nil, "\(query)")
    }
  }

  @Test("CO-601: the original SDK gets the resource once, and then that nothing has changed")
  func legacy() throws {
    let delivery = try SampleContainer.delivery()
    fill(delivery)
    let first = try #require(get("/r?id=GTM-TEST&v=i100000000"))
    #expect(first.status == 200)
    #expect(first.headers["Content-Type"] == "application/x-protobuf")
    let read = ContainerDecoder.decodeSupplemented(first.body, id: SampleContainer.id)
    #expect(read.resource?.container?.macros.map(\.name) == ["title"])
    let fingerprint = try #require(read.fingerprint)
    let second = try #require(get("/r?id=GTM-TEST&v=i100000000&pv=\(fingerprint)"))
    #expect(second.status == 200)
    let unchanged = ContainerDecoder.decodeSupplemented(second.body, id: SampleContainer.id)
    #expect(unchanged.resource == nil)
    #expect(unchanged.fingerprint == fingerprint)
    #expect(get("/r?id=GTM-TEST&pv=other")?.body == first.body)
    #expect(get("/rest") == nil)
  }

  @Test("CO-600: over the wire: kept connections, HEAD, a body that nobody asked for, and a new version")
  func wire() async throws {
    let first = try SampleContainer.delivery("first")
    fill(first)
    let records = Locked<[RequestRecord]>([])
    let server = try HTTPServer(
      host: "127.0.0.1", port: 0, routes: [.health], instantRoutes: DeliveryRoutes(catalogue).instant,
      log: { record in records.withLock { $0.append(record) } })
    let transport = PlatformTransport()
    let url = "http://127.0.0.1:\(server.port)/v1/containers/GTM-TEST"
    for _ in 0..<3 {
      let response = try await transport.send(HTTPRequest(url: url))
      #expect(response.body == first.json.plain)
      #expect(response.headers["Connection"] != "close")
    }
    let head = try await transport.send(HTTPRequest(method: "HEAD", url: url))
    #expect(head.status == 200)
    #expect(head.headers["Content-Length"] == String(try #require(first.json.packed).count))
    #expect(try await transport.send(HTTPRequest(url: url, body: [1, 2, 3])).status == 404)
    #expect(try await transport.send(HTTPRequest(method: "POST", url: url)).status == 404)
    #expect(try await transport.send(HTTPRequest(url: "http://127.0.0.1:\(server.port)/healthz")).status == 200)
    let second = try SampleContainer.delivery("second", sequence: 2)
    fill(second)
    let changed = try await transport.send(HTTPRequest(url: url, headers: ["If-None-Match": first.json.etag]))
    #expect(changed.body == second.json.plain)
    await server.stop()
    #expect(records.withLock { $0.first?.route } == "/v1/containers/{id}")
  }
}
