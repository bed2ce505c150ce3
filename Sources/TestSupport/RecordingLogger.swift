import Hits
package import TagManager

/// A logger that keeps every message, with its level.
package final class RecordingLogger: TagLogger {
  /// One message.
  package struct Message: Sendable, Hashable {
    package var level: LogLevel
    package var text: String
  }

  private struct State {
    var messages: [Message] = []
    var level: LogLevel
  }

  private let state: Locked<State>

  /// Makes a logger that lets messages from a level on pass.
  package init(level: LogLevel = .verbose) { state = Locked(State(level: level)) }

  package var logLevel: LogLevel { state.withLock { $0.level } }

  package func setLogLevel(_ level: LogLevel) { state.withLock { $0.level = level } }

  package func error(_ message: String) { keep(.error, message) }
  package func warning(_ message: String) { keep(.warning, message) }
  package func info(_ message: String) { keep(.info, message) }
  package func debug(_ message: String) { keep(.debug, message) }
  package func verbose(_ message: String) { keep(.verbose, message) }

  /// Everything that was logged, in order.
  package var messages: [Message] { state.withLock { $0.messages } }

  /// The texts of one level, in order.
  package func texts(_ level: LogLevel) -> [String] { messages.filter { $0.level == level }.map(\.text) }

  private func keep(_ level: LogLevel, _ text: String) {
    state.withLock { $0.messages.append(Message(level: level, text: text)) }
  }
}
