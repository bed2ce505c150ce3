import Hits

/// A call of the app by an instance, for as long as it lasts: what waits for the call must not be waited for in it.
///
/// A task that the app starts in a call inherits it; once the call is over, the task may wait like any other.
final class AppCall: Sendable {
  @TaskLocal private static var current: AppCall?

  private let instance: ObjectIdentifier
  private let holdsLoop: Bool
  private let isOver = Locked(false)

  private init(_ instance: InstanceState, holdsLoop: Bool) {
    self.instance = ObjectIdentifier(instance)
    self.holdsLoop = holdsLoop
  }

  /// Makes a call.
  ///
  /// - Parameter holdsLoop: whether the instance's loop waits for the answer.
  static func make<Answer>(
    by instance: InstanceState, holdsLoop: Bool = false, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Answer
  ) async rethrows -> Answer {
    let call = AppCall(instance, holdsLoop: holdsLoop)
    defer { call.isOver.withLock { $0 = true } }
    return try await $current.withValue(call, operation: body)
  }

  /// Whether the code that runs is in a call of the instance.
  static func isUnderWay(of instance: InstanceState) -> Bool {
    guard let current, current.instance == ObjectIdentifier(instance) else { return false }
    return !current.isOver.withLock { $0 }
  }

  /// Whether the code that runs is in a call for which the instance's loop waits.
  static func holdsLoop(of instance: InstanceState) -> Bool { current?.holdsLoop == true && isUnderWay(of: instance) }
}
