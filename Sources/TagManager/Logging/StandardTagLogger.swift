import Foundation
import Hits

#if canImport(os)
  import os
#endif

/// The default logger: the system log on Apple's platforms, standard error on Linux (TM-1102).
///
/// A line reads `Tagworks <level> <text>`; the text begins with the container's id where there is one.
public final class StandardTagLogger: TagLogger {
  private let level: Locked<LogLevel>
  #if canImport(os)
    private let log = Logger(subsystem: "Tagworks", category: "TagManager")
  #endif

  /// Makes a logger; a normal start prints nothing at the default level (TM-1105).
  public init(level: LogLevel = .warning) { self.level = Locked(level) }

  /// Messages below this level are not passed.
  public var logLevel: LogLevel { level.withLock { $0 } }

  /// Changes the level at any time.
  public func setLogLevel(_ level: LogLevel) { self.level.withLock { $0 = level } }

  /// Writes an error.
  public func error(_ message: String) { write(.error, message) }
  /// Writes a warning.
  public func warning(_ message: String) { write(.warning, message) }
  /// Writes an information.
  public func info(_ message: String) { write(.info, message) }
  /// Writes a message about an event.
  public func debug(_ message: String) { write(.debug, message) }
  /// Writes a message about details.
  public func verbose(_ message: String) { write(.verbose, message) }

  private func write(_ level: LogLevel, _ message: String) {
    // The level counts here too, for whoever calls the logger directly (acceptance S10).
    guard level >= logLevel else { return }
    #if canImport(os)
      log.log(level: level.systemType, "Tagworks \(String(describing: level)) \(message, privacy: .public)")
    #else
      FileHandle.standardError.write(Data("Tagworks \(level) \(message)\n".utf8))
    #endif
  }
}

#if canImport(os)
  extension LogLevel {
    fileprivate var systemType: OSLogType {
      switch self {
      case .verbose, .debug: .debug
      case .info: .info
      case .warning: .default
      case .error, .none: .error
      }
    }
  }
#endif
