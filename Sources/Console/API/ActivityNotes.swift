import Hits
import TagManager

/// Lines in the activity log about what changes nothing: tokens that are used, and refusals (CO-403, CO-901).
///
/// A busy token would fill the log, and one that is refused could be made to: each use is noted once an hour, each
/// refusal of an operation once a minute.
final class ActivityNotes: Sendable {
  private static let hour: Int64 = 3_600_000
  private static let minute: Int64 = 60_000
  /// More than a server has tokens and operations in an hour; beyond it the oldest memory goes.
  private static let limit = 10_000

  private let store: any WorkspaceStore
  private let noted = Locked<[String: Int64]>([:])

  init(_ store: any WorkspaceStore) { self.store = store }

  func used(_ token: AccessToken, at time: Int64) async throws(APIError) {
    guard isDue("used \(token.id)", at: time, every: Self.hour) else { return }
    try await note(
      Activity(
        .tokenUsed, by: Authorship(token.actor, at: time), container: token.container, subject: "token \(token.id)"))
  }

  func refused(
    _ caller: Caller, _ operation: APIOperation, in container: ContainerID?, at time: Int64
  ) async throws(APIError) {
    guard isDue("refused \(caller.actor.id) \(operation.id)", at: time, every: Self.minute) else { return }
    let scope = container.map { caller.rights.scope(in: $0) } ?? caller.rights.highest
    try await note(
      Activity(
        .refused, by: Authorship(caller.actor, at: time), container: caller.onlyContainer,
        subject: "\(operation.method) \(operation.path)", from: (scope ?? caller.rights.highest)?.rawValue,
        to: operation.access.scope?.rawValue))
  }

  private func isDue(_ key: String, at time: Int64, every pause: Int64) -> Bool {
    noted.withLock { noted in
      if let last = noted[key], time - last < pause, time >= last { return false }
      if noted.count >= Self.limit { noted = noted.filter { time - $0.value < Self.minute } }
      if noted.count >= Self.limit { noted.removeAll() }
      noted[key] = time
      return true
    }
  }

  private func note(_ activity: Activity) async throws(APIError) {
    do throws(WorkspaceStoreError) { try await store.note(activity) } catch { throw APIError(error) }
  }
}
