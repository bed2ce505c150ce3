import CWebKitGTK
import Foundation
import Hits
import WebTags

/// WebKitGTK in this process: checked, given a display, and run on its thread, once (WT-732 to WT-734).
///
/// GTK can be initialized once in a process, so the first start decides and later ones get its outcome.
enum Engine {
  /// What runs here.
  struct Description: Sendable {
    /// The engine's name and version.
    var name: String
    /// Whether web processes are in a sandbox.
    var isSandboxed: Bool
  }

  private static let outcome = Locked<Result<Description, PageHostError>?>(nil)
  private static let threadRuns = Locked(false)

  /// Whether the engine runs on a thread of its own.
  static var hasThread: Bool { threadRuns.withLock { $0 } }

  /// Starts the engine unless it has been started; takes some 100 ms on a thread of its own.
  static func start(_ settings: EngineSettings, on place: EnginePlace) async throws(PageHostError) -> Description {
    let result = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let result = outcome.withLock { outcome in
          if let outcome { return outcome }
          let result = Result { () throws(PageHostError) in try startNow(settings, on: place) }
          outcome = result
          return result
        }
        continuation.resume(returning: result)
      }
    }
    return try result.get()
  }

  private static func startNow(_ settings: EngineSettings, on place: EnginePlace) throws(PageHostError) -> Description {
    let name =
      "WebKitGTK \(webkit_get_major_version()).\(webkit_get_minor_version()).\(webkit_get_micro_version())"
    let isSandboxed = try prepareSandbox(settings.sandbox)
    if let failure = GraphicsCheck.failure() { throw PageHostError(.unavailable, failure) }
    switch place {
    case .ownThread: try runThread(backend: try DisplayServer.start(settings.display))
    case .applicationContext:
      guard gtk_is_initialized() != 0 else {
        throw PageHostError(.unavailable, "the app has not initialized GTK")
      }
    }
    return Description(name: name, isSandboxed: isSandboxed)
  }

  /// Decides on the sandbox while no web process has started.
  private static func prepareSandbox(_ sandbox: EngineSettings.Sandbox) throws(PageHostError) -> Bool {
    let failure = sandbox == .disabled ? "switched off" : SandboxCheck.failure()
    guard let failure else { return true }
    if sandbox == .required { throw PageHostError(.unavailable, failure) }
    setenv("WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS", "1", 1)
    return false
  }

  /// Runs GLib's default main context on a new thread, for as long as the process lives.
  private static func runThread(backend: String?) throws(PageHostError) {
    let started = DispatchSemaphore(value: 0)
    let hasDisplay = Locked(false)
    let thread = Thread {
      // These must be the first calls of GTK, and on its thread.
      if let backend { gdk_set_allowed_backends(backend) }
      gtk_disable_setlocale()
      let isReady = gtk_init_check() != 0
      hasDisplay.withLock { $0 = isReady }
      started.signal()
      if isReady { g_main_loop_run(g_main_loop_new(nil, 0)) }
    }
    thread.name = "WebKit"
    thread.stackSize = 8 << 20
    thread.start()
    started.wait()
    guard hasDisplay.withLock({ $0 }) else {
      throw PageHostError(.unavailable, "GTK found no display to open")
    }
    threadRuns.withLock { $0 = true }
  }
}

/// Where the engine runs inside this process.
public enum EnginePlace: Sendable, Hashable {
  /// On a thread of its own, which runs GLib's default main context.
  case ownThread
  /// On the app's GTK thread, which runs that context; needed to share the session of the app's own web views.
  case applicationContext
}
