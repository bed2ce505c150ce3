import Hits
import Testing

@testable import VideoAds

/// Fixtures of peers, resolved against each other (VA-1702).
@Suite struct ResolutionOracleTests {
  private static func run(
    _ name: String, wrapped: Bool = false, _ change: (inout ResolutionPolicy) -> Void = { _ in }
  ) throws -> ResolvedResponse? {
    guard let corpus = try VASTCorpus.find(for: "ResolutionOracleTests") else { return nil }
    var run = Resolution()
    let folder = "dailymotion+vast-client-js/spec/samples"
    for file in try corpus.names(in: folder) {
      let url = "https://t.test/\(file)"
      run.documents[url] = .document(VASTReader.read(try corpus.bytes("\(folder)/\(file)")), url: url)
    }
    change(&run.policy)
    if wrapped {
      let text = Markup.vast(Markup.wrapper("w", to: name))
      run.documents["https://t.test/top"] = .document(VASTReader.read(Array(text.utf8)), url: "https://t.test/top")
    }
    return try run.run(wrapped ? "top" : name)
  }

  @Test(
    "VA-1702: fixtures without an ad owe what the table says",
    arguments: [
      ("empty-no-ad.xml", ["303 http://example.com/empty-no-ad"]),
      ("empty-no-creative.xml", ["303 http://example.com/empty-no-creative_inline-error"]),
      (
        "wrapper-empty.xml",
        ["303 http://example.com/wrapper-empty_wrapper-error", "303 http://example.com/empty-no-ad"]
      ),
      (
        "wrapper-empty-no-creative.xml",
        [
          "303 http://example.com/wrapper-no-creative_wrapper-error",
          "303 http://example.com/empty-no-creative_inline-error",
        ]
      ),
      ("wrapper-unavailable-url.xml", ["301 http://example.com/wrapper-invalid-xmlfile_wrapper-error"]),
    ])
  func nothing(_ name: String, _ owed: [String]) throws {
    guard let response = try Self.run(name) else { return }
    #expect(response.ads.isEmpty && response.owed == owed)
  }

  @Test("VA-1702: wrapper-b with maxRedirects 0 owes 302, outdated-vast behind a wrapper 102")
  func limits() throws {
    guard let limited = try Self.run("wrapper-b.xml", { $0.redirectLimit = 0 }) else { return }
    #expect(limited.owed == ["302 http://example.com/wrapperB-error"])
    #expect(try Self.run("outdated-vast.xml", wrapped: true)?.owed == ["102 w-error"])
  }

  @Test("VA-1702: wrapper-legacy gives one ad, impressions wrapper first, both click trackings")
  func legacy() throws {
    guard let response = try Self.run("wrapper-legacy.xml") else { return }
    let ad = try #require(response.ads.first)
    #expect(response.ids == ["20001"])
    #expect(
      ad.impressions.map(\.url) == ["http://example.com/wrapper-impression", "http://example.com/track/impression"])
    #expect(ad.errors == ["http://example.com/wrapper-error", "http://example.com/error"])
    #expect(ad.linear?.duration == 16_000 && ad.linear?.mediaFiles.count == 1)
    #expect(
      ad.linear?.clickTrackings.map(\.url) == ["http://example.com/wrapper-clicktracking", "https://iabtechlab.com"])
  }

  @Test("VA-1702: wrapper-a, wrapper-b and sample add up, outermost first")
  func chain() throws {
    guard let response = try Self.run("wrapper-a.xml") else { return }
    let ad = try #require(response.ads.first)
    #expect(response.ids == ["ad_id_0002"])
    let impressions = ["wrapperA-impression", "wrapperB-impression1", "wrapperB-impression2", "impression1"]
    #expect(ad.impressions.map(\.url) == impressions.map { "http://example.com/\($0)" })
    let linear = try #require(ad.linear)
    let starts = linear.tracking.filter { $0.event == .start }.map(\.url)
    #expect(
      starts.prefix(3) == [
        "http://example.com/wrapperA-linear-start1", "http://example.com/wrapperA-linear-start2",
        "http://example.com/wrapperB-linear-start",
      ])
    #expect(linear.clickThrough?.url == "http://example.com/wrapperB-linear-clickthrough")
    #expect(linear.skipOffset == .milliseconds(10_000))
    #expect(linear.duration == 30_000)
    let companions = ad.companionAds.flatMap(\.companions)
    #expect(
      companions.map(\.resources) == [
        [.frame(url: "http://www.example.com/wrapperB-companion2-example.php")],
        [.frame(url: "http://www.example.com/wrapperA-companion2-example.php")],
      ])
    #expect(response.spares.map(\.ad.id) == ["2032"])
  }

  @Test("VA-1702: of wrapper-multiple-ads the pod plays first and two stand by")
  func multiple() throws {
    guard let response = try Self.run("wrapper-multiple-ads.xml") else { return }
    #expect(response.ads.map(\.sequence) == [1, 2])
    #expect(response.ads.map(\.wrapperAdIDs) == [["20011"], ["20012"]])
    #expect(response.spares.map(\.ad.id) == ["201", "2032"])
  }

  @Test("VA-1702: correct-vmap has breaks at the start, at 623.125 s and at the end, with their trackers")
  func playlist() throws {
    guard let corpus = try VASTCorpus.find(for: "ResolutionOracleTests") else { return }
    let bytes = try corpus.bytes("dailymotion+vmap-js/spec/samples/correct-vmap.xml")
    guard case .vmap(let playlist) = VASTReader.read(bytes).content else {
      Issue.record("no playlist")
      return
    }
    #expect(AdSchedule(playlist).cuePoints == [0, 623.125, -1])
    #expect(playlist.breaks.map(\.id) == ["mypre", "myid", "mypost"])
    let first = try #require(playlist.breaks.first)
    #expect(first.tracking.map(\.event.rawValue) == ["breakStart", "breakEnd", "breakEnd", "error"])
    let error = Beacon(
      url: first.tracking[3].url, event: "error", scope: .playlistError(VMAPErrorCode(rawValue: 402)))
    let sent = BeaconExpansion(facts: MacroExpansionTests.facts).expand(error, random: SeededRandomSource(seed: 1))
    guard case .hit(let hit) = sent else {
      Issue.record("not sent")
      return
    }
    #expect(hit.get("url") == "http://server.com/error?402")
  }
}
