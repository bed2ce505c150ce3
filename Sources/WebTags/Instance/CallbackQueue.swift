/// Calls of the app, one after another, beside the instance's loop.
struct CallbackQueue: Sendable {
  private let instance: InstanceState
  private let mailbox = Mailbox<@Sendable () async -> Void>()
  private let task: Task<Void, Never>

  /// - Parameter didCall: called after each call.
  init(_ instance: InstanceState, didCall: @escaping @Sendable () -> Void) {
    self.instance = instance
    let mailbox = mailbox
    task = Task {
      while let calls = await mailbox.next() {
        for call in calls {
          await AppCall.make(by: instance) { await call() }
          didCall()
        }
      }
    }
  }

  func add(_ call: @escaping @Sendable () async -> Void) { mailbox.put(call) }

  /// Returns when all calls have been made; one that comes from a call does not wait for itself.
  func finish() async {
    mailbox.finish()
    if !AppCall.isUnderWay(of: instance) { await task.value }
  }
}
