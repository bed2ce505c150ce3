#if os(Linux)
  import CGTK
  import Glibc

  /// GTK's main loop on the main thread, which also runs the main actor.
  ///
  /// GTK waits in GLib's loop, where nobody drains the queue that the main actor runs on: everything on the main actor
  /// would wait for ever. libdispatch exports a descriptor that is readable when the queue has work, and a call that
  /// does the work; CoreFoundation's run loop uses the same two.
  @MainActor
  public final class GTKLoop {
    /// Why there is no window.
    public struct Failure: Error, Sendable, CustomStringConvertible {
      /// A sentence.
      public let description = "no display: DISPLAY and WAYLAND_DISPLAY name none that can be opened"
    }

    private var isStopped = false

    /// Opens the display, on the main thread.
    public init() throws(Failure) {
      guard gtk_init_check() != 0 else { throw Failure() }
      // GTK takes the person's locale, and C libraries then read "1,5" for 1.5.
      setlocale(LC_NUMERIC, "C")
      g_unix_fd_add(mainQueueDescriptor(), G_IO_IN, drain, nil)
    }

    /// Runs until `stop` is called.
    public func run() { while !isStopped { g_main_context_iteration(nil, 1) } }

    /// Ends `run`.
    public func stop() {
      isStopped = true
      g_main_context_wakeup(nil)
    }
  }

  @_silgen_name("_dispatch_get_main_queue_handle_4CF") private func mainQueueDescriptor() -> Int32
  @_silgen_name("_dispatch_main_queue_callback_4CF") private func drainMainQueue(_ message: UnsafeMutableRawPointer?)

  private let drain: @convention(c) (gint, GIOCondition, gpointer?) -> gboolean = { descriptor, _, _ in
    var count: UInt64 = 0
    _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
    drainMainQueue(nil)
    return 1
  }
#endif
