import Dispatch
import Hits

/// The server's log on standard error: lines are handed over at once and written together, a tenth of a second later
/// at most, so that no request waits for the terminal.
final class RequestLog: Sendable {
  private struct State {
    var lines: [UInt8] = []
    var isWaiting = false
  }

  private let state = Locked(State())
  private let queue = DispatchQueue(label: "RequestLog")

  /// Takes a line.
  func write(_ line: String) {
    let isFirst = state.withLock { state in
      state.lines.append(contentsOf: line.utf8)
      state.lines.append(UInt8(ascii: "\n"))
      defer { state.isWaiting = true }
      return !state.isWaiting
    }
    guard isFirst else { return }
    queue.asyncAfter(deadline: .now() + .milliseconds(100)) { self.flush() }
  }

  /// Writes what is there; at the end of the program nothing may stay behind.
  func flush() {
    let lines = state.withLock { state in
      defer { state = State() }
      return state.lines
    }
    if !lines.isEmpty { Output.log(lines: String(decoding: lines, as: UTF8.self)) }
  }
}
