import Authoring
import Digests
import Foundation
import Hits
import TagManager
import TestSupport
import Testing

@testable import Console

@Suite("Delivery of previews") struct PreviewDeliveryTests {
  private let store = MemoryWorkspaceStore()
  private let clock = ManualClock(wallMilliseconds: 1_800_000_000_000)
  private let secret = Secret(.preview, from: SeededRandomSource(seed: 3))
  private static let author = Authorship(Actor(id: "token:1", name: "Ana"), at: 1_800_000_000_000)

  private func prepare() async throws {
    try await store.create(
      AuthoredContainer(id: SampleContainer.id, kind: .iOS, name: "Sample", created: 1),
      draft: SampleContainer.export("draft"), by: Self.author)
    try await store.create(
      PreviewToken(
        id: "p", digest: secret.digest, container: SampleContainer.id, version: nil, created: Self.author,
        expires: clock.wallMilliseconds + 1000, revoked: nil))
  }

  private func get(_ query: String, keys: [SigningKey] = []) async throws -> ServerResponse {
    let routes = DeliveryRoutes(DeliveryCatalogue()).routes(
      PreviewDelivery(store: store, keys: keys, clock: clock), firstLook: {})
    let path = "/v1/containers/GTM-TEST"
    guard case .handle(_, let handler) = Router(routes).decide(method: "GET", path: path, headers: [:]) else {
      throw CancellationError()
    }
    return await handler(ServerRequest(method: "GET", path: path, query: Array(query.utf8)))
  }

  @Test(
    "CO-501: a preview without its values is a bad preview, never what is live",
    arguments: ["gtm_auth=&gtm_preview=", "gtm_auth", "gtm_preview", "gtm_preview=0", "gtm_auth=twp_x&gtm_preview="])
  func empty(query: String) async throws {
    try await prepare()
    let response = try await get(query)
    #expect(response.status == 403)
    #expect(response.message == "The token does not let you in.")
  }

  @Test("TM-440, TM-1004: a draft is signed for every environment of its container, for an app checks by its own")
  func signed() async throws {
    try await prepare()
    let environment = Secret(.environment, from: SeededRandomSource(seed: 4))
    _ = try await store.createEnvironment(
      "staging", of: SampleContainer.id, digest: environment.digest, by: Self.author)
    let key = try #require(SigningKey(pem: SigningKeyTests.pem))
    let response = try await get("gtm_auth=\(secret.text)&gtm_preview=0", keys: [key])
    #expect(response.status == 200)
    let texts = (response.headers["Tagworks-Signature"] ?? "").split(separator: ",")
    let signatures = texts.compactMap { Data(base64Encoded: String($0.split(separator: ";").last ?? "")) }
    #expect(signatures.count == 2)
    for name in ["live", "staging"] {
      let message = Array("tagworks-container-v1\nGTM-TEST\n\(name)\n0\n".utf8) + response.body
      #expect(
        signatures.contains { Ed25519.isValid(signature: Array($0), of: message, publicKey: key.publicKey) }, "\(name)")
    }
  }
}
