/// Calls of the app, one after another, beside the instance's loop.
struct CallbackQueue: Sendable {
  private let mailbox = Mailbox<@Sendable () async -> Void>()
  private let task: Task<Void, Never>

  /// - Parameter didCall: called after each call.
  init(didCall: @escaping @Sendable () -> Void) {
    let mailbox = mailbox
    task = Task {
      while let calls = await mailbox.next() {
        for call in calls {
          await WebTagManager.$isInCallback.withValue(true) { await call() }
          didCall()
        }
      }
    }
  }

  func add(_ call: @escaping @Sendable () async -> Void) { mailbox.put(call) }

  /// Returns when all calls have been made; one that comes from a call does not wait for itself.
  func finish() async {
    mailbox.finish()
    if !WebTagManager.isInCallback { await task.value }
  }
}
