package import Hits

/// A sink that keeps every hit in memory, in order, and answers as a test says.
package final class RecordingSink: HitSink {
  /// One accepted or refused hit.
  package struct Record: Sendable {
    package var hit: HitBuilder
    package var tracker: String?
    package var receipt: SendReceipt
  }

  private struct State {
    var records: [Record] = []
    var answer: @Sendable (HitBuilder) -> SendReceipt.State
  }

  private let state: Locked<State>

  /// Makes a sink; `answer` tells the state of each hit's receipt, `durable` unless said otherwise.
  package init(answer: @escaping @Sendable (HitBuilder) -> SendReceipt.State = { _ in .durable }) {
    state = Locked(State(answer: answer))
  }

  @discardableResult
  package func send(_ hit: HitBuilder, tracker: String?) -> SendReceipt {
    let answer = state.withLock { $0.answer }(hit)
    let isRefused = if case .refused = answer { true } else { false }
    let receipt = SendReceipt(id: isRefused ? nil : HitID(), state: answer)
    state.withLock { $0.records.append(Record(hit: hit, tracker: tracker, receipt: receipt)) }
    return receipt
  }

  /// Everything that came, in order.
  package var records: [Record] { state.withLock { $0.records } }

  /// The hits that came, in order.
  package var hits: [HitBuilder] { records.map(\.hit) }
}
