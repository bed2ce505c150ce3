#if !canImport(Darwin)
  import Foundation
  import HTTPClient
  import Hits
  import TestSupport
  import Testing

  @Suite("Public key pins") struct PublicKeyPinTests {
    /// The digest of no server's key.
    private static let other = Data(repeating: 7, count: 32).base64EncodedString()

    @Test(
      "WT-821: a pin is the base64 of 32 bytes, and a host has one at least",
      arguments: [
        ["a.example": [String]()], ["a.example": ["no base64"]], ["a.example": ["AAAA"]], ["": [other]],
        ["a.example": [other, other + ";sha256//" + other]], ["a.example": ["sha256//" + other]], ["a.example": [""]],
      ])
    func refused(keys: [String: [String]]) {
      let error = #expect(throws: TransportError.self) { try PublicKeyPins(keys) }
      #expect(error?.code == .invalidRequest && error?.phase == .notSent)
    }

    @Test(
      "WT-821: the server's key must be one of those pinned for its host, however the host is written",
      .enabled(if: TLSServer.program != nil, "openssl is not installed"))
    func pinned() async throws {
      let server = try await TLSServer()
      func send(_ pins: [String: [String]], to url: String? = nil) async throws -> HTTPResponse {
        let transport = CurlTransport(pins: try PublicKeyPins(pins), authorities: server.certificate)
        return try await transport.send(HTTPRequest(url: url ?? "https://127.0.0.1:\(server.port)/"))
      }
      let good: [[String: [String]]] = [
        [:], ["127.0.0.1": [server.keyDigest]], ["127.0.0.1.": ["sha256/" + server.keyDigest]],
        ["127.0.0.1": [Self.other, server.keyDigest]], ["other.example": [Self.other]],
      ]
      for pins in good { #expect(try await send(pins).status == 200) }
      let named = "https://localHost:\(server.port)/"
      #expect(try await send(["LOCALHOST.": [server.keyDigest]], to: named).status == 200)
      let bad: [([String: [String]], String?)] = [
        (["127.0.0.1": [Self.other]], nil),
        (["127.0.0.1": [Self.other], "other.example": [server.keyDigest]], nil),
        (["LOCALHOST": [Self.other]], named),
      ]
      for (pins, url) in bad {
        let error = await #expect(throws: TransportError.self) { try await send(pins, to: url) }
        #expect(error?.code == .keyNotPinned && error?.phase == .notSent && error?.code.isDistrust == true)
      }
    }

    @Test(
      "WT-821: a pin allows nothing: a certificate that nobody trusts is refused with the right key as well",
      .enabled(if: TLSServer.program != nil, "openssl is not installed"))
    func untrusted() async throws {
      let server = try await TLSServer()
      let transport = CurlTransport(pins: try PublicKeyPins(["127.0.0.1": [server.keyDigest]]))
      let error = await #expect(throws: TransportError.self) {
        try await transport.send(HTTPRequest(url: "https://127.0.0.1:\(server.port)/"))
      }
      #expect(error?.code == .tls && error?.phase == .notSent)
    }

    @Test(
      "WT-821: a redirect to a pinned host is held to its keys, and one from it to none",
      .enabled(if: TLSServer.program != nil, "openssl is not installed"))
    func redirected() async throws {
      let server = try await TLSServer()
      let entrance = try LoopbackServer { _ in
        .response(status: 302, headers: ["Location": "https://127.0.0.1:\(server.port)/"], body: [])
      }
      let request = HTTPRequest(url: "http://localhost:\(entrance.port)/", redirects: .follow(1))
      let wrong = CurlTransport(pins: try PublicKeyPins(["127.0.0.1": [Self.other]]), authorities: server.certificate)
      let error = await #expect(throws: TransportError.self) { try await wrong.send(request) }
      #expect(error?.code == .keyNotPinned)
      let right = CurlTransport(
        pins: try PublicKeyPins(["127.0.0.1": [server.keyDigest]]), authorities: server.certificate)
      #expect(try await right.send(request).status == 200)
      // The connections of another host are not taken for those of this one.
      #expect(try await right.send(HTTPRequest(url: "http://localhost:\(entrance.port)/")).status == 302)
    }

    @Test("WT-821: a pinned host is not asked over plain HTTP, which shows no key; other hosts are")
    func plain() async throws {
      let server = try LoopbackServer { _ in .text("ok") }
      let transport = CurlTransport(pins: try PublicKeyPins(["127.0.0.1": [Self.other]]))
      for url in ["http://127.0.0.1:\(server.port)/", "HTTP://%3127.0.0.1:\(server.port)/"] {
        let error = await #expect(throws: TransportError.self) { try await transport.send(HTTPRequest(url: url)) }
        #expect(error?.code == .keyNotPinned && error?.phase == .notSent)
      }
      #expect(server.requests.isEmpty)
      #expect(try await transport.send(HTTPRequest(url: "http://localhost:\(server.port)/")).status == 200)
    }
  }
#endif
