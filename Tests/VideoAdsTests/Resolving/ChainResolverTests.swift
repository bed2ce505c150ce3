import Testing

@testable import VideoAds

@Suite struct ChainResolverTests {
  typealias M = Markup

  @Test("VA-420, VA-317: a pod plays by its numbers, stand-alone and equal numbers stand by")
  func pods() throws {
    var run = Resolution([
      "pod": M.vast(M.inLine("x"), M.inLine("b", sequence: 2), M.inLine("a", sequence: 1), M.inLine("b2", sequence: 2)),
      "alone": M.vast(M.inLine("x"), M.inLine("y")), "lone": M.vast(M.inLine("x", sequence: 1)),
    ])
    let pod = try run.run("pod")
    #expect(pod.ids == ["a", "b"] && pod.ads.map(\.sequence) == [1, 2] && pod.spares.map(\.ad.id) == ["x", "b2"])
    let alone = try run.run("alone")
    #expect(alone.ids == ["x"] && alone.spares.map(\.ad.id) == ["y"])
    let lone = try run.run("lone")
    #expect(lone.ids == ["x"] && lone.ads.first?.sequence == nil, "VA-421")
  }

  @Test("VA-422, VA-426: a place that fails takes the next spare, each once, unless its wrapper forbids it")
  func spares() throws {
    var run = Resolution([
      "a": M.vast(
        M.empty("1", sequence: 1), M.inLine("2", sequence: 2), M.empty("3", sequence: 3), M.empty("s1"), M.inLine("s2")),
      "b": M.vast(M.wrapper("w", to: "gone"), M.inLine("s")),
      "c": M.vast(M.wrapper("w", to: "gone", "fallbackOnNoAd='false'"), M.inLine("s")),
    ])
    let a = try run.run("a")
    #expect(a.ids == ["s2", "2"] && a.spares.isEmpty)
    #expect(a.owed == ["303 1-error", "303 s1-error", "303 3-error"])
    #expect(try run.run("b").ids == ["s"])
    let c = try run.run("c")
    #expect(c.ids.isEmpty && c.owed == ["301 w-error"] && c.failure == .wrapperUnavailable)
    #expect(c.spares.isEmpty, "nothing plays, so nothing stands by")
  }

  @Test("VA-400: the result does not depend on the order in which answers arrive")
  func order() throws {
    var texts = [
      "top": M.vast(
        (1...6).map { (n: Int) in M.wrapper("w\(n)", to: "d\(n)", sequence: n, "allowMultipleAds='true'") }.joined(),
        M.inLine("s1"), M.wrapper("s2", to: "d7"), M.inLine("s3"))
    ]
    texts["d1"] = M.vast(M.inLine("1"))
    texts["d2"] = M.vast()
    texts["d3"] = M.vast(
      M.wrapper("w3a", to: "d3a", sequence: 1), M.inLine("3b", sequence: 2), M.empty("3c", sequence: 3))
    texts["d3a"] = M.vast(M.empty("3a"))
    texts["d5"] = "<VAST version='9'/>"
    texts["d6"] = M.vast(M.inLine("6"))
    texts["d7"] = M.vast(M.inLine("7"))
    var plain = Resolution(texts)
    let expected = try plain.run("top")
    #expect(expected.ids == ["1", "s1", "3b", "7", "s3", "6"])
    for seed in 1...200 {
      var shuffled = Resolution(texts)
      shuffled.seed = UInt64(seed)
      #expect(try shuffled.run("top") == expected)
    }
  }

  @Test("VA-411, VA-412: n redirects allow n wrappers; one more is 302 to all of them and not fetched")
  func depth() throws {
    var texts: [String: String] = ["7": M.vast(M.inLine("x"))]
    for index in 1...6 { texts["\(index)"] = M.vast(M.wrapper("w\(index)", to: "\(index + 1)")) }
    var run = Resolution(texts)
    let six = try run.run("1")
    #expect(six.ids.isEmpty && six.owed == (1...6).map { "302 w\($0)-error" })
    #expect(!run.fetched.contains("https://t.test/7"))
    #expect(try run.run("2").ids == ["x"])
    run.policy.redirectLimit = 0
    #expect(try run.run("6").owed == ["302 w6-error"])
    var settings = AdsSettings(sessionID: "s")
    settings.maxRedirects = 99
    #expect(settings.redirectLimit == 20)
    settings.maxRedirects = -1
    #expect(settings.redirectLimit == 0)
  }

  @Test("VA-413: a wrapper to a URL already in its chain is 302 without a fetch")
  func loops() throws {
    var run = Resolution([
      "a": M.vast(M.wrapper("a", to: "b")), "b": M.vast(M.wrapper("b", to: "c")), "c": M.vast(M.wrapper("c", to: "b")),
    ])
    #expect(try run.run("a").owed == ["302 a-error", "302 b-error", "302 c-error"])
    #expect(run.fetched.count == 2)
  }

  @Test("VA-414: a wrapper behind followAdditionalWrappers=false is 303 to the whole chain")
  func followed() throws {
    var run = Resolution([
      "a": M.vast(M.wrapper("a", to: "b", "followAdditionalWrappers='false'")), "b": M.vast(M.wrapper("b", to: "c")),
      "c": M.vast(M.inLine("x")), "d": M.vast(M.wrapper("d", to: "c", "followAdditionalWrappers='false'")),
    ])
    #expect(try run.run("a").owed == ["303 a-error", "303 b-error"])
    #expect(try run.run("d").ids == ["x"])
  }

  @Test(
    "VA-415, VA-440: what a wrapper's answer fails with goes to the chain, outermost first, then to the answer's root")
  func failures() throws {
    var run = Resolution([
      "a": M.vast(M.wrapper("a", to: "b")), "b": M.vast(M.wrapper("b", to: "end")),
    ])
    let table: [(FetchOutcome, [String])] = [
      (.failed(.timedOut), ["301 a-error", "301 b-error"]), (.failed(.status(403)), ["300 a-error", "300 b-error"]),
      (.failed(.tooLarge), ["100 a-error", "100 b-error"]), (.empty, ["303 a-error", "303 b-error"]),
      (.document(VASTReader.read(Array("<VideoAdServingTemplate/>".utf8)), url: "u"), ["102 a-error", "102 b-error"]),
      (.document(VASTReader.read(Array("<html/>".utf8)), url: "u"), ["101 a-error", "101 b-error"]),
      (.document(VASTReader.read(Array("{}".utf8)), url: "u"), ["100 a-error", "100 b-error"]),
      (.document(VASTReader.read(Array("<VMAP/>".utf8)), url: "u"), ["101 a-error", "101 b-error"]),
      (
        .document(VASTReader.read(Array("<VAST version='3.0'><Error>root</Error></VAST>".utf8)), url: "u"),
        ["303 a-error", "303 b-error", "303 root"]
      ),
      (
        .document(VASTReader.read(Array("<VAST version='7'><Error>root</Error></VAST>".utf8)), url: "u"),
        ["102 a-error", "102 b-error", "102 root"]
      ),
      (
        .document(VASTReader.read(Array(M.vast(M.empty("x")).utf8)), url: "u"),
        ["303 a-error", "303 b-error", "303 x-error"]
      ),
    ]
    for (outcome, owed) in table {
      run.documents["https://t.test/end"] = outcome
      #expect(try run.run("a").owed == owed)
    }
    #expect(try Resolution(["x": "<VAST version='3.0'><Error>root</Error></VAST>"]).runOnce("x").owed == ["303 root"])
  }

  @Test("VA-416, VA-441: a URL gets a code once; each ad's failure goes to its own chain only")
  func owed() throws {
    var run = Resolution([
      "a": M.vast(M.wrapper("a", to: "b", sequence: 1), M.wrapper("c", to: "d", sequence: 2)),
      "b": "<VAST version='3.0'><Error>a-error</Error></VAST>", "d": M.vast(M.inLine("x")),
    ])
    let response = try run.run("a")
    #expect(response.owed == ["303 a-error"] && response.ids == ["x"])
  }

  @Test("VA-424: behind a wrapper that allows one ad, the first stand-alone plays, or of a pod what the policy says")
  func limited() throws {
    var run = Resolution([
      "w": M.vast(M.wrapper("w", to: "pod")), "m": M.vast(M.wrapper("w", to: "pod", "allowMultipleAds='true'")),
      "pod": M.vast(M.inLine("2", sequence: 2), M.inLine("1", sequence: 1), M.inLine("3", sequence: 3)),
      "w2": M.vast(M.wrapper("w", to: "mixed")),
      "mixed": M.vast(M.inLine("1", sequence: 1), M.inLine("x"), M.inLine("2", sequence: 2)),
    ])
    let first = try run.run("w")
    #expect(first.ids == ["1"] && first.ads.first?.sequence == nil)
    #expect(first.diagnostics.contains { $0.code == "wrapper.podLimited" && $0.message.contains("firstAd") })
    run.policy.wrapperPods = .strict
    #expect(try run.run("w").owed == ["303 w-error"])
    run.policy.wrapperPods = .playPod
    #expect(try run.run("w").ids == ["1", "2", "3"])
    #expect(try run.run("m").ids == ["1", "2", "3"], "VA-425")
    #expect(try run.run("w2").ids == ["x"])
  }

  @Test("VA-427: a wrapper of which some ads resolved keeps them")
  func partial() throws {
    var run = Resolution([
      "w": M.vast(M.wrapper("w", to: "pod", "allowMultipleAds='true'")),
      "pod": M.vast(M.empty("1", sequence: 1), M.inLine("2", sequence: 2)),
    ])
    let response = try run.run("w")
    #expect(response.ids == ["2"] && response.owed == ["303 w-error", "303 1-error"])
  }

  @Test("VA-432: a wrapper's number counts for the one ad behind it; a pod behind it keeps its own")
  func sequences() throws {
    var run = Resolution([
      "one": M.vast(M.inLine("a", sequence: 1), M.wrapper("w", to: "lone", sequence: 3)),
      "lone": M.vast(M.inLine("x", sequence: 1)),
      "pod": M.vast(M.inLine("a", sequence: 1), M.wrapper("w", to: "two", sequence: 3, "allowMultipleAds='1'")),
      "two": M.vast(M.inLine("x", sequence: 5), M.inLine("y", sequence: 6)),
    ])
    #expect(try run.run("one").ads.map(\.sequence) == [1, 3])
    #expect(try run.run("pod").ads.map(\.sequence) == [1, 5, 6])
  }

  @Test("VA-434: categories of wrappers and of the request block ads; a required one may be missing")
  func categories() throws {
    func run(_ block: String, _ category: String, _ change: (inout ResolutionPolicy) -> Void = { _ in }) throws
      -> VASTErrorCode?
    {
      var run = Resolution([
        "w": M.vast(M.wrapper("w", to: "x", "", block)), "x": M.vast(M.inLine("x", category)),
      ])
      change(&run.policy)
      return try run.run("w").failure
    }
    let block = "<BlockedAdCategories authority='iab'>1,2</BlockedAdCategories>"
    #expect(try run(block, "<Category authority='iab'>2</Category>") == .categoryBlocked)
    #expect(try run(block, "<Category>2</Category>") == .categoryBlocked)
    #expect(try run(block, "<Category authority='other'>2</Category>") == nil)
    #expect(try run(block, "<Category authority='iab'>3</Category>") == nil)
    #expect(try run(block, "") == nil)
    #expect(try run(block, "") { $0.requireCategories = true } == .categoryMissing)
    #expect(try run("", "") { $0.requireCategories = true } == nil)
    #expect(try run("", "<Category>9</Category>") { $0.blockedCategories = ["9"] } == .categoryBlocked)
  }

  @Test("VA-325, VA-442: ads of another kind than asked for do not play")
  func kinds() throws {
    func failure(_ creatives: String, _ attributes: String = "", _ change: (inout ResolutionPolicy) -> Void = { _ in })
      throws
      -> VASTErrorCode?
    {
      var run = Resolution(["x": M.vast("<Ad \(attributes)><InLine><Creatives>\(creatives)</Creatives></InLine></Ad>")])
      change(&run.policy)
      return try run.run("x").failure
    }
    let overlay = "<Creative><NonLinearAds><NonLinear/></NonLinearAds></Creative>"
    #expect(try failure("") == .noAds)
    #expect(try failure("<Creative/>") == .noAds)
    #expect(try failure(overlay) == nil)
    #expect(try failure(overlay) { $0.allowNonLinear = false } == .unexpectedLinearity)
    #expect(try failure("<Creative><CompanionAds><Companion/></CompanionAds></Creative>") == .unexpectedAdType)
    #expect(try failure("<Creative><Linear/></Creative>", "adType='audio'") == .unexpectedAdType)
    #expect(try failure("<Creative><Linear/></Creative>", "adType='audio'") { $0.adType = .audio } == nil)
    #expect(try failure("<Creative><Linear/></Creative>", "adType='hybrid'") == nil)
  }

  @Test("VA-506: a break's source may allow one ad, or no wrappers")
  func sources() throws {
    var run = Resolution([
      "pod": M.vast(M.inLine("1", sequence: 1), M.inLine("2", sequence: 2)),
      "w": M.vast(M.wrapper("w", to: "pod"), M.inLine("x")),
    ])
    run.policy.allowsMultipleAds = false
    #expect(try run.run("pod").ids == ["1"])
    run.policy.allowsMultipleAds = true
    run.policy.followsRedirects = false
    let response = try run.run("w")
    #expect(response.ids == ["x"] && response.owed == ["303 w-error"] && run.fetched.isEmpty)
  }

  @Test("VA-214, VA-215: four documents at a time; when time is up the rest gets 304 and the others play")
  func time() throws {
    let top = M.vast((1...6).map { (n: Int) in M.wrapper("w\(n)", to: "d\(n)", sequence: n) }.joined(), M.inLine("s"))
    var run = Resolution(["top": top, "d1": M.vast(M.inLine("1"))])
    _ = try run.run("top")
    #expect(run.mostAtOnce == 4)
    guard case .document(let result, let url) = run.documents["https://t.test/top"],
      case .vast(let document) = result.content,
      let answer = run.documents["https://t.test/d1"]
    else { return #expect(Bool(false)) }
    var resolver = ChainResolver(policy: ResolutionPolicy())
    #expect(resolver.start(document, url: url).count == 4)
    #expect(resolver.fetched(0, answer).count == 1)
    guard case .finish(let response) = resolver.timeUp().last else { return #expect(Bool(false)) }
    #expect(response.ids == ["1"] && response.spares.map(\.ad.id) == ["s"])
    #expect(response.owed == (2...6).map { "304 w\($0)-error" })
    #expect(resolver.fetched(1, answer).isEmpty && resolver.timeUp().isEmpty)
  }

  @Test("VA-423: a spare is resolved when it is needed, under the wrappers above it")
  func laterSpares() throws {
    var run = Resolution([
      "w": M.vast(M.wrapper("w", to: "two", "allowMultipleAds='true'")),
      "two": M.vast(M.inLine("1"), M.wrapper("s", to: "x")), "x": M.vast(M.inLine("x")),
    ])
    let spare = try #require(try run.run("w").spares.first)
    #expect(!run.fetched.contains("https://t.test/x"))
    var resolver = ChainResolver(policy: run.policy)
    let response = try run.finish(&resolver, resolver.start(spare))
    #expect(response.ids == ["x"] && response.ads.first?.wrapperAdIDs == ["w", "s"])
  }

  @Test("VA-413: a wrapper that names the ad tag itself is a loop, found without asking again")
  func loopToTheAdTag() throws {
    let tag = " https://t.test/self?cb=[CACHEBUSTING]\n"
    let text = M.vast(M.wrapper("w", to: "https://t.test/self?cb=[CACHEBUSTING]"))
    guard case .vast(let document) = VASTReader.read(text: text).content else { return #expect(Bool(false)) }
    var resolver = ChainResolver(policy: ResolutionPolicy())
    var run = Resolution()
    let response = try run.finish(&resolver, resolver.start(document, url: "https://t.test/self?cb=1", adTag: tag))
    #expect(run.fetched.isEmpty && response.owed == ["302 w-error"] && response.failure == .tooManyWrappers)
  }

  @Test("VA-807: trackers that are never sent are told of with the resolution, an event and a reason once")
  func refusedTrackers() throws {
    let tracking = ["file:///x", "javascript:a()", "https://t.test/ok", "about:blank"].map {
      "<Tracking event='start'>\($0)</Tracking>"
    }.joined()
    let ad = Markup.full(
      "a", "<Impression>ftp://t.test/i</Impression><Impression>https:///x</Impression>",
      linear: "<TrackingEvents>\(tracking)</TrackingEvents>")
    var run = Resolution(["x": M.vast(ad)])
    let refused = try run.run("x").diagnostics.filter { $0.code == "tracking.refused" }
    #expect(
      refused.map(\.message) == [
        "A tracker of impression of ad 'a' is not sent: its scheme is neither http nor https.",
        "A tracker of impression of ad 'a' is not sent: it has no host.",
        "A tracker of start of ad 'a' is not sent: its scheme is neither http nor https.",
      ])
    #expect(refused.allSatisfy { $0.adID == "a" && $0.severity == .warning && $0.path == "/VAST/Ad[1]" })
  }

  @Test("VA-202: trackers, media and clicks that are used in another form than written are told of, an event once")
  func repairedURLs() throws {
    let tracking = [
      "https://t.test/a b", "https://t.test/c d", "https://t.test/?c=[CACHEBUSTING]&d=%%TIMESTAMP%%",
      "ftp://t.test/a b",
    ].map { "<Tracking event='start'>\($0)</Tracking>" }.joined()
    let clicks = "<VideoClicks><ClickThrough>https://t.test/%zz</ClickThrough></VideoClicks>"
    let ad = Markup.full(
      "a",
      "<Impression>https://t.test/ok?u=https://x.test/[RANDOM]</Impression>"
        + "<Impression><![CDATA[https://t.test/x&amp;y]]></Impression>",
      linear: "<TrackingEvents>\(tracking)</TrackingEvents>\(clicks)"
    ).replacing("https://m.test/a.mp4", with: "https://m.test/a|b.mp4")
    var run = Resolution(["x": M.vast(M.empty("0"), ad)])
    let repaired = try run.run("x").diagnostics.filter { $0.code == "url.repaired" }
    #expect(
      repaired.map(\.message)
        == ["impression", "start", "media", "clickThrough"].map { "A URL of \($0) of ad 'a' was made legal." })
    #expect(repaired.allSatisfy { $0.adID == "a" && $0.severity == .repair && $0.path == "/VAST/Ad[2]" })
  }

  @Test("VA-330: what is told of an ad names its id and its place in its document")
  func places() throws {
    let twice = M.inLine("b", "<Impression>b-imp</Impression>")
    var run = Resolution(["x": M.vast(M.empty("long"), twice)])
    let told = try run.run("x").diagnostics.filter { ["ad.failed", "tracking.duplicate"].contains($0.code) }
    #expect(
      told.map(\.message) == [
        "Ad 'long' does not play: noAds.", "A URL of impression of ad 'b' is tracked twice; once counts.",
      ])
    #expect(told.map(\.path) == ["/VAST/Ad[1]", "/VAST/Ad[2]"] && told.map(\.adID) == ["long", "b"])
  }
}

extension Resolution {
  func runOnce(_ name: String) throws -> ResolvedResponse {
    var copy = self
    return try copy.run(name)
  }
}
