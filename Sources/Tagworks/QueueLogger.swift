import HitQueue
import TagManager

/// Passes the queue's messages to the tag manager's logger.
struct QueueLogger: HitLogger {
  let logger: any TagLogger
  let level = HitLogLevel.verbose

  func log(_ level: HitLogLevel, _ message: @autoclosure () -> String) {
    switch level {
    case .none: break
    case .error: logger.log(.error, "Hits: \(message())")
    case .warning: logger.log(.warning, "Hits: \(message())")
    case .info: logger.log(.info, "Hits: \(message())")
    case .verbose: logger.log(.verbose, "Hits: \(message())")
    }
  }
}
