import DurableStore
import Hits

/// Crashes of this process are written down, those of earlier ones are reported (HQ-270 to HQ-272).
extension Analytics {
  /// Whether a crash of this process becomes a fatal exception hit of the default tracker at the next start.
  ///
  /// Signals SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT and SIGFPE; whoever handled them before still does, afterwards. A
  /// process has one such setting: the queue that set it last reports.
  public var trackUncaughtExceptions: Bool {
    get { tracksExceptions }
    set {
      if newValue == tracksExceptions { return }
      tracksExceptions = newValue
      guard newValue else { return CrashRecorder.uninstall(crashFiles) }
      do throws(StoreError) {
        try CrashRecorder.install(crashFiles, lane: crashLane(), now: clock.now())
      } catch {
        tracksExceptions = false
        warnings.fail("crashes cannot be tracked: \(error.message)")
      }
    }
  }

  /// The default tracker may be another one now.
  func noteCrashTracker() {
    guard tracksExceptions else { return }
    do throws(StoreError) { CrashRecorder.setLane(try crashLane()) } catch {
      warnings.fail("crashes are reported by the tracker before: \(error.message)")
    }
  }

  private func crashLane() throws(StoreError) -> Int64 {
    guard let tracker = defaultTracker else { return 0 }
    return try store.laneID(of: tracker.lane)
  }

  /// Turns the records of crashed processes into hits; those of a lane that no tracker serves yet stay, until one does
  /// or they are older than any hit may get.
  func reportCrashes() {
    let isLeft = Locked(false)
    do throws(StoreError) {
      try crashFiles.takeReports { report in
        let isDone = take(report)
        if !isDone { isLeft.withLock { $0 = true } }
        return isDone
      }
    } catch {
      isLeft.withLock { $0 = true }
      warnings.fail("crashes of earlier runs cannot be read: \(error.message)")
    }
    state.withLock { $0.hasCrashReports = isLeft.withLock { $0 } }
  }

  /// A tracker was made: crashes that waited for it are reported.
  func reportWaitingCrashes() {
    if state.withLock({ $0.hasCrashReports }) { reportCrashes() }
  }

  /// Reports a crash; tells whether that is done for good.
  private func take(_ report: CrashReport) -> Bool {
    let lane: LaneKey?
    do throws(StoreError) { lane = try store.lane(report.lane) } catch {
      warnings.fail("\(report.description): the tracker of this crash cannot be read: \(error.message)")
      return false
    }
    let isTooOld = report.created.age(at: clock.now()) > HitStoreConfiguration.longestAge.wholeMilliseconds
    guard let lane, !isTooOld || couriers.speaks(lane) else {
      warnings.warn("\(report.description): no tracker reports this crash")
      return true
    }
    guard let language = couriers.language(of: lane) else { return false }
    return intake.send(report, lane: lane, speaking: language)
  }
}
