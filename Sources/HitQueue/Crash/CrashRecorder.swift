import CCrashRecord
import DurableStore
import Foundation
import Hits

/// The signal handlers of this process, which write a record when it crashes (HQ-271); a process has one set of them.
enum CrashRecorder {
  /// Installs the handlers; a crash is reported by the tracker of a lane, 0 for none.
  static func install(_ files: CrashFiles, lane: Int64, now: HitTime) throws(StoreError) {
    crash_record_set_tracker(lane)
    let failure = crash_record_install(files.own, now.boot.text, now.zone, Int32(clamping: now.utcOffset))
    guard failure == 0 else { throw StoreError(errno: failure, code: .cannotOpen, doing: "make \(files.own)") }
  }

  /// Changes the lane.
  static func setLane(_ lane: Int64) { crash_record_set_tracker(lane) }

  /// Gives the signals back, and removes the file.
  static func uninstall(_ files: CrashFiles) {
    crash_record_uninstall()
    unlink(files.own)
  }
}
