import Hits

/// Values that hold for good, kept from one pass over a plan to the next (TM-617).
///
/// At most 1 MiB by the size of its values; what was used least recently goes first. It cannot be observed but in time
/// and in the trace.
package final class StaticCache: Sendable {
  private struct Entry {
    var result: NameResult
    /// How many macros were nested below it: it counts as if it were evaluated where it is used.
    var height: Int
    var bytes: Int
    var lastUse: UInt64
  }

  private struct State {
    var entries: [Int: Entry] = [:]
    var bytes = 0
    var uses: UInt64 = 0
  }

  private let state = Locked(State())
  private let budget: Int

  package init(budget: Int = 1 << 20) { self.budget = budget }

  /// The kept result of a name, if evaluating it at that depth would not have been too deep.
  func result(ofName name: Int, atDepth depth: Int) -> NameResult? {
    state.withLock { state in
      guard let index = state.entries.index(forKey: name) else { return nil }
      guard depth + state.entries.values[index].height <= EvaluationPass.maximumMacroDepth else { return nil }
      state.uses += 1
      state.entries.values[index].lastUse = state.uses
      return state.entries.values[index].result
    }
  }

  func keep(_ result: NameResult, ofName name: Int, height: Int) {
    let bytes = 64 + result.size.text + 32 * result.size.nodes
    guard bytes <= budget else { return }
    var result = result
    result.isCached = true
    state.withLock { [result] state in
      state.uses += 1
      let entry = Entry(result: result, height: height, bytes: bytes, lastUse: state.uses)
      state.bytes += bytes - (state.entries.updateValue(entry, forKey: name)?.bytes ?? 0)
      while state.bytes > budget, let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse })?.key {
        state.bytes -= state.entries.removeValue(forKey: oldest)?.bytes ?? 0
      }
    }
  }
}
