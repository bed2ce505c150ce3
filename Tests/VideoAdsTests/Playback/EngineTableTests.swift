import Testing

@testable import VideoAds

/// The table of transitions, row by row (VA-703), and what goes in and out (VA-701, VA-702).
@Suite struct EngineTableTests {
  typealias H = EngineHarness

  private static let documents = [
    "a": Markup.vast(H.ad("a", skip: "skipoffset='00:00:02'")),
    "pod": Markup.vast(H.ad("a", sequence: 1), H.ad("b", sequence: 2)),
    "x": Markup.vast(),
  ]

  private static func single() throws -> H { try H(documents["a"] ?? "") }

  private static func playlist(_ breaks: String..., autoPlay: Bool = true) throws -> H {
    var h = try H(
      playlist: breaks.map { text in
        let words = text.split(separator: " ").map(String.init)
        return H.item(words[0], words[1])
      }.joined(), documents: documents
    ) { settings, _ in settings.autoPlayAdBreaks = autoPlay }
    h.send(.initialize(content: 0, duration: 60_000))
    return h
  }

  private static func playing(_ name: String = "a") throws -> H { try H.playing(documents[name] ?? "") }

  /// One row: what was before, what happens, what follows in order, and the state it leads to.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let before: @Sendable () throws -> H
    let event: @Sendable (inout H) -> [String]
    let words: [String]
    let state: AdsEngine.State

    init(
      _ name: String, _ before: @escaping @Sendable () throws -> H, _ event: @escaping @Sendable (inout H) -> [String],
      _ words: [String], _ state: AdsEngine.State
    ) {
      testDescription = name
      self.before = before
      self.event = event
      self.words = words
      self.state = state
    }
  }

  static let started = ["started", "impression", "-> a-imp", "-> a-creativeView", "-> a-start"]
  static let rows: [Row] = [
    Row(
      "made, initialize of a document", { try single() }, { $0.send(.initialize(content: 0, duration: nil)) },
      ["loaded"], .ready),
    Row(
      "made, initialize of a schedule with a break due at once",
      {
        try H(playlist: H.item("start", "a"), documents: documents)
      }, { $0.send(.initialize(content: 0, duration: nil)) }, [], .loading),
    Row(
      "made, initialize of a schedule with none due", { try H(playlist: H.item("10", "a"), documents: documents) },
      { $0.send(.initialize(content: 0, duration: nil)) }, ["RESUME 0"], .idle),
    Row(
      "idle, a mid-roll is due and still fetched", { try playlist("5 a") },
      {
        $0.send(.contentTime(0)) + $0.send(.contentSeek(5_000))
      }, [], .idle),
    Row(
      "idle, a post-roll is due and still fetched", { try playlist("end a") }, { $0.send(.contentComplete) }, [],
      .loading),
    Row(
      "loading, an ad came", { try playlist("start a") }, { $0.answer() },
      ["loaded", "PAUSE", "adBreakStarted", "-> a-breakStart", "load", "play"], .starting),
    Row(
      "loading, an ad came, without autoplay", { try playlist("start a", autoPlay: false) }, { $0.answer() },
      ["loaded", "adBreakReady"], .ready),
    Row(
      "loading, no ad came", { try playlist("start x", "10 a") }, { $0.answer() },
      ["-> x-breakStart", "-> 1004 x-error", "-> x-breakEnd", "adBreakFetchError", "RESUME 0"], .idle),
    Row(
      "ready, start",
      {
        var h = try single()
        h.send(.initialize(content: 0, duration: nil))
        return h
      }, { $0.send(.start) }, ["PAUSE", "adBreakStarted", "load", "play"], .starting),
    Row(
      "ready, discard",
      {
        var h = try playlist("start a", "10 a", autoPlay: false)
        h.answer()
        return h
      }, { $0.send(.discard) }, ["-> 206 a-error", "RESUME 0"], .idle),
    Row(
      "starting, first frame",
      {
        var h = try single()
        h.send(.initialize(content: 0, duration: nil))
        h.send(.start)
        return h
      }, { $0.player(.firstFrame) }, started, .playing),
    Row(
      "starting, player error, one more in the pod",
      {
        var h = try H(documents["pod"] ?? "")
        h.send(.initialize(content: 0, duration: nil))
        h.send(.start)
        return h
      }, { $0.player(.failed(.server)) }, ["stop", "-> 400 a-error", "loaded", "load", "play"], .starting),
    Row(
      "playing, a quarter", { try playing() }, { $0.player(.position(2_500)) },
      ["skippableStateChanged", "-> a-firstQuartile", "firstQuartile"], .playing),
    Row(
      "playing, buffering", { try playing() }, { $0.player(.bufferingBegan) + $0.player(.bufferingEnded) },
      ["bufferingStarted", "bufferingEnded"], .playing),
    Row("playing, pause", { try playing() }, { $0.send(.pause(.user)) }, ["hold", "pause", "-> a-pause"], .paused),
    Row(
      "paused, the last reason goes",
      {
        var h = try playing()
        h.send(.pause(.user))
        h.send(.pause(.link))
        h.send(.resume(.user))
        return h
      }, { $0.send(.resume(.link)) }, ["play", "resume", "-> a-resume"], .playing),
    Row(
      "playing, skip",
      {
        var h = try playing()
        h.player(.position(3_000))
        return h
      }, { $0.send(.skip) }, ["stop", "-> a-skip", "skipped", "adBreakEnded", "RESUME 0", "allAdsCompleted"], .done),
    Row(
      "playing, an early end", { try playing("pod") }, { $0.player(.ended(5_000)) },
      ["stop", "-> 405 a-error", "loaded", "load", "play"], .starting),
    Row(
      "playing, the end in full", { try playing() }, { $0.player(.ended(10_000)) },
      [
        "skippableStateChanged", "-> a-firstQuartile", "firstQuartile", "-> a-midpoint", "midpoint",
        "-> a-thirdQuartile",
        "thirdQuartile", "-> a-complete", "complete", "adBreakEnded", "RESUME 0", "allAdsCompleted",
      ], .done),
    Row(
      "playing, the stall timer",
      {
        var h = try playing()
        h.now += 10_000
        return h
      }, { $0.send(.timer(.stall)) }, ["stop", "-> 402 a-error", "adBreakEnded", "RESUME 0", "allAdsCompleted"], .done),
    Row("playing, destroy", { try playing("pod") }, { $0.send(.destroy) }, ["stop", "-> 206 b-error"], .destroyed),
  ]

  @Test("VA-703: the table of transitions", arguments: rows)
  func table(row: Row) throws {
    var h = try row.before()
    #expect(row.event(&h) == row.words)
    #expect(h.engine.state == row.state)
  }

  private static let events: [EngineEvent] = [
    .initialize(content: 0, duration: nil), .start, .pause(.user), .resume(.user), .skip, .discard, .contentTime(1_000),
    .contentSeek(2_000), .contentDuration(60_000), .contentComplete,
    .fetched(
      BreakFetch(breakID: BreakSource.ID(index: 0), fetch: BreakResolution.FetchID(source: 0)), .failed(.timedOut)),
    .timer(.load), .timer(.stall), .timer(.frameless), .timer(.prepared), .timer(.container), .timer(.overlay),
    .timer(.overlayAd), .timer(.overlayClose), .timer(.companion(3)), .timer(.resolution(BreakSource.ID(index: 9))),
    .player(AdPlayerToken(number: 1), .firstFrame), .player(AdPlayerToken(number: 0), .ended(1_000_000_000_000)),
    .player(AdPlayerToken(number: 1), .position(0)), .player(AdPlayerToken(number: 1), .duration(1_000_000_000_000)),
    .mute(true),
    .volume(.nan), .container(ContainerState(size: AdSize(width: 0, height: -1))), .lifecycle(.background),
    .lifecycle(.foreground), .lifecycle(.interruptionEnded), .geometry(nil), .tap(.icon(9), nil),
    .tap(.closeOverlay, nil),
    .customClick("x"), .customEvent(""), .companion(-1, .clicked), .scriptFailed(-1),
  ]

  @Test("VA-701, VA-702: every event is taken in every state, whatever order; after destroy it causes nothing")
  func everyEventEverywhere() throws {
    for row in Self.rows {
      for event in Self.events {
        var h = try row.before()
        h.send(event)
        for other in Self.events { h.send(other) }
        h.send(.destroy)
        for other in Self.events { #expect(h.send(other).isEmpty) }
      }
    }
  }

  @Test("VA-702: the list of actions stays small: what is large is kept elsewhere")
  func size() {
    #expect(MemoryLayout<EngineAction>.size <= 160)
  }

  @Test(
    "Case 42 (VA-731): the last ad of a break skipped, failed, complete, given up: one pause, one resume",
    arguments: [
      EngineEvent.skip, .player(AdPlayerToken(number: 2), .failed(.decode)),
      .player(AdPlayerToken(number: 2), .ended(10_000)), .discard, .timer(.stall),
    ])
  func lastAd(event: EngineEvent) throws {
    var h = try H.playing(Markup.vast(H.ad("a", sequence: 1), H.ad("b", sequence: 2, skip: "skipoffset='00:00:02'")))
    h.playThrough()
    h.player(.firstFrame)
    h.player(.position(3_000))
    h.now += 20_000
    h.send(event)
    #expect(h.log.filter { $0.hasPrefix("PAUSE") || $0.hasPrefix("RESUME") } == ["PAUSE", "RESUME 0"])
    #expect(h.log.last == "allAdsCompleted")
  }

  @Test("VA-217: a prefetched break that waited too long is fetched again when it is due, and plays then")
  func expiredBreak() throws {
    let ad = H.ad("a").replacing("<Impression>", with: "<Expires>30</Expires><Impression>")
    var h = try H(playlist: H.item("20", "a"), documents: ["a": Markup.vast(ad)])
    h.send(.initialize(content: 0, duration: 60_000))
    h.content(from: 0, to: 15_000)
    // The person stops content for a minute.
    h.now += 60_000
    for position in stride(from: Int64(15_200), through: 20_000, by: 200) {
      h.now += 200
      h.send(.contentTime(position))
    }
    #expect(h.pending.count == 1 && !h.log.contains("PAUSE"))
    #expect(h.answer().contains("PAUSE"))
    #expect(h.player(.firstFrame).contains("-> a-imp") && h.pending.isEmpty)
  }

  @Test("VA-803: loaded is tracked once, when the media is ready, before the first frame or with it")
  func loadedTracker() throws {
    let ad = H.ad("a").replacing(
      "<TrackingEvents>", with: "<TrackingEvents><Tracking event='loaded'>a-there</Tracking>")
    var early = try H(Markup.vast(ad))
    early.send(.initialize(content: 0, duration: nil))
    early.send(.start)
    #expect(early.player(.ready(10_000)) == ["-> a-there"])
    #expect(!early.player(.firstFrame).contains("-> a-there"))
    var late = try H(Markup.vast(ad))
    late.send(.initialize(content: 0, duration: nil))
    late.send(.start)
    #expect(late.player(.firstFrame).suffix(2) == ["-> a-start", "-> a-there"])
  }
}
