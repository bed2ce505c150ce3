import Testing

@testable import VideoAds

@Suite struct MediaSelectionTests {
  private static let player = AdPlayerCapabilities(
    mimeTypes: ["video/mp4", "video/webm", "application/vnd.apple.mpegurl", "audio/*"])

  /// The ids of the files that play, best first.
  ///
  /// A file is `id type [attributes]`.
  private static func order(_ files: [String], _ change: (inout MediaSelection) -> Void = { _ in }) throws -> [String] {
    var selection = MediaSelection(capabilities: player)
    change(&selection)
    return selection.choices(of: try linear(files)).filter { $0.objection == nil }.map { $0.file.id ?? "" }
  }

  private static func linear(_ files: [String]) throws -> VAST.Linear {
    let media = files.map { file in
      let parts = file.split(separator: " ", maxSplits: 2)
      let more = parts.count > 2 ? parts[2] : ""
      return "<MediaFile id='\(parts[0])' type='\(parts[1])' \(more)>https://a.test/\(parts[0])</MediaFile>"
    }.joined()
    var run = Resolution([
      "x": Markup.vast(
        "<Ad><InLine><Creatives><Creative><Linear><Duration>10</Duration><MediaFiles>\(media)</MediaFiles></Linear></Creative>"
          + "</Creatives></InLine></Ad>")
    ])
    return try #require(try run.run("x").ads.first?.linear)
  }

  @Test("VA-602: nearest below the limit first, unknown rates after, those above last and lowest first")
  func rates() throws {
    let files = [
      "a video/mp4 bitrate='500'", "b video/mp4 bitrate='3000'", "c video/mp4 bitrate='2400'", "d video/mp4",
      "e video/mp4 bitrate='2600'",
    ]
    #expect(try Self.order(files) == ["c", "a", "d", "e", "b"])
    #expect(try Self.order(files) { $0.bitrate = 600 } == ["a", "d", "c", "e", "b"])
    #expect(try Self.order(files) { $0.capabilities.bandwidth = 3_500 } == ["e", "c", "a", "d", "b"])
    #expect(try Self.order(files) { $0.container = AdSize(width: 1_920, height: 1_080) } == ["b", "e", "c", "a", "d"])
  }

  @Test("VA-601: a rate is stated, or the mean of its bounds, or size by duration")
  func bitrates() throws {
    let files = try Self.linear([
      "a video/mp4 bitrate='500'", "b video/mp4 minBitrate='100' maxBitrate='300'", "c video/mp4 fileSize='1250000'",
      "d video/mp4",
    ]).mediaFiles
    #expect(files.map { MediaSelection.bitrate(of: $0, duration: 10_000) } == [500, 200, 1_000, nil])
  }

  @Test("VA-602: a manifest counts as at the limit where the player prefers it, else after all files within the limit")
  func manifests() throws {
    let files = ["m application/x-mpegURL", "a video/mp4 bitrate='2500'", "u video/mp4", "b video/mp4 bitrate='9000'"]
    #expect(try Self.order(files) == ["a", "u", "m", "b"])
    #expect(try Self.order(files) { $0.capabilities.prefersAdaptive = true } == ["m", "a", "u", "b"])
  }

  @Test("VA-602: ties go by size, then the player's order of types, then the document's")
  func ties() throws {
    let sizes = [
      "a video/mp4 width='1920' height='1080'", "b video/mp4 width='640' height='360'",
      "c video/mp4 width='1280' height='720'",
    ]
    #expect(try Self.order(sizes) { $0.container = AdSize(width: 640, height: 360) } == ["b", "c", "a"])
    #expect(
      try Self.order(sizes) {
        $0.container = AdSize(width: 640, height: 360)
        $0.pixelRatio = 2
      } == ["c", "a", "b"])
    #expect(try Self.order(["a video/webm", "b video/mp4", "c video/mp4"]) == ["b", "c", "a"])
  }

  @Test("VA-600: what cannot play is left out, with the reason")
  func objections() throws {
    let files = [
      "ok video/mp4", "vpaid video/mp4 apiFramework='Vpaid'", "flash application/x-shockwave-flash", "flv video/x-flv",
      "ogg video/ogg", "wide video/mp4 mediaType='360'", "flat video/mp4 mediaType='2D'", "audio audio/mpeg",
    ]
    #expect(try Self.order(files) == ["ok", "flat"])
    #expect(try Self.order(files) { $0.adType = .audio } == ["ok", "flat", "audio"])
    #expect(try Self.order(["a video/mp4", "b video/webm"]) { $0.allowedTypes = ["video/WEBM"] } == ["b"])
    let selection = MediaSelection(capabilities: Self.player)
    #expect(selection.choices(of: try Self.linear(files)).count == files.count)
  }

  @Test("VA-600: without a file it is 403, or 408 when the ad is conditional on what is not run")
  func none() throws {
    let selection = MediaSelection(capabilities: Self.player)
    let vpaid = try Self.linear(["a video/mp4 apiFramework='VPAID'"])
    let ogg = try Self.linear(["a video/ogg"])
    #expect(selection.candidates(of: vpaid, isConditional: false) == .failure(.noPlayableMedia))
    #expect(selection.candidates(of: vpaid, isConditional: true) == .failure(.conditionalRejected))
    #expect(selection.candidates(of: ogg, isConditional: true) == .failure(.noPlayableMedia))
  }
}
