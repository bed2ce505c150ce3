import CWebKitGTK

/// The one thread of a process on which WebKit, GTK and GLib's default main context run (WT-732).
///
/// Its executor hands jobs to that main context, whoever runs it: the engine's own thread, or the app's when it has a
/// GTK main loop. Jobs that come before it runs are kept.
///
/// The context is GLib's default one, not a private one: GDK attaches the display's events and its frame clock there.
@globalActor
public actor WebKitActor {
  /// The actor.
  public static let shared = WebKitActor()
  private static let executor = MainContextExecutor()

  /// The executor: GLib's default main context.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { Self.executor.asUnownedSerialExecutor() }

  /// Has work done on the engine's thread, after all that was handed to it before; nobody waits for it.
  nonisolated static func enqueue(_ work: @escaping @Sendable @WebKitActor () -> Void) {
    g_idle_add_full(
      G_PRIORITY_DEFAULT,
      { context in
        guard let context else { return 0 }
        let box = Unmanaged<WorkBox>.fromOpaque(context).takeRetainedValue()
        WebKitActor.assumeIsolated { box.work() }
        return 0
      }, Unmanaged.passRetained(WorkBox(work)).toOpaque(), nil)
  }

  private final class WorkBox: Sendable {
    let work: @Sendable @WebKitActor () -> Void

    init(_ work: @escaping @Sendable @WebKitActor () -> Void) { self.work = work }
  }

  /// Runs work at once, on the engine's thread already, as in a callback from C.
  nonisolated static func assumeIsolated<Result: Sendable>(_ work: @WebKitActor () throws -> Result) rethrows -> Result
  {
    shared.preconditionIsolated()
    // The isolation is a matter of types alone and was checked above; `MainActor.assumeIsolated` does the same.
    return try withoutActuallyEscaping(work) { work in
      try unsafeBitCast(work, to: (() throws -> Result).self)()
    }
  }
}

/// Runs jobs on GLib's default main context, in the order in which they come.
private final class MainContextExecutor: SerialExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let box = Unmanaged.passRetained(JobBox(job: UnownedJob(job), executor: self))
    g_idle_add_full(
      G_PRIORITY_DEFAULT,
      { context in
        guard let context else { return 0 }
        let box = Unmanaged<JobBox>.fromOpaque(context).takeRetainedValue()
        box.job.runSynchronously(on: box.executor.asUnownedSerialExecutor())
        return 0
      }, box.toOpaque(), nil)
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  private var isCurrent: Bool { g_main_context_is_owner(g_main_context_default()) != 0 }

  func checkIsolated() { precondition(isCurrent, "not on the engine's thread") }

  func isIsolatingCurrentContext() -> Bool? { isCurrent }

  private final class JobBox {
    let job: UnownedJob
    let executor: MainContextExecutor

    init(job: UnownedJob, executor: MainContextExecutor) {
      self.job = job
      self.executor = executor
    }
  }
}
