#if os(Linux)
  import Foundation
  import Hits
  import TestSupport
  import Testing

  /// The command line plays real media through a program of its own.
  @Suite(.serialized) @MainActor struct PlayCommandTests {
    @Test("VA-1502: ads play with GStreamer prints the same lines as the simulated player, without a screen")
    func headless() async throws {
      let run = try AdRun()
      let folder = try TemporaryDirectory()
      let source = try folder.write(run.ad("short.mp4", duration: "00:00:01"), to: "ad.xml")
      let played = try await Program.run(
        ["ads", "play", source, "--player", "gstreamer", "--json"],
        environment: ["DISPLAY": "", "WAYLAND_DISPLAY": ""])
      #expect(played.status == 0, "\(played.errors)")
      let beacons = try played.json.compactMap(\.map).filter { $0["type"] == "beacon" }.compactMap {
        $0["name"]?.string
      }
      #expect(
        beacons == ["impression", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete"],
        "\(played.output)")
      let missing = try folder.write(run.ad("nowhere.mp4"), to: "missing.xml")
      let failed = try await Program.run(["ads", "play", missing, "--player", "gstreamer", "--json"])
      #expect(failed.status == 1 && failed.output.contains("error-401"), "\(failed.output)")
    }

    @Test("The command line links no GStreamer and no GTK; the program that plays does")
    func libraries() async throws {
      let needed = { (name: String) in
        try await blocking {
          let process = Process()
          process.executableURL = URL(fileURLWithPath: "/usr/bin/ldd")
          process.arguments = [Program.path(of: name)]
          let output = Pipe()
          process.standardOutput = output
          try process.run()
          let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
          process.waitUntilExit()
          return text
        }
      }
      let command = try await needed("tagworks")
      #expect(!command.contains("libgst") && !command.contains("libgtk") && command.contains("libcurl"))
      let player = try await needed("tagworks-player")
      #expect(player.contains("libgst") && player.contains("libgtk"))
    }
  }
#endif
