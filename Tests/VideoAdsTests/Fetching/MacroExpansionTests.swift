import Hits
import Testing

@testable import VideoAds

@Suite struct MacroExpansionTests {
  static let facts: MacroFacts = {
    let time = HitTime(wallMilliseconds: 1_709_210_096_789, ageClock: 0, boot: BootID("b"), utcOffset: 7_200)
    var settings = AdsSettings(sessionID: "s")
    settings.playerType = "TV"
    settings.playerVersion = "2"
    settings.storeID = "42"
    var request = RequestFacts(transactionID: "0af7651916cd43dd", correlator: "1")
    request.desiredCategories = ["IAB1", "IAB 2"]
    request.breakLimits.maxDuration = 60.9
    request.adWillAutoPlay = true
    request.adWillPlayMuted = true
    var facts = MacroFacts(time: time, settings: settings, request: request)
    facts.content.position = 321_123
    facts.player.mimeTypes = ["video/mp4", "application/x-mpegURL"]
    facts.player.capabilities = ["skip", "autoplay"]
    facts.container = MacroFacts.Container(size: AdSize(width: 639.6, height: 360))
    return facts
  }()

  static func expand(_ text: String, _ scope: MacroScope = .tracking, _ change: (inout MacroFacts) -> Void = { _ in })
    -> String
  {
    var facts = Self.facts
    change(&facts)
    return MacroExpansion(facts, scope: scope, random: SeededRandomSource(seed: 1)).expand(text)
  }

  @Test(
    "VA-811, VA-813: each macro has its value, encoded once",
    arguments: [
      ("[TIMESTAMP]", "2024-02-29T14%3A34%3A56.789%2B02"), ("[timestamp]", "1709210096789"),
      ("[CONTENTPLAYHEAD]", "00%3A05%3A21.123"), ("[MEDIAPLAYHEAD]", "00%3A05%3A21.123"), ("[BREAKPOSITION]", "0"),
      ("[TRANSACTIONID]", "0af7651916cd43dd"), ("[PLACEMENTTYPE]", "1"), ("[ADTYPE]", "video"),
      ("[BREAKMAXDURATION]", "60"), ("[BREAKMAXADS]", "-1"), ("[IFA]", "-1"), ("[SERVERUA]", "0"), ("[DEVICEIP]", "0"),
      ("[CLIENTUA]", "TV%2F2%20Tagworks%2F1.0.0"), ("[DOMAIN]", "0"), ("[APPBUNDLE]", "0"),
      ("[OMIDPARTNER]", "unknown"),
      ("[PLAYERCAPABILITIES]", "skip,autoplay,mautoplay"), ("[INVENTORYSTATE]", "mautoplayed"),
      ("[PLAYERSIZE]", "640,360"),
      ("[CONTENTID]", "-1"), ("[STOREID]", "42"), ("[PLAYBACKMETHODS]", "2"), ("[REGULATIONS]", "-1"),
      ("[LIMITADTRACKING]", "-1"), ("[ADPLAYHEAD]", "-1"), ("[UNIVERSALADID]", "-1"), ("[CLICKTYPE]", "1"),
    ])
  func values(_ template: String, _ expected: String) {
    #expect(Self.expand(template) == expected)
  }

  @Test(
    "VA-811: a macro outside its kinds of URL counts as unknown, but ERRORCODE and REASON stay",
    arguments: [
      ("[ADCATEGORIES]", "IAB1,IAB%202", "-1"), ("[MEDIAMIME]", "video%2Fmp4,application%2Fx-mpegURL", "-1"),
      ("[VASTVERSIONS]", "2,3,5,6,7,8,11,12,13,14,15,16", "-1"), ("[APIFRAMEWORKS]", "-1", "-1"),
      ("[EXTENSIONS]", "AdVerifications,UniversalAdId,Icon", "-1"), ("[BLOCKEDADCATEGORIES]", "-1", "-1"),
      ("[ASSETURI]", "-1", "https%3A%2F%2Fa.test%2Fv.mp4"), ("[ADSERVINGID]", "-1", "x%2Fy"),
      ("[ADPLAYHEAD]", "-1", "00%3A00%3A01.500"), ("[ADCOUNT]", "-1", "2"), ("[PODSEQUENCE]", "-1", "3"),
      ("[UNIVERSALADID]", "-1", "ad-id%20A%201,unknown%20unknown"), ("[CLICKPOS]", "-1", "-1"),
      ("[ERRORCODE]", "[ERRORCODE]", "[ERRORCODE]"), ("[REASON]", "[REASON]", "[REASON]"), ("[ERROR_MSG]", "-1", "-1"),
    ])
  func kinds(_ template: String, _ request: String, _ tracking: String) {
    func ad(_ facts: inout MacroFacts) {
      facts.ad = MacroFacts.Ad(
        universalIDs: [
          VAST.UniversalAdID(value: "A 1", registry: "ad-id"),
          VAST.UniversalAdID(value: "unknown", registry: "unknown"),
        ], servingID: "x/y", podSequence: 3, assetURL: "https://a.test/v.mp4", position: 1_500, startedCount: 2,
        clickPoint: (3, 4))
    }
    #expect(Self.expand(template, .request) == request)
    #expect(Self.expand(template, .tracking, ad) == tracking)
    if template == "[CLICKPOS]" { #expect(Self.expand(template, .clickTracking, ad) == "3,4") }
  }

  @Test("VA-810: three spellings, exact names; VA-812: everything else stays")
  func syntax() {
    #expect(Self.expand("a%%TIMESTAMP%%b") == "a2024-02-29T14%3A34%3A56.789%2B02b")
    #expect(Self.expand("%5BADTYPE%5D %5badtype%5d %5bADTYPE%5d") == "video %5badtype%5d video")
    for text in [
      "[FOO]", "[Timestamp]", "[TIMESTAMP", "TIMESTAMP]", "${X}", "<% x %>", "%%FOO%%", "[]", "[[", "%5B", "%",
    ] {
      #expect(Self.expand(text) == text)
    }
    #expect(Self.expand("[[ADTYPE]]") == "[video]")
  }

  @Test("VA-808: the random number is one inside a URL, and eight digits")
  func cacheBuster() throws {
    let parts = Self.expand("[CACHEBUSTING]/[RANDOM]/[random]/[CACHEBUSTER]").split(separator: "/")
    #expect(Set(parts).count == 1 && parts.count == 4)
    #expect(10_000_000...99_999_999 ~= (try #require(Int(parts[0]))))
  }

  @Test("VA-548, VA-1702: error codes outside 100 to 999 are 900; in playlists both names give the playlist's code")
  func errors() {
    #expect(Self.expand("[ERRORCODE]", .error(303)) == "303")
    #expect(Self.expand("[ERRORCODE]", .error(10_001)) == "900")
    #expect(Self.expand("[ERRORCODE]/[ERROR_CODE]", .playlistError(.timedOut)) == "1007/1007")
    #expect(Self.expand("[ERROR_MSG]", .playlistError(.undefined)) == "Undefined%20error")
    #expect(Self.expand("[REASON]", .verificationNotExecuted(reason: 2)) == "2")
  }

  @Test("VA-1202 to VA-1204: ids and place go out only when everything permits it")
  func privacy() {
    func privacy(_ change: (inout PrivacySignals) -> Void) -> PrivacySignals {
      var signals = PrivacySignals()
      signals.advertisingID = PrivacySignals.AdvertisingID(id: "id", type: "idfa")
      signals.location = PrivacySignals.Location(latitude: 52.520008, longitude: -13)
      signals.isTrackingAuthorized = true
      change(&signals)
      return signals
    }
    let table: [(PrivacySignals, String)] = [
      (privacy { _ in }, "id/idfa/52.52,-13"), (privacy { $0.coppa = true }, "-2/-2/-2"),
      (privacy { $0.limitAdTracking = true }, "-2/-2/-2"),
      (privacy { $0.isTrackingAuthorized = false }, "-2/-2/52.52,-13"),
      (
        privacy { $0.tcf = PrivacySignals.TCF(gdprApplies: true, tcString: "t", purposes: [1]) }, "-2/-2/52.52,-13"
      ),
      (
        privacy { $0.tcf = PrivacySignals.TCF(gdprApplies: true, tcString: "t", purposes: [1, 4]) }, "id/idfa/52.52,-13"
      ),
      (privacy { $0.tcf = PrivacySignals.TCF(gdprApplies: false, tcString: "t") }, "id/idfa/52.52,-13"),
    ]
    for (signals, expected) in table {
      #expect(Self.expand("[IFA]/[IFATYPE]/[LATLONG]") { $0.privacy = signals } == expected)
    }
    let signals = privacy {
      $0.coppa = true
      $0.tcf = PrivacySignals.TCF(gdprApplies: true, tcString: "CO+")
      $0.gpp = PrivacySignals.GPP(string: "DB", sectionIDs: [2, 6])
      $0.dsa = PrivacySignals.DSA(required: 2, parameters: [1, 3], publisherRenders: 1)
    }
    let text = "[REGULATIONS]/[GDPRCONSENT]/[GPPSTRING]/[GPPSECTIONID]"
    #expect(Self.expand(text) { $0.privacy = signals } == "coppa,gdpr/CO%2B/DB/2,6")
    #expect(Self.expand("[DSAREQUIRED]/[DSAPARAMS]/[DSAPUBRENDER]", .request) { $0.privacy = signals } == "2/1_3/1")
  }

  @Test("VA-1702: a timestamp states its zone, with minutes where it has some")
  func zones() {
    for (offset, expected) in [(0, "12:34:56.789+00"), (-12_600, "09:04:56.789-03:30"), (20_700, "18:19:56.789+05:45")]
    {
      let text = Self.expand("[TIMESTAMP]") { $0.time.utcOffset = offset }
      #expect(text.replacing("%3A", with: ":").replacing("%2B", with: "+").hasSuffix("T" + expected), "\(text)")
    }
    #expect(Self.expand("[TIMESTAMP]") { $0.time.wallMilliseconds = -1 }.hasPrefix("1970-01-01T01%3A59%3A59.999"))
  }
}
