import Hits

/// The answer to a push: its place in the order, and what it did once that is known (TM-523).
public final class PushReceipt: Sendable {
  /// Where a push stands.
  public enum State: Sendable, Hashable {
    /// Another evaluation runs; this event waits for it.
    case queued
    /// The event waits for a container to be ready.
    case held
    /// The outcome is known.
    case done
  }

  private enum Progress {
    case open(State, waiting: [CheckedContinuation<PushOutcome, Never>])
    case done(PushRecord)
  }

  /// The push's place in the total order, from 1.
  public let sequence: UInt64
  private let progress: Locked<Progress>

  init(sequence: UInt64) {
    self.sequence = sequence
    progress = Locked(.open(.queued, waiting: []))
  }

  init(_ record: PushRecord) {
    sequence = record.sequence
    progress = Locked(.done(record))
  }

  /// Where the push stands now.
  public var state: State {
    progress.withLock { progress in
      switch progress {
      case .open(let state, _): state
      case .done: .done
      }
    }
  }

  /// What the push did; waits until that is known.
  public var outcome: PushOutcome {
    get async {
      await withCheckedContinuation { continuation in
        let known = progress.withLock { progress -> PushRecord? in
          switch progress {
          case .open(let state, let waiting):
            progress = .open(state, waiting: waiting + [continuation])
            return nil
          case .done(let record): return record
          }
        }
        if let known { continuation.resume(returning: known.outcome) }
      }
    }
  }

  /// What the push did, when it is known already.
  package var knownOutcome: PushOutcome? {
    let known = progress.withLock { progress -> PushRecord? in
      if case .done(let record) = progress { record } else { nil }
    }
    return known?.outcome
  }

  func settle(_ record: PushRecord) {
    let waiting = progress.withLock { progress -> [CheckedContinuation<PushOutcome, Never>] in
      guard case .open(_, let waiting) = progress else { return [] }
      progress = .done(record)
      return waiting
    }
    guard !waiting.isEmpty else { return }
    let outcome = record.outcome
    for continuation in waiting { continuation.resume(returning: outcome) }
  }
}
