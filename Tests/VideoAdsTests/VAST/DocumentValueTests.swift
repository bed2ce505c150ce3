import Testing

@testable import VideoAds

@Suite struct DocumentValueTests {
  @Test(
    "VA-311: times are read in every form that is seen",
    arguments: [
      ("00:00:30.0", 30_000), ("0:0:25", 25_000), (" 00:00:16 ", 16_000), ("00:00:20.32", 20_320),
      ("00:00:15.333", 15_333), ("00:00:15.3339", 15_333), ("30", 30_000), ("1:30", 90_000), ("00:00:90", 90_000),
      ("01:30:15.000", 5_415_000), ("24:00:00", 86_400_000), ("0", 0), ("12.5", 12_500), ("00:00:05.", 5_000),
    ] as [(String, Int64)])
  func times(_ text: String, _ expected: Int64) { #expect(DocumentValue.time(text)?.milliseconds == expected) }

  @Test(
    "VA-311: what is no time is unset",
    arguments: [
      "422001:02:01", "undefined", "", " ", "-5", "00:00:-5", "25:00:00", "24:00:00.001", "1:2:3:4", ":30", "00:",
      "1 2",
      "100:00", "99999999999", "00:00:1e3", "+5",
    ])
  func noTimes(_ text: String) { #expect(DocumentValue.time(text) == nil) }

  @Test("VA-311: minutes and seconds beyond 59 are unusual")
  func unusual() {
    #expect(DocumentValue.time("00:00:90")?.isUnusual == true)
    #expect(DocumentValue.time("00:99:00")?.isUnusual == true)
    #expect(DocumentValue.time("90")?.isUnusual == false)
    #expect(DocumentValue.time("00:59:59")?.isUnusual == false)
  }

  @Test("VA-312: percents are 0 to 100, with a fraction and blanks around")
  func fractions() {
    let table: [(String, Double?)] = [
      ("20%", 0.2), ("12.5%", 0.125), ("70% ", 0.7), ("0%", 0), ("100%", 1), ("101%", nil), ("-5%", nil), ("%", nil),
      ("abc%", nil), ("20", nil), ("1e1%", nil),
    ]
    for (text, expected) in table { #expect(DocumentValue.fraction(text) == expected, "\(text)") }
  }

  @Test("VA-314: whole numbers may carry px or a fraction; booleans have three spellings each")
  func numbers() {
    let table: [(String, Int?)] = [
      ("300", 300), (" 300 ", 300), ("300px", 300), ("300 PX", 300), ("300.5", 300), ("300.5px", 300), ("0", 0),
      ("", nil), ("px", nil), ("-1", nil), ("3em", nil), ("99999999999999999999", nil),
    ]
    for (text, expected) in table { #expect(DocumentValue.integer(text) == expected, "\(text)") }
    for text in ["true", "1", "YES"] { #expect(DocumentValue.boolean(text) == true) }
    for text in ["False", "0", "no"] { #expect(DocumentValue.boolean(text) == false) }
    #expect(DocumentValue.boolean("maybe") == nil)
  }

  @Test("VA-315: a MIME type has one spelling; without one the path's extension tells")
  func types() {
    for text in [
      "application/x-mpegURL", "application/vnd.apple.mpegurl", "x-mpegurl", "mpegurl", "audio/mpegurl",
      "audio/x-mpegurl", "vnd.apple.mpegurl",
    ] {
      #expect(DocumentValue.mimeType(text) == "application/vnd.apple.mpegurl")
    }
    for text in ["mp4", "video/x-mp4", "video/m4v", "video/MP4", " video/mp4 ; codecs=\"avc1\" "] {
      #expect(DocumentValue.mimeType(text) == "video/mp4")
    }
    #expect(DocumentValue.mimeType(" ") == nil)
    #expect(DocumentValue.typeByPath("https://a.test/b.M3U8?x=y.mp4#z") == "application/vnd.apple.mpegurl")
    #expect(DocumentValue.typeByPath("https://a.test/b.webm") == "video/webm")
    #expect(DocumentValue.typeByPath("https://a.test/b") == nil)
  }

  @Test("VA-316: event names lose their legacy and misspelled forms; unknown ones stay")
  func events() {
    let table: [(String, VAST.TrackingEvent, VAST.TrackingEvent)] = [
      ("fullscreen", .playerExpand, .adExpand), ("expand", .playerExpand, .adExpand),
      ("exitFullscreen", .playerCollapse, .adCollapse), ("collapse", .playerCollapse, .adCollapse),
      ("close", .closeLinear, .close), ("acceptInvitationLinear", .acceptInvitation, .acceptInvitation),
      ("firstQuartil", .firstQuartile, .firstQuartile), ("first-quartile", .firstQuartile, .firstQuartile),
      ("third_quartile", .thirdQuartile, .thirdQuartile), ("MID POINT", .midpoint, .midpoint),
      ("creativeview", .creativeView, .creativeView),
      ("my-Event", VAST.TrackingEvent(rawValue: "my-Event"), VAST.TrackingEvent(rawValue: "my-Event")),
    ]
    for (name, linear, nonLinear) in table {
      #expect(VAST.TrackingEvent.named(name, in: .linear) == linear, "\(name)")
      #expect(VAST.TrackingEvent.named(name, in: .nonLinear) == nonLinear, "\(name)")
    }
    #expect(VAST.TrackingEvent.named("timeSpentViewing", in: .linear) == .progress)
  }
}
