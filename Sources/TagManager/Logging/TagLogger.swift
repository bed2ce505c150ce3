/// Where the tag manager's messages go: one method per level (TM-1101).
///
/// It is called from any thread, never under a lock. Texts at `info` and above name keys, macros, tags, rules and codes,
/// never values (TM-1104). A logger of the five methods alone receives every message.
///
///     tagManager.logger = MyLogger()
public protocol TagLogger: Sendable {
  /// Something does not work.
  func error(_ message: String)
  /// Something is probably not meant so.
  func warning(_ message: String)
  /// Something an operator may want to know.
  func info(_ message: String)
  /// What each event did.
  func debug(_ message: String)
  /// Everything else.
  func verbose(_ message: String)
  /// Messages below this level are not passed.
  var logLevel: LogLevel { get }
  /// Changes the level; loggers without one ignore it.
  func setLogLevel(_ level: LogLevel)
}

extension TagLogger {
  /// Every level passes.
  public var logLevel: LogLevel { .verbose }
  /// Does nothing: such a logger has no level.
  public func setLogLevel(_ level: LogLevel) {}
}

/// How much a message matters; the raw values are the original SDK's (TM-1100).
public enum LogLevel: Int, Comparable, Sendable {
  case verbose = 0
  case debug = 1
  case info = 2
  case warning = 3
  case error = 4
  /// Above every message: nothing passes.
  case none = 5

  /// Orders levels by how much they matter.
  public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}

extension TagLogger {
  /// Passes a message on if its level passes; the text is not made otherwise.
  package func log(_ level: LogLevel, _ message: @autoclosure () -> String) {
    guard level >= logLevel, logLevel != .none else { return }
    switch level {
    case .verbose: verbose(message())
    case .debug: debug(message())
    case .info: info(message())
    case .warning: warning(message())
    case .error: error(message())
    case .none: break
    }
  }
}
