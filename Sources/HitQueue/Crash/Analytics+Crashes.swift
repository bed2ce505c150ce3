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
        warnings.warn("crashes cannot be tracked: \(error.message)")
      }
    }
  }

  /// The default tracker may be another one now.
  func noteCrashTracker() {
    guard tracksExceptions else { return }
    do throws(StoreError) { CrashRecorder.setLane(try crashLane()) } catch {
      warnings.warn("crashes are reported by the tracker before: \(error.message)")
    }
  }

  private func crashLane() throws(StoreError) -> Int64 {
    guard let tracker = defaultTracker else { return 0 }
    return try store.laneID(of: tracker.lane)
  }

  /// Turns the records of crashed processes into hits.
  func reportCrashes() {
    do throws(StoreError) {
      try crashFiles.takeReports { report in
        guard let lane = store.lane(report.lane), let language = couriers.language(of: lane) else {
          warnings.warn("\(report.description): no tracker reports this crash")
          return true
        }
        return intake.send(report, lane: lane, speaking: language)
      }
    } catch {
      warnings.warn("crashes of earlier runs cannot be read: \(error.message)")
    }
  }
}
