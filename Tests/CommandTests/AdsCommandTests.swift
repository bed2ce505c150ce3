import Foundation
import Hits
import TestSupport
import Testing

extension Value {
  fileprivate subscript(key: String) -> Value? { map?[key] }
}

@Suite struct AdsCommandTests {
  private static let ad = """
    <VAST version="4.2"><Ad id="a"><InLine><AdSystem>s</AdSystem><AdTitle>Title</AdTitle>
    <Impression>https://t.test/i?cb=[CACHEBUSTING]&t=[TRANSACTIONID]</Impression><Error>https://t.test/e?c=[ERRORCODE]</Error>
    <Creatives><Creative><UniversalAdId idRegistry="r">u1</UniversalAdId><Linear skipoffset="00:00:05"><Duration>00:00:10</Duration>
    <TrackingEvents><Tracking event="start">https://t.test/s</Tracking><Tracking event="midpoint">https://t.test/m</Tracking>
    <Tracking event="progress" offset="00:00:03.333">https://t.test/p</Tracking></TrackingEvents><VideoClicks><ClickThrough>
    https://c.test/</ClickThrough></VideoClicks><MediaFiles><MediaFile type="video/mp4" width="640" height="360" bitrate="500">
    https://m.test/a.mp4</MediaFile><MediaFile type="application/x-shockwave-flash" width="1" height="1">https://m.test/a.swf
    </MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>
    """
  private static let wrapper =
    "<VAST version='3.0'><Ad id='w'><Wrapper><VASTAdTagURI>https://ads.test/inline</VASTAdTagURI></Wrapper></Ad></VAST>"

  private static func folder() throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    _ = try directory.write(ad, to: "inline.xml")
    _ = try directory.write(wrapper, to: "wrapper.xml")
    _ = try directory.write("<VAST version='3.0'/>", to: "empty.xml")
    let breaks = [("start", "inline"), ("00:00:20", "wrapper"), ("end", "empty")].map { offset, name in
      "<AdBreak timeOffset='\(offset)' breakType='linear' breakId='\(name)'><AdSource><AdTagURI>https://ads.test/\(name)"
        + "</AdTagURI></AdSource></AdBreak>"
    }.joined()
    _ = try directory.write("<VMAP version='1.0'>\(breaks)</VMAP>", to: "vmap.xml")
    let map = ["inline", "wrapper", "empty", "vmap"].map { "https://ads.test/\($0)\t\($0).xml" }.joined(separator: "\n")
    _ = try directory.write(map, to: "map.tsv")
    return directory
  }

  /// The keys of JSON objects in the order they are written.
  private static func keys(_ line: String) -> [String] {
    let pattern = try? NSRegularExpression(pattern: #""([A-Za-z]+)":"#)
    let range = NSRange(line.startIndex..., in: line)
    return (pattern?.matches(in: line, range: range) ?? []).compactMap {
      Range($0.range(at: 1), in: line).map { String(line[$0]) }
    }
  }

  @Test("VA-1501: inspect --json prints one object with its keys in order, absent as null, times in seconds")
  func inspect() async throws {
    let directory = try Self.folder()
    let result = try await Program.run(
      ["ads", "inspect", "https://ads.test/wrapper", "--json", "--responses", directory.url.path])
    #expect(result.status == 0, "\(result.errors)")
    let expected = [
      "schema", "source", "kind", "version", "transactionID", "fetches", "url", "hop", "status", "bytes", "ms", "error",
      "url", "hop", "status", "bytes", "ms", "error", "breaks", "index", "id", "timeOffset", "time", "state",
      "repeatAfter",
      "gam", "ads", "id", "sequence", "position", "type", "system", "title", "duration", "skipOffset", "wrappers",
      "media",
      "url", "type", "width", "height", "bitrate", "selected", "reason", "url", "type", "width", "height", "bitrate",
      "selected",
      "reason", "clickThrough", "impressions", "errors", "tracking", "start", "midpoint", "progress", "offset",
      "percent", "urls",
      "companions", "icons", "nonLinears", "verifications", "universalAdIDs", "registry", "value", "extensions",
      "spares",
      "beacons", "error", "diagnostics",
    ]
    #expect(Array(Self.keys(result.output).prefix(expected.count)) == expected)
    let report = try #require(try result.json.first?.map)
    #expect(report["schema"] == "tagworks.ads.inspect/1" && report["kind"] == "vast" && report["error"] == .null)
    let fetches = try #require(report["fetches"]?.list)
    #expect(fetches.map { $0["hop"] } == [0, 1] && fetches.map { $0["status"] } == [200, 200])
    let ad = try #require(report["breaks"]?.list?.first?["ads"]?.list?.first)
    #expect(
      ad["id"] == "a" && ad["duration"] == 10 && ad["skipOffset"] == 5 && ad["wrappers"] == ["w"]
        && ad["sequence"] == .null)
    #expect(
      ad["media"]?.list?.map { $0["selected"] } == [true, false]
        && ad["media"]?.list?[1]["reason"] == "Flash is not played")
    #expect(ad["progress"]?.list?.first?["offset"] == 3.333 && ad["tracking"]?["start"] == ["https://t.test/s"])
    #expect(ad["impressions"] == ["https://t.test/i?cb=[CACHEBUSTING]&t=[TRANSACTIONID]"])
  }

  @Test("VA-1500: --expand, --set, --offline, --max-redirects, standard input, and the exit statuses")
  func inspectOptions() async throws {
    let directory = try Self.folder()
    let responses = ["--responses", directory.url.path]
    let expanded = try await Program.run(
      ["ads", "inspect", "-", "--json", "--expand", "--set", "CACHEBUSTING=7"] + responses, input: Self.ad)
    let impressions = try expanded.json.first?["breaks"]?.list?.first?["ads"]?.list?.first?["impressions"]?.list
    #expect(impressions?.first?.string?.hasPrefix("https://t.test/i?cb=7&t=") == true)
    let file = directory.url.appendingPathComponent("wrapper.xml").path
    for (arguments, status, code) in [
      ([file, "--offline"], 1, "wrapperUnavailable"),
      ([file, "--max-redirects", "0"] + responses, 1, "tooManyRedirects"),
      (["https://ads.test/empty"] + responses, 1, "noAds"),
      (["https://ads.test/nothing"] + responses, 3, "requestFailed"),
      (["file:///etc/passwd"], 1, "invalidAdTagURL"),
    ] {
      let result = try await Program.run(["ads", "inspect", "--json"] + arguments)
      #expect(
        Int(result.status) == status && result.output.contains(code), "\(arguments) \(result.output)\(result.errors)")
    }
    #expect(try await Program.run(["ads", "inspect"]).status == 2)
    #expect(try await Program.run(["ads", "inspect", file, "--wrapper-pods", "all"]).status == 2)
    #expect(try await Program.run(["ads", "inspect", "/no/such/file"]).status == 3)
  }

  @Test("VA-1500: without --json a table tells breaks, ads, media and what is owed")
  func inspectTable() async throws {
    let directory = try Self.folder()
    let result = try await Program.run(
      ["ads", "inspect", "https://ads.test/vmap", "--responses", directory.url.path])
    #expect(result.status == 0)
    for text in [
      "https://ads.test/vmap: vmap 1.0, 3 breaks, 2 ads", "Break 0 'inline' at start: available",
      "Break 1 'wrapper' at 00:00:20.000: available", "Break 2 'empty' at end: failed",
      "Ad 1 of 1: a · linear · 10 s · skippable after 5 s", "video/mp4, 640×360, 500 kbit/s: plays",
      "not played, Flash is not played", "wrappers", "https://t.test/e?c=[ERRORCODE]",
    ] {
      #expect(result.output.contains(text), "\(text)")
    }
  }

  @Test("VA-1502: play --json prints a line an action, with its keys in order; the same input gives the same lines")
  func play() async throws {
    let directory = try Self.folder()
    let words = [
      "ads", "play", "https://ads.test/vmap", "--json", "--fast", "--content-duration", "40", "--responses",
      directory.url.path,
    ]
    let result = try await Program.run(words)
    #expect(result.status == 0, "\(result.errors)")
    let lines = try result.json
    let first = String(try #require(result.output.split(separator: "\n").first))
    #expect(Self.keys(first) == ["t", "content", "ad", "type", "name", "break", "adIndex", "url", "code"])
    let content = lines.filter { $0["type"] == "content" }
    #expect(content.map { $0["name"] } == ["pause", "resume", "pause", "resume"])
    #expect(content.map { $0["t"] } == [0, 10, 30, 40] && content[2]["content"] == 20)
    let beacons = lines.filter { $0["type"] == "beacon" }.compactMap { $0["name"]?.string }
    #expect(beacons.filter { $0 == "impression" }.count == 2 && beacons.filter { $0 == "progress" }.count == 2)
    let events = lines.filter { $0["type"] == "event" }.compactMap { $0["name"]?.string }
    #expect(events.last == "allAdsCompleted" && events.contains("adBreakFetchError"))
    let midpoint = try #require(lines.first { $0["type"] == "beacon" && $0["name"] == "midpoint" })
    #expect(
      midpoint["ad"] == 5 && midpoint["break"] == 0 && midpoint["adIndex"] == 0 && midpoint["url"] == "https://t.test/m"
    )
    #expect(try await Program.run(words).output == result.output)
  }

  @Test("VA-1502: --skip skips at the offset, --start begins later, --seek jumps, and the table names what happened")
  func playOptions() async throws {
    let directory = try Self.folder()
    let base = [
      "ads", "play", "https://ads.test/vmap", "--fast", "--content-duration", "40", "--responses", directory.url.path,
    ]
    let skipped = try await Program.run(base + ["--skip"])
    #expect(
      skipped.output.contains("skipped") && !skipped.output.contains("→ complete")
        && skipped.output.contains("CONTENT pause"))
    let late = try await Program.run(base + ["--start", "30", "--json"])
    let pauses = try late.json.filter { $0["type"] == "content" && $0["name"] == "pause" }
    #expect(pauses.map { $0["break"] } == [1])
    let sought = try await Program.run(base + ["--seek", "5:35", "--json"])
    let second = try sought.json.filter { $0["type"] == "content" && $0["name"] == "pause" }.last
    #expect(second?["content"] == 35)
    #expect(try await Program.run(base + ["--seek", "x"]).status == 2)
    #expect(try await Program.run(["ads", "play", "x", "--player", "real"]).status == 2)
    #expect(try await Program.run(["ads", "play", "x", "--window"]).status == 2)
    #expect(try await Program.run(["ads", "play", "x", "--player", "gstreamer", "--fast"]).status == 2)
    #expect(try await Program.run(["ads", "play", "x", "--player", "gstreamer", "--content", "y"]).status == 2)
    #expect(
      try await Program.run(["ads", "play", "https://ads.test/empty", "--fast", "--responses", directory.url.path])
        .status == 1)
    #expect(
      try await Program.run(["ads", "play", "https://ads.test/none", "--fast", "--responses", directory.url.path])
        .status == 3)
  }
}
