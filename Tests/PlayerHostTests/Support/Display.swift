#if os(Linux)
  import Foundation
  import TestSupport

  /// A screen of its own for one test, with a mouse and a keyboard (Xvfb, xdotool), and pictures of it (ffmpeg).
  final class Display: Sendable {
    static let width = 1_024
    static let height = 480

    /// What `DISPLAY` is to be.
    let name: String
    private let pid: Int32

    /// A picture of the screen.
    struct Picture {
      fileprivate let bytes: [UInt8]

      /// Whether the colour at a point is near another, each channel by itself.
      func has(_ colour: (UInt8, UInt8, UInt8), at point: (x: Int, y: Int)) -> Bool {
        let place = (point.y * Display.width + point.x) * 3
        guard place + 3 <= bytes.count else { return false }
        return zip(bytes[place..<(place + 3)], [colour.0, colour.1, colour.2]).allSatisfy {
          abs(Int($0) - Int($1)) < 24
        }
      }
    }

    /// Nil where there is no Xvfb; says so on standard error.
    init?() throws {
      let server = Process()
      server.executableURL = URL(fileURLWithPath: "/usr/bin/Xvfb")
      let output = Pipe()
      // The server chooses a free number and writes it to its standard output; without -noreset it would begin anew
      // after its last client.
      server.arguments = [
        "-displayfd", "1", "-screen", "0", "\(Self.width)x\(Self.height)x24", "-nolisten", "tcp", "-noreset",
      ]
      server.standardOutput = output
      server.standardError = FileHandle.nullDevice
      do { try server.run() } catch {
        FileHandle.standardError.write(Data("Xvfb is not installed: the tests of the window are left out\n".utf8))
        return nil
      }
      let number = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
      name = ":" + number.trimmingCharacters(in: .whitespacesAndNewlines)
      pid = server.processIdentifier
    }

    // Its signals are blocked, as those of the thread that started it were: only this one ends it.
    deinit { kill(pid, SIGKILL) }

    /// Variables of a program that is to show itself here.
    var environment: [String: String] {
      ["DISPLAY": name, "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "WAYLAND_DISPLAY": "", "LC_ALL": "C.UTF-8"]
    }

    /// Moves the mouse, clicks, or presses keys, as xdotool's words say.
    func act(_ words: String...) async throws { _ = try await run("xdotool", words) }

    /// Takes a picture, and keeps it for people as a PNG in .build/screenshots.
    func picture(_ title: String) async throws -> Picture {
      let folder = Checkout.root.appendingPathComponent(".build/screenshots")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let bytes = try await run(
        "ffmpeg",
        [
          "-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-f", "x11grab", "-video_size",
          "\(Self.width)x\(Self.height)", "-i", name, "-frames:v", "1",
          folder.appendingPathComponent(title + ".png").path,
          "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgb24", "-",
        ])
      return Picture(bytes: bytes)
    }

    private func run(_ program: String, _ arguments: [String]) async throws -> [UInt8] {
      let environment = environment
      return try await blocking {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/" + program)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, own in own }
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = Array(output.fileHandleForReading.readDataToEndOfFile())
        process.waitUntilExit()
        return bytes
      }
    }
  }

  /// The checkout this test was compiled from.
  enum Checkout {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
  }
#endif
