import Foundation
import HitQueue
import Hits
import TestSupport
import Testing

@Suite struct CrashTests {
  private let fixture: QueueFixture

  init() throws { fixture = try QueueFixture() }

  private var crashFiles: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: fixture.directory))?.filter { $0.hasPrefix("crash-") } ?? []
  }

  /// Starts again after a crash: what is sent, but for the hits of the process before it.
  private func relaunch() async throws -> [[String: String]] {
    // The record has the device's own time.
    let analytics = try fixture.open(clock: SystemHitClock())
    _ = await analytics.drain()
    #expect(try await analytics.statistics().isConserved)
    return fixture.sent.filter { $0["t"] == "exception" }
  }

  private static func check(_ sent: [[String: String]], _ report: String) {
    #expect(sent.map { $0["exd"] } == [report])
    #expect(sent.map { $0["exf"] } == ["1"])
    #expect(sent.map { $0["tid"] } == ["UA-1-1"])
  }

  @Test("HQ-1116: a bad pointer becomes one fatal exception hit after relaunch, with the crash's own time")
  func badPointer() async throws {
    let before = Int64(Date().timeIntervalSince1970 * 1_000)
    await #expect(processExitsWith: .signal(SIGSEGV)) { [path = fixture.directory as String] in
      _ = try Crashing(path)
      UnsafeMutablePointer<Int>(bitPattern: 0x10)?.pointee = 1
    }
    let after = Int64(Date().timeIntervalSince1970 * 1_000)
    #expect(crashFiles.count == 1)
    let sent = try await relaunch()
    Self.check(sent, "SIGSEGV at 0x10")
    let time = try #require(sent.first?["ht"].flatMap { Int64($0) })
    #expect(before...after ~= time)
    #expect(crashFiles.isEmpty)
    // One hit, however often the app starts.
    #expect(try await relaunch().count == 1)
  }

  @Test("HQ-1116: SIGBUS becomes one hit")
  func bus() async throws {
    await #expect(processExitsWith: .signal(SIGBUS)) { [path = fixture.directory as String] in
      _ = try Crashing(path)
      raise(SIGBUS)
    }
    Self.check(try await relaunch(), "SIGBUS")
  }

  @Test("HQ-1116: SIGILL becomes one hit")
  func illegal() async throws {
    await #expect(processExitsWith: .signal(SIGILL)) { [path = fixture.directory as String] in
      _ = try Crashing(path)
      raise(SIGILL)
    }
    Self.check(try await relaunch(), "SIGILL")
  }

  @Test("HQ-1116: SIGTRAP becomes one hit")
  func trap() async throws {
    await #expect(processExitsWith: .signal(SIGTRAP)) { [path = fixture.directory as String] in
      _ = try Crashing(path)
      raise(SIGTRAP)
    }
    Self.check(try await relaunch(), "SIGTRAP")
  }

  @Test("HQ-1116: an abort becomes one hit")
  func abortion() async throws {
    await #expect(processExitsWith: .signal(SIGABRT)) { [path = fixture.directory as String] in
      _ = try Crashing(path)
      abort()
    }
    Self.check(try await relaunch(), "SIGABRT")
  }

  @Test("HQ-1116: SIGFPE becomes one hit")
  func arithmetic() async throws {
    await #expect(processExitsWith: .signal(SIGFPE)) { [path = fixture.directory as String] in
      _ = try Crashing(path)
      raise(SIGFPE)
    }
    Self.check(try await relaunch(), "SIGFPE")
  }

  @Test("HQ-271: the handler that was there before runs too")
  func oldHandler() async throws {
    let mark = fixture.directory + ".mark"
    defer { unlink(mark) }
    await #expect(processExitsWith: .exitCode(7)) {
      [path = fixture.directory as String, mark = fixture.directory + ".mark" as String] in
      dup2(open(mark, O_WRONLY | O_CREAT, 0o600), 99)
      signal(SIGABRT) { _ in
        _ = write(99, "old", 3)
        _exit(7)
      }
      _ = try Crashing(path)
      abort()
    }
    #expect(try String(contentsOfFile: mark, encoding: .utf8) == "old")
    Self.check(try await relaunch(), "SIGABRT")
  }

  @Test("HQ-271: a handler that was installed over ours and passes the signal back to it still ends the process")
  func chainedHandler() async throws {
    // A signal that no pool of threads blocks.
    await #expect(processExitsWith: .signal(SIGSEGV)) { [path = fixture.directory as String] in
      let crashing = try Crashing(path)
      sigaction(SIGSEGV, nil, &oursBefore)
      signal(SIGSEGV) { number in
        // Its turn has come a second time: it goes round in circles.
        if hasPassedBack { _exit(9) }
        hasPassedBack = true
        sigaction(number, &oursBefore, nil)
        raise(number)
      }
      // Now theirs has ours as the one before, and ours has theirs.
      crashing.analytics.trackUncaughtExceptions = false
      crashing.analytics.trackUncaughtExceptions = true
      raise(SIGSEGV)
    }
    Self.check(try await relaunch(), "SIGSEGV")
  }

  @Test("HQ-272: a handler that cannot write still ends the process, and there is no hit")
  func brokenHandler() async throws {
    await #expect(processExitsWith: .signal(SIGSEGV)) { [path = fixture.directory as String] in
      _ = try Crashing(path)
      // Whatever is open: the record's file is among it.
      for descriptor: Int32 in 3..<100 { close(descriptor) }
      raise(SIGSEGV)
    }
    #expect(try await relaunch().isEmpty)
    #expect(crashFiles.isEmpty)
  }

  @Test("HQ-270: nothing is written down unless the app asks for it, and nothing any more when it ends it")
  func off() async throws {
    await #expect(processExitsWith: .signal(SIGABRT)) { [path = fixture.directory as String] in
      let crashing = try Crashing(path)
      crashing.analytics.trackUncaughtExceptions = false
      abort()
    }
    #expect(crashFiles.isEmpty)
    #expect(try await relaunch().isEmpty)
  }

  @Test("HQ-272, HQ-230: a crash of an opted-out app makes no hit, and its record is removed")
  func optedOut() async throws {
    await #expect(processExitsWith: .signal(SIGABRT)) { [path = fixture.directory as String] in
      let crashing = try Crashing(path)
      crashing.analytics.optOut = true
      abort()
    }
    let analytics = try fixture.open()
    #expect(crashFiles.isEmpty)
    analytics.optOut = false
    _ = await analytics.drain()
    #expect(fixture.sent.isEmpty)
  }

  @Test("HQ-272: a crash whose tracker's destination has a secret waits until the app has made the tracker again")
  func secretDestination() async throws {
    await #expect(processExitsWith: .signal(SIGABRT)) { [path = fixture.directory as String] in
      _ = try Crashing(path, property: "G-1", destination: .ga4(app: "1:2:ios:3", secret: "s"))
      abort()
    }
    let analytics = try fixture.open(clock: SystemHitClock())
    analytics.dispatchInterval = 0
    #expect(crashFiles.count == 1)
    _ = try analytics.tracker(name: "other", property: "UA-1-1", destination: .measurementProtocol("https://a.example"))
    #expect(crashFiles.count == 1)
    for _ in 0..<2 {
      _ = try analytics.tracker(name: "app", property: "G-1", destination: .ga4(app: "1:2:ios:3", secret: "s"))
      #expect(crashFiles.isEmpty)
      #expect(try await analytics.inspect(HitQuery()).map(\.kind) == ["exception"])
    }
    await analytics.close()
  }

  @Test("HQ-272: a damaged record is removed without a hit; HQ-301: no other file is touched")
  func damaged() async throws {
    let first = try fixture.open()
    await first.close()
    let names = ["crash-999999999.bin", "crash-x.bin", "crash-1.bin.old"]
    for name in names { try Data(count: 512).write(to: URL(fileURLWithPath: fixture.directory + "/" + name)) }
    #expect(try await relaunch().isEmpty)
    #expect(Set(crashFiles) == ["crash-x.bin", "crash-1.bin.old"])
  }
}

// Touched by the one thread of the process that crashes.
nonisolated(unsafe) private var oursBefore = sigaction()
nonisolated(unsafe) private var hasPassedBack = false

/// A queue that tracks crashes, in a process that is about to have one.
private struct Crashing {
  let analytics: Analytics

  init(
    _ directory: String, property: String = "UA-1-1",
    destination: Destination = .measurementProtocol("https://collect.example")
  ) throws {
    analytics = try Analytics(
      store: HitStoreConfiguration(directory: directory, sendBudget: .seconds(10)), transport: ScriptedTransport(),
      logger: QuietLogger())
    analytics.trackUncaughtExceptions = true
    _ = try analytics.tracker(name: "app", property: property, destination: destination)
  }
}
