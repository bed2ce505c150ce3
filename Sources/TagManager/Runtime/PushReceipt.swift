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

  /// Most pushes are over when they return; only one that waits needs a lock.
  private enum Storage {
    case known(PushRecord)
    case pending(Locked<Progress>)
  }

  /// The push's place in the total order, from 1.
  public let sequence: UInt64
  private let storage: Storage

  /// The receipt of a push whose record comes later.
  init(sequence: UInt64) {
    self.sequence = sequence
    storage = .pending(Locked(.open(.queued, waiting: [])))
  }

  /// The receipt of a push that is over.
  init(_ record: PushRecord) {
    sequence = record.sequence
    storage = .known(record)
  }

  /// Where the push stands now.
  public var state: State {
    switch storage {
    case .known: .done
    case .pending(let progress):
      progress.withLock { progress in
        if case .open(let state, _) = progress { state } else { .done }
      }
    }
  }

  /// What the push did; waits until that is known.
  public var outcome: PushOutcome {
    get async {
      switch storage {
      case .known(let record): record.outcome
      case .pending(let progress): await withCheckedContinuation { Self.answer($0, from: progress) }
      }
    }
  }

  private static func answer(
    _ continuation: CheckedContinuation<PushOutcome, Never>, from progress: Locked<Progress>
  ) {
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

  /// What the push did, when it is known already.
  package var knownOutcome: PushOutcome? {
    switch storage {
    case .known(let record): return record.outcome
    case .pending(let progress):
      let known = progress.withLock { progress -> PushRecord? in
        if case .done(let record) = progress { record } else { nil }
      }
      return known?.outcome
    }
  }

  /// The event waits for a container to be ready.
  func hold() {
    guard case .pending(let progress) = storage else { return }
    progress.withLock { progress in
      if case .open(_, let waiting) = progress { progress = .open(.held, waiting: waiting) }
    }
  }

  /// Makes the record of a push that waited known.
  func settle(_ record: PushRecord) {
    guard case .pending(let progress) = storage else { return }
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
