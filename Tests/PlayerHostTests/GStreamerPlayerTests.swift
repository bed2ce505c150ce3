#if os(Linux)
  import TestSupport
  import Testing
  import VideoAds

  @testable import PlayerHost

  /// A real player on the media server of the tests, without a screen.
  @MainActor
  struct GStreamerBench {
    let server: MediaServer
    let player: GStreamerPlayer
    let heard = HeardEvents()

    init() throws {
      server = try #require(try MediaServer(), "the clips cannot be made")
      player = try #require(GStreamerPlayer(), "GStreamer is not installed")
      let heard = heard
      player.onEvent = { token, event in heard.all.append((token, event)) }
    }

    /// Plays a path of the server to its end, and gives the events.
    func play(_ path: String, type: String = "video/mp4", seconds: Double = 30) async -> [AdPlayerEvent] {
      await play(url: server.url(path), type: type, seconds: seconds)
    }

    func play(url: String, type: String = "video/mp4", seconds: Double = 30) async -> [AdPlayerEvent] {
      let token = AdPlayerToken(number: heard.all.count + 100)
      player.load(Self.media(url, type), slot: .first, token: token)
      player.play(.first)
      _ = await RealTime.wait(seconds) { heard.isOver(token) }
      player.stop(.first)
      return heard.events(of: token)
    }

    static func media(_ url: String, _ type: String = "video/mp4") -> AdMedia {
      AdMedia(url: url, type: type)
    }
  }

  @Suite(.serialized) @MainActor struct GStreamerPlayerTests {
    @Test("VA-1100, VA-1101: GStreamer keeps the contract of players", arguments: AdPlayerContract.cases)
    func contract(promise: AdPlayerContract.Case) async throws {
      let own = try GStreamerBench()
      let bench = PlayerBench(
        player: own.player, clip: GStreamerBench.media(own.server.url("short.mp4")),
        missing: GStreamerBench.media(own.server.url("nowhere.mp4"))
      ) { await RealTime.wait(until: $0) }
      try await promise.run(on: bench)
    }

    @Test(
      "VA-1102, VA-1110: what is wrong with media is told by its kind",
      arguments: [
        ("status/404", PlayerFailure.notFound), ("status/410", .notFound), ("status/403", .notFound),
        ("status/500", .server), ("status/503", .server), ("text.mp4", .unsupported),
        ("codec-unknown.mp4", .unsupported), ("picture-unknown.mp4", .unsupported), ("sound.m4a", .unsupported),
        ("garbage.mp4", .decode),
      ])
    func failures(path: String, failure: PlayerFailure) async throws {
      let events = try await GStreamerBench().play(path)
      #expect(events.last == .failed(failure), "\(path): \(events)")
      #expect(!events.contains { $0.name == "firstFrame" })
    }

    @Test("VA-1102: nobody listening, and no such host, are not found")
    func unreachable() async throws {
      let bench = try GStreamerBench()
      let port = try LoopbackSocket.freePort()
      for url in ["http://127.0.0.1:\(port)/a.mp4", "http://nowhere.invalid/a.mp4"] {
        let events = await bench.play(url: url)
        #expect(events == [.failed(.notFound)], "\(url)")
      }
    }

    @Test("VA-775, VA-1110: a cut file ends where it was cut, and not at its duration")
    func truncated() async throws {
      let events = try await GStreamerBench().play("truncated.mp4")
      let duration = events.compactMap { if case .ready(let duration?, _) = $0 { duration } else { nil } }.first
      switch events.last {
      case .ended(let position)?: #expect(position < (duration ?? 0) - 1, "\(events)")
      case .failed(.decode)?: break
      default: Issue.record("\(events)")
      }
    }

    @Test("VA-1110: a connection that is cut before the first frame fails, and one cut later ends early or fails")
    func cut() async throws {
      let bench = try GStreamerBench()
      let early = await bench.play("cut/200/ad1.mp4")
      #expect(early.last?.name == "failed" && !early.contains { $0.name == "firstFrame" }, "\(early)")
      let late = await bench.play("cut/90000/ad1.mp4")
      switch late.last {
      case .ended(let position)?: #expect(position < 5, "\(late)")
      case .failed?: break
      default: Issue.record("late: \(late.map(\.name)) \(bench.server.requests)")
      }
    }

    @Test(
      "VA-1402, VA-1110: only http and https are loaded",
      arguments: [
        "file:///etc/hostname", "data:video/mp4;base64,AAAA", "rtsp://127.0.0.1/a", "", "FILE:///etc/hostname",
      ])
    func schemes(url: String) async throws {
      let events = try await GStreamerBench().play(url: url)
      #expect(events == [.failed(.refusedSource)])
    }

    @Test(
      "VA-1402, VA-1110: a manifest that names files of this machine plays none of them",
      arguments: [
        ("hostile/segment.m3u8", "application/vnd.apple.mpegurl"),
        ("hostile/variant.m3u8", "application/vnd.apple.mpegurl"),
        ("hostile/key.m3u8", "application/vnd.apple.mpegurl"),
        ("hostile/list.m3u", "application/vnd.apple.mpegurl"), ("hostile/file.mpd", "application/dash+xml"),
      ])
    func manifests(path: String, type: String) async throws {
      let events = try await GStreamerBench().play(path, type: type)
      #expect(events.last?.name == "failed" && !events.contains { $0.name == "firstFrame" }, "\(path): \(events)")
    }

    @Test(
      "VA-1110: files, streams and sound play to their end",
      arguments: [
        ("short.mp4", "video/mp4"), ("norange/short.mp4", "video/mp4"), ("short.webm", "video/webm"),
        ("hls/short.m3u8", "application/vnd.apple.mpegurl"), ("sound.m4a", "audio/mp4"),
      ])
    func kinds(path: String, type: String) async throws {
      let bench = try GStreamerBench()
      #expect(bench.player.capabilities.mimeTypes.contains(type))
      let events = await bench.play(path, type: type)
      #expect(events.last?.name == "ended", "\(path): \(events)")
      #expect(events.contains { $0.name == "firstFrame" })
    }

    @Test("VA-1603, VA-1101: a prepared ad shows its first frame when it plays, not before; how soon, is printed")
    func preparedStart() async throws {
      let bench = try GStreamerBench()
      var delays: [Duration] = []
      for number in 1...9 {
        let token = AdPlayerToken(number: number)
        bench.player.load(GStreamerBench.media(bench.server.url("short.mp4")), slot: .first, token: token)
        #expect(await RealTime.wait { bench.heard.has("ready", of: token) })
        #expect(!bench.heard.has("firstFrame", of: token))
        let start = ContinuousClock.now
        let (stream, continuation) = AsyncStream.makeStream(of: Duration.self)
        bench.player.onEvent = { heard, event in
          if heard == token, event.name == "firstFrame" { continuation.yield(ContinuousClock.now - start) }
        }
        bench.player.play(.first)
        for await delay in stream {
          delays.append(delay)
          break
        }
        bench.player.stop(.first)
        let heard = bench.heard
        bench.player.onEvent = { token, event in heard.all.append((token, event)) }
      }
      // The machine has other work: a time is told, and decides nothing.
      let median = delays.sorted()[delays.count / 2]
      print("first frame of a prepared ad: median \(median), slowest \(delays.max() ?? .zero)")
    }
  }
#endif
