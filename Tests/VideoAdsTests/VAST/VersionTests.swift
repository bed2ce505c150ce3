import Testing

@testable import VideoAds

/// One reader and one model for all versions, and for children in any order.
@Suite struct VersionTests {
  /// What only one version spells so, inside an ad's creative, and what it becomes.
  private static let verificationExtension =
    "<Extensions><Extension type='AdVerifications'><AdVerifications><Verification vendor='v'><JavaScriptResource "
    + "apiFramework='omid'>https://v.test/v.js</JavaScriptResource></Verification></AdVerifications></Extension></Extensions>"
  private static let verification =
    "<AdVerifications><Verification vendor='v'><JavaScriptResource apiFramework='omid'>https://v.test/v.js"
    + "</JavaScriptResource></Verification></AdVerifications>"

  @Test(
    "VA-300: 2.0 to 4.3 are read into one model",
    arguments: [
      ("2.0", verificationExtension, "fullscreen"), ("2.0.1", verificationExtension, "expand"),
      ("3.0", verificationExtension, "fullscreen"), ("4.0", verificationExtension, "playerExpand"),
      ("4.1", verification, "playerExpand"), ("4.2", verification, "playerExpand"),
      ("4.3", verification, "playerExpand"),
    ])
  func versions(version: String, verification: String, event: String) throws {
    let text = """
      <VAST version="\(version)"><Ad id="a"><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle>
      <Impression>https://t.test/i</Impression>\(verification)<Creatives><Creative><Linear><Duration>00:00:10</Duration>
      <TrackingEvents><Tracking event="\(event)">https://t.test/full</Tracking></TrackingEvents><MediaFiles>
      <MediaFile type="video/mp4" delivery="progressive" width="1" height="1">https://m.test/a.mp4</MediaFile></MediaFiles>
      </Linear></Creative></Creatives></InLine></Ad></VAST>
      """
    guard case .vast(let document) = VASTReader.read(Array(text.utf8)).content else {
      Issue.record("\(version) is not read")
      return
    }
    #expect(document.version == version)
    let ad = try #require(document.ads.first)
    #expect(ad.verifications.map(\.vendor) == ["v"])
    let linear = try #require(ad.creatives.first?.linear)
    #expect(linear.duration == 10_000 && linear.mediaFiles.count == 1)
    #expect(linear.tracking.map(\.event) == [.playerExpand])
  }

  @Test("VA-300: the same bytes of a VMAP 1.0 give a playlist")
  func playlist() {
    let text =
      "<vmap:VMAP xmlns:vmap='x' version='1.0'><vmap:AdBreak timeOffset='start' breakType='linear'/></vmap:VMAP>"
    guard case .vmap(let playlist) = VASTReader.read(Array(text.utf8)).content else {
      Issue.record("no playlist")
      return
    }
    #expect(playlist.version == "1.0" && playlist.breaks.map(\.offset) == [.start])
  }

  @Test("VA-306: the order of siblings matters only among equals")
  func siblings() throws {
    let parts = [
      "<AdSystem>s</AdSystem>", "<AdTitle>t</AdTitle>", "<Impression>https://t.test/1</Impression>",
      "<Impression>https://t.test/2</Impression>", "<Error>https://t.test/e</Error>",
      "<Creatives><Creative><Linear><MediaFiles><MediaFile type='video/mp4'>https://m.test/1.mp4</MediaFile><MediaFile "
        + "type='video/mp4'>https://m.test/2.mp4</MediaFile></MediaFiles><Duration>00:00:10</Duration></Linear></Creative></Creatives>",
    ]
    func read(_ parts: [String]) -> VAST.Document? {
      let text = "<VAST version='4.2'><Ad id='a'><InLine>\(parts.joined())</InLine></Ad></VAST>"
      if case .vast(let document) = VASTReader.read(Array(text.utf8)).content { return document }
      return nil
    }
    let expected = try #require(read(parts))
    #expect(expected.ads.first?.impressions.map(\.url) == ["https://t.test/1", "https://t.test/2"])
    // Each part at each place, the two impressions always one behind the other.
    for from in parts.indices {
      for to in parts.indices {
        var moved = parts
        moved.insert(moved.remove(at: from), at: to)
        let order = moved.filter { $0.contains("Impression") }
        guard order == [parts[2], parts[3]] else { continue }
        #expect(read(moved) == expected, "\(from) at \(to)")
      }
    }
  }
}
