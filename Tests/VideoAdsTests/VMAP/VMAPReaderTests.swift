import Testing

@testable import VideoAds

@Suite struct VMAPReaderTests {
  @Test(
    "VA-501: a break's time is start, end, a time, a percent or an opportunity",
    arguments: [
      ("start", .start), (" START ", .start), ("0%", .start), ("00:00:00", .start), ("end", .end), ("100%", .end),
      ("00:10:23.125", .time(623_125)), ("50%", .fraction(0.5)), ("#2", .opportunity(2)),
    ] as [(String, VMAP.Offset)])
  func offsets(_ text: String, _ expected: VMAP.Offset) throws {
    #expect(try adBreak("timeOffset='\(text)'").offset == expected)
  }

  @Test("VA-501: a blank time is VMAP 1000, an unreadable one 1002; other breaks stay")
  func rejections() throws {
    for (attributes, code) in [
      ("", VMAPErrorCode.invalidStructure), ("timeOffset=' '", .invalidStructure), ("timeOffset='soon'", .malformed),
      ("timeOffset='#0'", .malformed), ("timeOffset='101%'", .malformed),
    ] {
      let item = try adBreak(attributes, "<TrackingEvents><Tracking event='error'>e</Tracking></TrackingEvents>")
      #expect(item.rejection == code && item.offset == nil, "\(attributes)")
      #expect(item.tracking.map(\.event) == [.error])
    }
  }

  @Test("VA-309: ads stand in the playlist as elements or as text, or behind a URL")
  func sources() throws {
    let vast = "<VAST version='3.0'><Ad id='a'><InLine/></Ad></VAST>"
    for data in [vast, "<![CDATA[\(vast)]]>", "<v:\(vast.dropFirst().dropLast(7))</v:VAST>"] {
      for name in ["VASTAdData", "vmap:VASTData"] {
        let item = try adBreak("timeOffset='start'", "<AdSource><\(name)>\(data)</\(name)></AdSource>")
        guard case .document(let document) = item.source?.content else { return #expect(Bool(false)) }
        #expect(document.ads.map(\.id) == ["a"])
      }
    }
    let tag = try adBreak(
      "timeOffset='start'",
      "<AdSource id='s' allowMultipleAds='false' followRedirects='0'><AdTagURI templateType='vast3'> u </AdTagURI></AdSource>"
    )
    #expect(tag.source?.content == .adTag("u", template: "vast3"))
    #expect(tag.source?.allowsMultipleAds == false && tag.source?.followsRedirects == false && tag.source?.id == "s")
    #expect(
      try adBreak("timeOffset='start'", "<AdSource><CustomAdData/></AdSource>").source?.content
        == .custom(template: nil))
    #expect(try adBreak("timeOffset='start'", "<AdSource/>").rejection == .invalidStructure)
    #expect(try adBreak("timeOffset='start'").source == nil)
  }

  @Test("VA-309: ads in the playlist that cannot be read say why")
  func unreadable() throws {
    for (data, code) in [
      ("<VAST version='5.0'/>", VASTErrorCode.unsupportedVersion), ("<VideoAdServingTemplate/>", .unsupportedVersion),
      ("", .malformed), ("<![CDATA[{}]]>", .malformed), ("<![CDATA[<html/>]]>", .invalidStructure),
    ] {
      let item = try adBreak("timeOffset='start'", "<AdSource><VASTAdData>\(data)</VASTAdData></AdSource>")
      #expect(item.source?.content == .unreadable(VAST.Failure(code)), "\(data)")
    }
  }

  @Test("VA-541: repeatAfter counts only as HH:MM:SS[.mmm] from a second on, and not with end")
  func repetition() throws {
    for (text, expected) in [
      ("00:00:05", 5_000), ("00:00:01.500", 1_500), ("00:00:", nil), ("1337", nil), ("apple", nil), ("", nil),
      ("0:00:05", nil), ("00:00:00.999", nil), ("00:00:90", nil),
    ] as [(String, Int64?)] {
      #expect(try adBreak("timeOffset='start' repeatAfter='\(text)'").repeatAfter == expected, "\(text)")
    }
    #expect(try adBreak("timeOffset='end' repeatAfter='00:00:05'").repeatAfter == nil)
  }

  @Test("VA-322: a break with a missing end tag is lost with 1002, others stay; a version other than 1 is 1001")
  func damage() {
    let good = "<AdBreak timeOffset='start' breakId='g'/>"
    let text = "<VMAP version='1.0'>\(good)<AdBreak timeOffset='end' breakId='x'><AdSource></AdBreak>\(good)</VMAP>"
    guard case .vmap(let playlist) = VASTReader.read(Array(text.utf8)).content else { return #expect(Bool(false)) }
    #expect(playlist.breaks.map(\.rejection) == [nil, .malformed, nil])
    let newer = VASTReader.read(Array("<VMAP version='2.0'>\(good)</VMAP>".utf8)).content
    #expect(newer == .playlistFailure(VMAP.Failure(.unsupportedVersion)))
    let cut = VASTReader.read(Array("<VMAP><AdBreak timeOffset='start'>".utf8)).content
    #expect(cut == .playlistFailure(VMAP.Failure(.malformed)))
  }

  private func adBreak(_ attributes: String, _ content: String = "") throws -> VMAP.AdBreak {
    let text =
      "<vmap:VMAP xmlns:vmap='v' version='1.0'><vmap:AdBreak \(attributes)>\(content)</vmap:AdBreak></vmap:VMAP>"
    guard case .vmap(let playlist) = VASTReader.read(Array(text.utf8)).content else { throw UnexpectedResult() }
    return try #require(playlist.breaks.first)
  }

  private struct UnexpectedResult: Error {}
}
