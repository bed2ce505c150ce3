import Testing

@testable import VideoAds

@Suite struct VASTReaderTests {
  @Test(
    "VA-301: versions 2 to 4 are read, also without one; others are 102",
    arguments: [
      ("<VAST version='2.0'/>", nil), ("<VAST version='4.3'/>", nil), ("<VAST version='3'/>", nil), ("<VAST/>", nil),
      ("<VAST version='x'/>", nil), ("<VAST version='1.0'/>", 102), ("<VAST version='0.9'/>", 102),
      ("<VAST version='5.0'/>", 102), ("<VideoAdServingTemplate/>", 102), ("<html><VAST/></html>", 101),
      ("<MPD/>", 101), ("<VAST version='99999999999999999999999.0'/>", 102), ("<VAST version='-1.0'/>", 102),
      ("<VAST version='99999999999999999999999x'/>", nil),
    ] as [(String, Int?)])
  func versions(_ text: String, _ code: Int?) {
    if case .failure(let failure) = read(text).content {
      #expect(failure.code.rawValue == code)
    } else {
      #expect(code == nil)
    }
  }

  @Test("VA-302: names match whatever their prefix, namespace and case")
  func names() throws {
    let ad = try ad("<v:inline xmlns:v='x'><ADTITLE>t</ADTITLE><v:Impression ID='i'>u</v:Impression></v:inline>")
    #expect(ad.impressions == [VAST.Link("u", id: "i")])
    guard case .inLine(let inLine) = ad.content else { return #expect(Bool(false)) }
    #expect(inLine.title == "t")
  }

  @Test("VA-303: unknown elements are skipped with what is inside; extensions are kept as trees")
  func unknown() throws {
    let ad = try ad(
      """
      <InLine><X><AdTitle>no</AdTitle></X><AdTitle>t</AdTitle><Extensions><Extension type="geo" a="b"><Country c='1'>
      <![CDATA[ US ]]></Country>text<City/></Extension></Extensions></InLine>
      """)
    let item = try #require(ad.extensions.first)
    #expect(item.type == "geo")
    #expect(item.element.attributes.map(\.name) == ["type", "a"])
    #expect(item.element.text == "text")
    #expect(item.element.children.map(\.name) == ["Country", "City"])
    #expect(item.element.children.first?.text == "US")
    guard case .inLine(let inLine) = ad.content else { return #expect(Bool(false)) }
    #expect(inLine.title == "t")
  }

  @Test("VA-305, VA-307: blank URLs are dropped, the first of a single value counts, containers add up")
  func singles() throws {
    let text = """
      <VAST version="4.2"><Ad><InLine><AdTitle> </AdTitle><AdTitle>a</AdTitle><AdTitle>b</AdTitle>
      <Impression><![CDATA[]]></Impression><Error>e1</Error><Creatives><Creative id="1"/></Creatives>
      <Creatives><Creative id="2"/></Creatives><Error>e2</Error></InLine></Ad></VAST>
      """
    let result = read(text)
    guard case .vast(let document) = result.content, let ad = document.ads.first, case .inLine(let inLine) = ad.content
    else { return #expect(Bool(false)) }
    #expect(inLine.title == "a")
    #expect(ad.impressions.isEmpty)
    #expect(ad.errors == ["e1", "e2"])
    #expect(ad.creatives.map(\.id) == ["1", "2"])
    #expect(result.diagnostics.map(\.code) == ["vast.duplicate", "vast.missing", "vast.missing"])
  }

  @Test("VA-308: wrappers take their defaults and their legacy URL elements")
  func wrappers() throws {
    for tag in [
      "<VASTAdTagURI>u</VASTAdTagURI>", "<VASTAdTagURL>u</VASTAdTagURL>",
      "<VASTAdTagURL><URL> <![CDATA[u]]></URL></VASTAdTagURL>",
    ] {
      let ad = try ad("<Wrapper>\(tag)</Wrapper>")
      guard case .wrapper(let wrapper) = ad.content else { return #expect(Bool(false)) }
      #expect(wrapper == VAST.Wrapper(adTagURL: "u"))
    }
    let ad = try ad(
      """
      <Wrapper followAdditionalWrappers="0" allowMultipleAds="true" fallbackOnNoAd="no"><VASTAdTagURI>u</VASTAdTagURI>
      <BlockedAdCategories authority="a">1, 2 3</BlockedAdCategories></Wrapper>
      """)
    guard case .wrapper(let wrapper) = ad.content else { return #expect(Bool(false)) }
    #expect(!wrapper.followsWrappers && wrapper.allowsMultipleAds && !wrapper.fallsBackOnNoAd)
    #expect(wrapper.blockedCategories.map(\.code) == ["1", "2", "3"])
    #expect(wrapper.blockedCategories.allSatisfy { $0.authority == "a" })
  }

  @Test("VA-310: extensions of 2.0 and 3.0 with a meaning become what later versions have elements for")
  func meanings() throws {
    let ad = try ad(
      """
      <InLine><Creatives><Creative id="c1"><CompanionAds/></Creative><Creative id="c2"><Linear><MediaFiles>
      <MediaFile id="m">f.mp4</MediaFile></MediaFiles></Linear></Creative></Creatives><Extensions>
      <Extension type="adverifications"><AdVerifications><Verification vendor="v"><JavaScriptResource apiFramework="omid">
      s.js</JavaScriptResource><TrackingEvents><Tracking event="verificationNotExecuted">n</Tracking></TrackingEvents>
      <VerificationParameters>p</VerificationParameters></Verification></AdVerifications></Extension>
      <Extension type="UniversalAdId"><UniversalAdId idRegistry="r" creativeId="c1">x</UniversalAdId></Extension>
      <Extension name="Icon"><Icon program="AdChoices"><StaticResource>i.png</StaticResource></Icon></Extension>
      <Extension type="Mezzanine"><Mezzanine mediaFileId="m">z.mov</Mezzanine></Extension>
      <Extension type="InteractiveCreativeFile"><InteractiveCreativeFile apiFramework="SIMID">x.html
      </InteractiveCreativeFile></Extension></Extensions></InLine>
      """)
    #expect(ad.extensions.count == 5)
    let verification = try #require(ad.verifications.first)
    #expect(verification.vendor == "v" && verification.scripts.map(\.url) == ["s.js"])
    #expect(verification.notExecuted == ["n"] && verification.parameters == "p")
    #expect(ad.creatives[0].universalAdIDs == [VAST.UniversalAdID(value: "x", registry: "r")])
    let linear = try #require(ad.creatives[1].linear)
    #expect(linear.icons.map(\.program) == ["AdChoices"])
    #expect(linear.icons.first?.resources == [.file(url: "i.png", type: "image/png")])
    #expect(linear.mezzanines.map(\.url) == ["z.mov"])
    #expect(linear.interactiveFiles.map(\.source) == [.url("x.html")])
  }

  @Test("VA-313: an unreadable skipoffset is none, an unreadable progress is dropped, other offsets are ignored")
  func offsets() throws {
    let ad = try ad(
      """
      <InLine><Creatives><Creative><Linear skipoffset="soon"><TrackingEvents><Tracking event="progress" offset="">a
      </Tracking><Tracking event="progress" offset="x">b</Tracking><Tracking event="progress" offset="60%">c</Tracking>
      <Tracking event="start" offset="00:00:05">d</Tracking><Tracking event="error">e</Tracking></TrackingEvents></Linear>
      </Creative></Creatives></InLine>
      """)
    let linear = try #require(ad.creatives.first?.linear)
    #expect(linear.skipOffset == nil)
    #expect(linear.tracking.map(\.url) == ["c", "d"])
    #expect(linear.tracking.map(\.offset) == [.fraction(0.6), nil])
    #expect(ad.errors == ["e"])
  }

  @Test("VA-322: an ad with a missing end tag is lost with 100, its Error URLs before the damage are kept, others stay")
  func damage() throws {
    let good = "<Ad id='good'><InLine><AdTitle>t</AdTitle></InLine></Ad>"
    let damaged = [
      "<Ad id='x'><InLine><Error>e1</Error><Creatives><Creative></Creatives><Error>e2</Error></InLine></Ad>",
      "<Ad id='x'><InLine><Error>e1</Error><Creatives><Error>e2</Error>",
      "<Ad id='x'><InLine><Error>e1</Error><Extensions><Price>1</Price></InLine></Ad>",
    ]
    for text in damaged {
      let result = read("<VAST version='3.0'>\(good)\(text)\(good)</VAST>")
      guard case .vast(let document) = result.content, document.ads.count == 3 else { return #expect(Bool(false)) }
      #expect(document.ads.map(\.id) == ["good", "x", "good"])
      #expect(document.ads[1].content == .unusable(.malformed) && document.ads[1].errors == ["e1"])
      #expect(result.diagnostics.contains { $0.code == "xml.missingEnd" && $0.severity == .error })
    }
  }

  @Test("VA-322: damage inside an extension or HTML costs that element alone")
  func opaqueDamage() throws {
    let ad = try ad(
      """
      <InLine><Creatives><Creative><CompanionAds><Companion id="c"><HTMLResource><p><b>x</HTMLResource></Companion>
      </CompanionAds></Creative></Creatives><Extensions><Extension type="bad"><a><b></a><Ad></Extension><Extension
      type="good"><a/></Extension></Extensions></InLine>
      """)
    #expect(ad.extensions.map(\.type) == ["good"])
    #expect(ad.creatives.first?.companionAds?.companions.map(\.id) == ["c"])
    #expect(ad.creatives.first?.companionAds?.companions.first?.resources.isEmpty == true)
  }

  @Test("VA-320 xml.truncated, VA-323: complete ads of a truncated document are kept; without one it is 100")
  func truncation() {
    let whole = "<VAST version='3.0'><Error>r</Error><Ad id='1'><InLine/></Ad>"
    guard case .vast(let document) = read(whole + "<Ad id='2'><InLine><Error>e</Error>").content else {
      return #expect(Bool(false))
    }
    #expect(document.ads.map(\.id) == ["1", "2"])
    #expect(document.ads[1].content == .unusable(.malformed) && document.ads[1].errors == ["e"])
    let cut = read("<VAST version='3.0'><Error>r</Error><Ad><InLine><Error>e</Error><Creatives>").content
    #expect(cut == .failure(VAST.Failure(.malformed, errors: ["e", "r"])))
  }

  @Test("VA-324: ads without content, and wrappers without a URL, are 101; other ads stay")
  func structure() {
    let text =
      "<VAST version='3.0'><Ad/><Ad><Wrapper><VASTAdTagURI> </VASTAdTagURI></Wrapper></Ad><Ad><InLine/></Ad></VAST>"
    guard case .vast(let document) = read(text).content else { return #expect(Bool(false)) }
    #expect(document.ads.map(\.content).prefix(2) == [.unusable(.invalidStructure), .unusable(.invalidStructure)])
    #expect(document.ads.count == 3)
  }

  @Test("VA-326: ads, media files and trackers beyond their counts are ignored with vast.cap")
  func caps() throws {
    let media = String(
      repeating: "<MediaFile type='video/mp4' delivery='streaming' width='1' height='1'>u</MediaFile>", count: 70)
    let tracking = String(repeating: "<Tracking event='start'>u</Tracking>", count: 510)
    let ad =
      "<Ad><InLine><Creatives><Creative><Linear><MediaFiles>\(media)</MediaFiles>"
      + "<TrackingEvents>\(tracking)</TrackingEvents></Linear></Creative></Creatives></InLine></Ad>"
    let result = read("<VAST version='3.0'>" + ad + String(repeating: "<Ad><InLine/></Ad>", count: 110) + "</VAST>")
    guard case .vast(let document) = result.content else { return #expect(Bool(false)) }
    #expect(document.ads.count == 100)
    #expect(document.ads.first?.creatives.first?.linear?.mediaFiles.count == 64)
    #expect(document.ads.first?.creatives.first?.linear?.tracking.count == 500)
    #expect(result.diagnostics.contains { $0.code == "vast.cap" })
    let nodes = "<Extension>" + String(repeating: "<a/>", count: 2_100) + "</Extension>"
    let extended = try self.ad("<InLine><Extensions>\(nodes)</Extensions></InLine>")
    #expect(extended.extensions.first?.element.children.count == 1_999)
  }

  @Test("VA-317, VA-318: a sequence is positive, positions are words or numbers, defaults right and top")
  func positions() throws {
    for (text, expected) in [("1", 1), ("0", nil), ("-1", nil), ("x", nil), ("", nil)] as [(String, Int?)] {
      guard case .vast(let document) = read("<VAST version='3.0'><Ad sequence='\(text)'><InLine/></Ad></VAST>").content
      else { return #expect(Bool(false)) }
      #expect(document.ads.first?.sequence == expected)
    }
    let icons: [(String, VAST.Icon.Position, VAST.Icon.Position)] = [
      ("xPosition='left' yPosition='bottom'", .leading, .trailing), ("", .trailing, .leading),
      ("xPosition='10px' yPosition='20'", .points(10), .points(20)),
      ("xPosition='?' yPosition='?'", .trailing, .leading),
    ]
    for (attributes, x, y) in icons {
      let ad = try ad(
        "<InLine><Creatives><Creative><Linear><Icons><Icon \(attributes)/></Icons></Linear></Creative></Creatives></InLine>"
      )
      let icon = try #require(ad.creatives.first?.linear?.icons.first)
      #expect(icon.x == x && icon.y == y)
    }
  }

  @Test("VA-308: blank parameters are an empty text, encoded ones are unescaped once")
  func parameters() throws {
    for (text, expected) in [
      ("<AdParameters xmlEncoded='true'><![CDATA[ ]]></AdParameters>", ""),
      ("<AdParameters xmlEncoded='true'><![CDATA[&lt;a&gt;&amp;amp;]]></AdParameters>", "<a>&amp;"),
      ("<AdParameters><![CDATA[&lt;a&gt;]]></AdParameters>", "&lt;a&gt;"),
    ] {
      let ad = try ad("<InLine><Creatives><Creative><Linear>\(text)</Linear></Creative></Creatives></InLine>")
      #expect(ad.creatives.first?.linear?.adParameters == expected)
    }
  }

  @Test("VA-331: any bytes give a result")
  func total() {
    let seed = Array("<VAST version='3.0'><Ad><InLine><![CDATA[x]]></InLine></Ad><!-- c --><?p ?></VAST>&#1;".utf8)
    var state: UInt64 = 7
    for _ in 0..<3_000 {
      var bytes = seed
      for _ in 0..<(1 + Int(state % 5)) {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let at = Int(state >> 33) % bytes.count
        switch state >> 62 {
        case 0: bytes[at] = UInt8(truncatingIfNeeded: state >> 20)
        case 1: bytes.remove(at: at)
        case 2: bytes.insert(contentsOf: bytes[at...].prefix(9), at: at)
        default: bytes.removeLast(min(at % 9, bytes.count - 1))
        }
      }
      #expect(VASTReader.read(bytes).diagnostics.count <= 201)
    }
  }

  private func read(_ text: String) -> VASTReadResult { VASTReader.read(Array(text.utf8)) }

  private func ad(_ content: String) throws -> VAST.Ad {
    guard case .vast(let document) = read("<VAST version='4.2'><Ad>\(content)</Ad></VAST>").content else {
      throw UnexpectedResult()
    }
    return try #require(document.ads.first)
  }

  private struct UnexpectedResult: Error {}
}
