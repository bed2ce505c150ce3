import Foundation
import HitQueue
import Hits
import TestSupport
import Testing
import VideoAds

@testable import Tagworks

/// Ads on the system's disk and network, against a scripted server on loopback.
@Suite("Live ads") @MainActor
struct LiveAdsTests {
  @MainActor
  private final class NoLinks: LinkOpener {
    nonisolated init() {}
    func canOpen(_ url: String) -> Bool { false }
    func open(_ url: String, closed: @escaping @MainActor () -> Void) { closed() }
  }

  private struct Choices: PrivacySignalsProvider {
    var signals = PrivacySignals()

    init(gdprApplies: Bool, purposes: Set<Int> = []) {
      signals.tcf = PrivacySignals.TCF(gdprApplies: gdprApplies, tcString: "", purposes: purposes, googleVendor: false)
    }
  }

  private static func settings(_ directory: TemporaryDirectory) -> LiveAdsSettings {
    var settings = LiveAdsSettings(players: SimulatedPlayerFactory(clock: ManualAdClock()), links: NoLinks())
    settings.hits.directory = directory.file("hits")
    settings.device = FixedDevice()
    return settings
  }

  /// One ad, as another program packed it.
  private nonisolated static let gzip =
    "H4sIAAAAAAACA02PuwrDMAxFfyWbN18omYoiCIVCoZ1auhssqKFxjC0M/fvGQx7bQRddHdF7fL66KrmEOQ6mtyfDNHqmW7yHKEyXLE5DlbIjU4tcZnqID+4a"
    + "vi3duNNfksHU4GXGlHrDH9VUzsBkVYrC2WVK2Bb4wEsR1nbsB3HQwKqG5on2AP8BMXAqK8cAAAA="
  private nonisolated static let deflate =
    "eJxNj7sKwzAMRX8lmzdfKJmKIgiFQqGdWrobLKihcYwtDP37xkMe20EXXR3Re3y+uiq5hDkOprcnwzR6plu8hyhMlyxOQ5WyI1OLXGZ6iA/uGr4t3bjTX5LB1OBl"
    + "xpR6wx/VVM7AZFWKwtllStgW+MBLEdZ27Adx0MCqhuaJ9gD/AVrwQyk="
  /// The begin of a file of zeros: each byte more stands for 1,032 of them.
  private nonisolated static let bomb = "H4sIAAAAAAACA+zBAQEAAACAkP6v7ggK"

  @Test(
    "VA-200, VA-210, VA-213: what is packed is unpacked, and its size then counts; an unknown packing is a failure",
    arguments: [
      ("gzip", gzip, 0, "loaded"), ("deflate", deflate, 0, "loaded"), ("gzip", bomb, 10_000, "malformedResponse"),
      ("br", gzip, 0, "requestFailed"),
    ])
  func packed(encoding: String, text: String, zeros: Int, expected: String) async throws {
    let body = Array(try #require(Data(base64Encoded: text))) + Array(repeating: 0, count: zeros)
    let server = try LoopbackServer { _ in
      .response(status: 200, headers: ["Content-Encoding": encoding, "Content-Type": "text/xml"], body: body)
    }
    let loader = try AdsLoader.live(Self.settings(try TemporaryDirectory()))
    var outcome = "loaded"
    do throws(AdError) { _ = try await loader.load(AdsRequest(adTagURL: server.url("/vast"))) } catch {
      outcome = error.code.rawValue
    }
    #expect(outcome == expected)
    let sent = try #require(server.requests.first)
    #expect(sent.headers["Accept-Encoding"]?.contains("gzip") == true)
    #expect(sent.headers["Cookie"] == nil && sent.headers["Referer"] == nil)
  }

  @Test(
    "VA-206, VA-1402: a loop of redirects ends, and one to a file or a script leads nowhere",
    arguments: [("/loop", 1), ("file:///etc/passwd", 1), ("javascript:alert(1)", 1), ("data:text/xml,<VAST/>", 1)])
  func redirects(target: String, requests: Int) async throws {
    let server = try LoopbackServer { _ in .response(status: 302, headers: ["Location": target]) }
    let loader = try AdsLoader.live(Self.settings(try TemporaryDirectory()))
    var code: AdError.Code?
    do throws(AdError) { _ = try await loader.load(AdsRequest(adTagURL: server.url("/loop"))) } catch {
      code = error.code
    }
    #expect(code == .requestFailed && server.requests.count == requests)
  }

  @Test("VA-213: of an answer that declares 2 GB no more is read than a playlist may have")
  func declaredSize() async throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: 2147483648\r\n\r\n"
    let body = Array(head.utf8) + Array(repeating: UInt8(ascii: " "), count: 9 << 20)
    let server = try LoopbackServer { _ in .bytes(body) }
    let loader = try AdsLoader.live(Self.settings(try TemporaryDirectory()))
    var code: AdError.Code?
    do throws(AdError) { _ = try await loader.load(AdsRequest(adTagURL: server.url("/huge"))) } catch {
      code = error.code
    }
    #expect(code == VASTErrorCode.malformed.errorCode)
  }

  @Test("VA-802: only an app that asks for it gets a store for late beacons")
  func store() throws {
    let directory = try TemporaryDirectory()
    var settings = Self.settings(directory)
    _ = try AdsLoader.live(settings)
    #expect(!FileManager.default.fileExists(atPath: directory.file("hits")))
    settings.ads.persistBeacons = true
    _ = try AdsLoader.live(settings)
    #expect(FileManager.default.fileExists(atPath: directory.file("hits")))
  }

  @Test(
    "VA-1202: late beacons are kept where storage is allowed: without GDPR, or with purpose 1",
    arguments: [(false, [], 1), (true, [], 0), (true, [2, 7], 0), (true, [1], 1)] as [(Bool, Set<Int>, Int)])
  func consent(gdprApplies: Bool, purposes: Set<Int>, kept: Int) {
    let queue = RecordingSink()
    let late = LateBeacons(queue: queue, privacy: Choices(gdprApplies: gdprApplies, purposes: purposes))
    let receipt = late.send(.beacon("https://t.test/i"), tracker: nil)
    #expect(queue.hits.count == kept)
    #expect((receipt.state == .refused(.consentDenied)) == (kept == 0))
  }

  @Test("VA-104: every session has an id of its own")
  func sessions() {
    #expect(AdsLoader.newSessionID() != AdsLoader.newSessionID() && AdsLoader.newSessionID().count == 36)
  }
}
