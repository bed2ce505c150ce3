import GzipFormat
import Hits
import TagManager
import TestSupport
import Testing

@testable import Console

@Suite("Trace intake") struct TraceIntakeTests {
  private let fixture = APIFixture()

  private func preview() async throws -> [String: Value] {
    if try await fixture.store.container(APIFixture.id) == nil { try await fixture.prepare() }
    let token = try await fixture.token(.edit)
    return try await fixture.ok("POST", "/containers/GTM-SHOP/previews", token: token, json: [:])
  }

  private func post(
    _ text: String, to session: String = "s1", token: String?, gzip: Bool = true
  ) async throws -> ServerResponse {
    let bytes = Array(text.utf8)
    let body = gzip ? try #require(Gzip.compress(bytes)) : bytes
    return await fixture.send(
      "POST", "/v1/debug/\(session)", token: token, body: body, headers: gzip ? ["Content-Encoding": "gzip"] : [:])
  }

  @Test("CO-502: outcomes of an app in preview are listed in their order, as they came")
  func traces() async throws {
    let secret = try #require(try await preview()["token"]?.string)
    #expect(try await post("{\"a\":1}\n{\"b\":[1.50,\"é\"]}\r\n\n", token: secret).status == 204)
    #expect(try await post("{\"c\":{}}", token: secret, gzip: false).status == 204)
    let reader = try await fixture.token(.read, for: APIFixture.id)
    let sessions = try await fixture.ok("GET", "/debug", token: reader).items("sessions")
    #expect(sessions.map { $0["id"] } == ["s1"])
    #expect(sessions.first?["lines"] == 3)
    let first = try await fixture.ok("GET", "/debug/s1?limit=2", token: reader)
    #expect(first.items("lines").map { $0["outcome"] } == [["a": 1], ["b": [1.5, "é"]]])
    #expect(first["next"] == 2)
    let rest = try await fixture.ok("GET", "/debug/s1?after=2", token: reader)
    #expect(rest.items("lines").map { $0["number"] } == [3])
    #expect(rest["next"] == nil)
    let stranger = try await fixture.token(.admin, for: "GTM-OTHER", in: fixture)
    #expect(try await fixture.ok("GET", "/debug", token: stranger).items("sessions").isEmpty)
    #expect(await fixture.send("GET", "/debug/s1", token: stranger).status == 404)
  }

  @Test("CO-502: nothing is taken without a valid preview token, and none says why")
  func refused() async throws {
    let made = try await preview()
    let secret = try #require(made["token"]?.string)
    let admin = try await fixture.token(.admin)
    var answers: [ServerResponse] = []
    for token in [nil, "twp_x", admin, ""] { answers.append(try await post("{}", token: token)) }
    fixture.clock.advance(by: .seconds(7 * 86_400))
    answers.append(try await post("{}", token: secret))
    let revoked = try await preview()
    _ = try await fixture.ok(
      "DELETE", "/containers/GTM-SHOP/previews/\(revoked["id"]?.string ?? "")", token: admin)
    answers.append(try await post("{}", token: revoked["token"]?.string))
    #expect(Set(answers.map(\.status)) == [403])
    #expect(Set(answers.map(\.text)).count == 1)
    #expect(fixture.traces.summaries.isEmpty)
  }

  @Test("a session is its preview's alone")
  func foreign() async throws {
    let first = try await preview()["token"]?.string
    let second = try await preview()["token"]?.string
    #expect(try await post("{\"a\":1}", token: first).status == 204)
    #expect(try await post("{\"b\":1}", token: second).status == 403)
    #expect(fixture.traces.lines(of: "s1", after: 0, limit: 9)?.lines.count == 1)
  }

  @Test("what is no gzip, no lines of objects, too many or too long is refused whole")
  func bad() async throws {
    let secret = try await preview()["token"]?.string
    for (text, status) in [
      ("[]", 400), ("{", 400), ("{}\n7", 400), ("{\"a\":\"" + String(repeating: "x", count: 161 << 10) + "\"}", 400),
      (String(repeating: "{}\n", count: 51), 413), (String(repeating: " ", count: 7 << 20), 413),
      (String(repeating: "{\"a\":", count: 100) + "1" + String(repeating: "}", count: 100), 400),
    ] {
      #expect(try await post(text, token: secret).status == status, "\(text.prefix(20))")
    }
    let plain = await fixture.send(
      "POST", "/v1/debug/s1", token: secret, body: Array("{}".utf8), headers: ["Content-Encoding": "gzip"])
    #expect(plain.status == 400)
    let other = await fixture.send(
      "POST", "/v1/debug/s1", token: secret, body: Array("{}".utf8), headers: ["Content-Encoding": "br"])
    #expect(other.status == 415)
    for session in ["a.b", "a%20b", String(repeating: "a", count: 65)] {
      #expect(try await post("{}", to: session, token: secret).status == 404)
    }
    #expect(fixture.traces.summaries.isEmpty)
  }

  private static func token(_ id: String) -> PreviewToken {
    WorkspaceStoreContract.preview(id, version: nil)
  }

  @Test("CO-502: a session forgets its oldest lines, and the server its quietest session")
  func bounds() {
    var limits = TraceSessions.Limits()
    (limits.sessions, limits.lines, limits.sessionBytes, limits.bytes) = (3, 4, 100, 150)
    let sessions = TraceSessions(limits: limits)
    func line(_ count: Int) -> [UInt8] { [UInt8](repeating: 1, count: count) }
    for _ in 0..<6 { #expect(sessions.add([line(1)], to: "a", of: Self.token("t"), at: 1)) }
    #expect(sessions.lines(of: "a", after: 0, limit: 9)?.lines.map(\.number) == [3, 4, 5, 6])
    #expect(sessions.lines(of: "a", after: 4, limit: 1)?.lines.map(\.number) == [5])
    #expect(sessions.add([line(60), line(60)], to: "b", of: Self.token("t"), at: 2))
    #expect(sessions.lines(of: "b", after: 0, limit: 9)?.lines.map(\.number) == [2])
    #expect(sessions.add([line(1)], to: "c", of: Self.token("u"), at: 3))
    #expect(sessions.add([line(1)], to: "a", of: Self.token("t"), at: 4))
    #expect(sessions.add([line(1)], to: "d", of: Self.token("u"), at: 5))
    #expect(sessions.summaries.map(\.id) == ["d", "a", "c"])
    #expect(sessions.add([line(90)], to: "c", of: Self.token("u"), at: 6))
    #expect(sessions.add([line(99)], to: "d", of: Self.token("u"), at: 7))
    #expect(sessions.summaries.map(\.id) == ["d"])
    #expect(sessions.lines(of: "b", after: 0, limit: 9) == nil)
    #expect(sessions.add([line(101)], to: "d", of: Self.token("u"), at: 8))
    #expect(sessions.lines(of: "d", after: 0, limit: 9)?.lines.isEmpty == true)
  }
}

extension APIFixture {
  /// A token for a container that is made first.
  fileprivate func token(_ scope: AccessScope, for container: ContainerID, in fixture: APIFixture) async throws
    -> String
  {
    try await fixture.prepare(container)
    return try await fixture.token(scope, for: container)
  }
}
