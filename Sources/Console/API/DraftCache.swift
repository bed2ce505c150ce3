import Authoring
import Hits
import TagManager

/// The workspaces of the drafts that authors are at: a list that is paged through is read once.
///
/// A workspace belongs to a revision, so what is kept is never old; what was used longest ago goes.
final class DraftCache: Sendable {
  private struct Entry: Sendable {
    var revision: Int64
    var workspace: Workspace
    var bytes: Int
    var turn: Int
  }

  private struct State: Sendable {
    var entries: [ContainerID: Entry] = [:]
    var bytes = 0
    var turn = 0
  }

  private let limit: Int
  private let state = Locked(State())

  /// - Parameter limit: the bytes of the texts whose workspaces are kept.
  init(limit: Int = 16 << 20) { self.limit = limit }

  func workspace(of draft: Draft) -> Workspace? {
    state.withLock { state in
      guard var entry = state.entries[draft.container], entry.revision == draft.revision else { return nil }
      state.turn += 1
      entry.turn = state.turn
      state.entries[draft.container] = entry
      return entry.workspace
    }
  }

  func keep(_ workspace: Workspace, of draft: Draft) {
    state.withLock { state in
      state.bytes -= state.entries.removeValue(forKey: draft.container)?.bytes ?? 0
      guard draft.text.count <= limit else { return }
      state.turn += 1
      state.entries[draft.container] = Entry(
        revision: draft.revision, workspace: workspace, bytes: draft.text.count, turn: state.turn)
      state.bytes += draft.text.count
      while state.bytes > limit, let oldest = state.entries.min(by: { $0.value.turn < $1.value.turn }) {
        state.bytes -= oldest.value.bytes
        state.entries[oldest.key] = nil
      }
    }
  }
}
