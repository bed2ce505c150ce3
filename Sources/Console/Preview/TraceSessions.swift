import Hits
import TagManager

/// What apps in preview have sent about their evaluations, in memory for the live view (CO-502).
///
/// A session belongs to the preview token that began it. Beyond its bounds a session forgets its oldest lines, and the
/// server the session that has been quiet longest.
final class TraceSessions: Sendable {
  struct Limits: Sendable {
    var sessions = 200
    var lines = 1000
    /// Bytes of the lines of a session, and of all sessions.
    var sessionBytes = 8 << 20
    var bytes = 64 << 20
  }

  /// One line of a session: an outcome as JSON.
  struct Line: Sendable, Hashable {
    /// Counts the lines of the session, from 1; gaps at the start tell what was forgotten.
    var number: Int64
    /// Wall milliseconds.
    var received: Int64
    var json: [UInt8]
  }

  /// A session without its lines.
  struct Summary: Sendable, Hashable {
    var id: String
    var container: ContainerID
    var preview: String
    var started: Int64
    var lastLine: Int64
    var lines: Int64
  }

  private struct Session: Sendable {
    var container: ContainerID
    var preview: String
    var started: Int64
    var lastReceived: Int64
    var lines: [Line] = []
    /// What the lines that were forgotten have left in the data layer.
    var layer = RecordedDataLayer()
    var bytes = 0
    var count: Int64 = 0
    /// When it was last written to, in writes of the server.
    var turn = 0
  }

  private struct State: Sendable {
    var sessions: [String: Session] = [:]
    var bytes = 0
    var turn = 0
  }

  /// Tells those who watch that lines came.
  let changes = ChangeSignal()
  private let limits: Limits
  private let state = Locked(State())

  init(limits: Limits = Limits()) { self.limits = limits }

  /// Whether a text can name a session: up to 64 letters, digits, `_` and `-`.
  static func isSession(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count) && ContainerEnvironment.isName(text) && !text.contains(".")
  }

  /// Adds lines; false when the session is another preview's.
  func add(_ lines: [[UInt8]], to id: String, of token: PreviewToken, at time: Int64) -> Bool {
    let isAdded = insert(lines, to: id, of: token, at: time)
    if isAdded { changes.signal() }
    return isAdded
  }

  private func insert(_ lines: [[UInt8]], to id: String, of token: PreviewToken, at time: Int64) -> Bool {
    state.withLock { state in
      var session =
        state.sessions[id]
        ?? Session(container: token.container, preview: token.id, started: time, lastReceived: time)
      guard session.preview == token.id else { return false }
      state.bytes -= session.bytes
      for line in lines {
        session.count += 1
        session.lines.append(Line(number: session.count, received: time, json: line))
        session.bytes += line.count
      }
      var dropped = 0
      while session.lines.count - dropped > limits.lines || session.bytes > limits.sessionBytes {
        session.bytes -= session.lines[dropped].json.count
        dropped += 1
      }
      session.layer.take(session.lines.prefix(dropped))
      session.lines.removeFirst(dropped)
      session.lastReceived = time
      state.turn += 1
      session.turn = state.turn
      state.sessions[id] = session
      state.bytes += session.bytes
      while state.sessions.count > limits.sessions || state.bytes > limits.bytes {
        guard let quiet = state.sessions.min(by: { $0.value.turn < $1.value.turn }) else { break }
        state.bytes -= quiet.value.bytes
        state.sessions[quiet.key] = nil
      }
      return true
    }
  }

  /// The sessions, the last one that was written to first.
  var summaries: [Summary] {
    state.withLock { state in
      state.sessions.sorted { $0.value.turn > $1.value.turn }.map { id, session in
        Summary(
          id: id, container: session.container, preview: session.preview, started: session.started,
          lastLine: session.lastReceived, lines: session.count)
      }
    }
  }

  /// Lines of a session above a number; nil without the session.
  func lines(of id: String, after number: Int64, limit: Int) -> (container: ContainerID, lines: [Line])? {
    state.withLock { state in
      guard let session = state.sessions[id] else { return nil }
      let first = session.lines.partitioningIndex { $0.number > number }
      return (session.container, Array(session.lines[first...].prefix(limit)))
    }
  }

  /// What the data layer held at lines of a session, by their numbers.
  func dataLayers(of id: String, at numbers: Set<Int64>) -> [Int64: RecordedDataLayer.State] {
    let session = state.withLock { $0.sessions[id] }
    // Beyond the lock, for this reads every line of the session.
    return session?.layer.states(at: session?.lines ?? [], wanted: numbers.contains) ?? [:]
  }
}

extension Array where Element == TraceSessions.Line {
  /// The first index for which a condition holds that holds for all after it.
  fileprivate func partitioningIndex(_ holds: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
