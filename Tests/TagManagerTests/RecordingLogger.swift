import Hits
import TagManager

/// A logger that keeps every message, with its level.
final class RecordingLogger: TagLogger {
  /// One message.
  struct Message: Sendable, Hashable {
    var level: LogLevel
    var text: String
  }

  private struct State {
    var messages: [Message] = []
    var level: LogLevel
  }

  private let state: Locked<State>

  /// Makes a logger that lets messages from a level on pass.
  init(level: LogLevel = .verbose) { state = Locked(State(level: level)) }

  var logLevel: LogLevel { state.withLock { $0.level } }

  func setLogLevel(_ level: LogLevel) { state.withLock { $0.level = level } }

  func error(_ message: String) { keep(.error, message) }
  func warning(_ message: String) { keep(.warning, message) }
  func info(_ message: String) { keep(.info, message) }
  func debug(_ message: String) { keep(.debug, message) }
  func verbose(_ message: String) { keep(.verbose, message) }

  /// Everything that was logged, in order.
  var messages: [Message] { state.withLock { $0.messages } }

  /// The texts of one level, in order.
  func texts(_ level: LogLevel) -> [String] { messages.filter { $0.level == level }.map(\.text) }

  private func keep(_ level: LogLevel, _ text: String) {
    state.withLock { $0.messages.append(Message(level: level, text: text)) }
  }
}
