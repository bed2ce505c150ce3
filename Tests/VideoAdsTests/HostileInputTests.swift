import Hits
import TestSupport
import Testing

@testable import VideoAds

/// Input that means harm, all the way from the request to the end (VA-1400 to VA-1405).
@Suite @MainActor struct HostileInputTests {
  typealias M = Markup

  private static func code(_ fixture: AdsFixture, _ name: String) async -> String {
    do throws(AdError) {
      _ = try await fixture.loader.load(fixture.request(name))
      return "loaded"
    } catch {
      return error.code.rawValue
    }
  }

  @Test(
    "VA-1400, VA-1401: bombs of entities, 100,000 nested elements, endless attributes: a named error, in bounded time",
    arguments: [
      ("bomb", "noAds"), ("deep", "malformedResponse"), ("attributes", "noAds"), ("text", "malformedResponse"),
      ("comment", "malformedResponse"),
      ("tags", "malformedResponse"), ("ads", "noAds"),
    ])
  func documents(name: String, expected: String) async {
    let entities = (1...9).map { "<!ENTITY l\($0) \"" + String(repeating: "&l\($0 - 1);", count: 10) + "\">" }.joined()
    let texts = [
      "bomb": "<?xml version='1.0'?><!DOCTYPE lolz [<!ENTITY l0 \"lol\">\(entities)]><VAST version='3.0'>&l9;</VAST>",
      "deep": "<VAST version='3.0'>" + String(repeating: "<a>", count: 100_000),
      "attributes": "<VAST version='3.0' " + (0..<20_000).map { "a\($0)='x'" }.joined(separator: " ") + "/>",
      "text": "<VAST version='3.0'><Ad><InLine><AdTitle>" + String(repeating: "x", count: 1_100_000),
      "comment": "<VAST version='3.0'><!--" + String(repeating: "-", count: 300_000),
      "tags": "<VAST version='3.0'>" + String(repeating: "<", count: 300_000),
      "ads": "<VAST version='3.0'>" + String(repeating: "<Ad><InLine/></Ad>", count: 50_000) + "</VAST>",
    ]
    let fixture = AdsFixture(texts)
    #expect(await Self.code(fixture, name) == expected)
    // A debug build: quadratic time would take minutes.
    let bytes = Array((texts[name] ?? "").utf8)
    #expect(ProcessorTime.seconds { _ = VASTReader.read(bytes) } < 20)
  }

  @Test("VA-213: an answer of 2 GB is refused by its size: 100 for the first document, 301 never, 100 behind a wrapper")
  func size() async {
    let fixture = AdsFixture()
    let tooLarge = TransportError(phase: .uncertain, code: .tooLarge, message: "")
    let transport = ScriptedTransport { request in
      // What a transport does with a declared length of 2 GB over the request's bound.
      request.url.hasSuffix("wrapper")
        ? .response(
          HTTPResponse(
            status: 200, body: Array(M.vast(M.wrapper("w", to: "https://t.test/huge")).utf8), url: request.url))
        : .failure(tooLarge)
    }
    fixture.environment.transport = transport
    fixture.loader = AdsLoader(environment: fixture.environment)
    #expect(await Self.code(fixture, "huge") == "malformedResponse")
    #expect(await Self.code(fixture, "wrapper") == "malformedResponse")
    #expect(transport.requests.map(\.responseLimit) == [8 << 20, 8 << 20, 2 << 20])
  }

  @Test("VA-411, VA-413: wrappers in a circle, and without an end, are 302 to all of them")
  func loops() async {
    let fixture = AdsFixture([
      "circle": M.vast(M.wrapper("w", to: "https://t.test/other")),
      "other": M.vast(M.wrapper("v", to: "https://t.test/other")),
    ])
    #expect(await Self.code(fixture, "circle") == "tooManyRedirects")
    let counted = Locked(0)
    let transport = ScriptedTransport { request in
      let number = counted.withLock { number in
        number += 1
        return number
      }
      let next = M.vast(M.wrapper("w\(number)", to: "https://t.test/\(number)"))
      return .response(HTTPResponse(status: 200, body: Array(next.utf8), url: request.url))
    }
    fixture.environment.transport = transport
    fixture.loader = AdsLoader(environment: fixture.environment)
    #expect(await Self.code(fixture, "start") == "tooManyRedirects")
    #expect(transport.requests.count == 6)
  }

  @Test(
    "VA-1402: no scheme but http and https is fetched, played or sent to",
    arguments: ["file:///etc/passwd", "javascript:alert(1)", "data:video/mp4,x", "ftp://t.test/x"])
  func schemes(url: String) async throws {
    let ad = M.full(
      "a",
      "<Impression>\(url)</Impression><AdVerifications><Verification vendor='v'><JavaScriptResource apiFramework='omid'>\(url)</JavaScriptResource></Verification></AdVerifications>"
    )
    .replacing("https://m.test/a.mp4", with: url)
    let fixture = AdsFixture(["a": M.vast(ad), "w": M.vast(M.wrapper("w", to: url))])
    #expect(await Self.code(fixture, "w") == "wrapperUnavailable")
    let manager = try await fixture.start("a")
    await fixture.run(manager, seconds: 12)
    #expect(fixture.beacons == ["a-error-410", "a-error-403"])
    #expect(fixture.transport.requests.map(\.url) == ["https://t.test/w", "https://t.test/a"])
  }

  @Test("VA-1403: errors name no query and no user info")
  func secrets() async {
    let fixture = AdsFixture()
    do throws(AdError) {
      _ = try await fixture.loader.load(AdsRequest(adTagURL: "https://me:secret@t.test/x?token=secret#secret"))
    } catch {
      #expect(error.url == "https://t.test/x" && !"\(error)".contains("secret"))
    }
  }
}
