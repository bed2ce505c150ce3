#if os(Linux)
  import CGTK

  typealias Widget = UnsafeMutablePointer<GtkWidget>

  /// Connects signals of GTK, which all come on its thread, the main one.
  @MainActor
  enum GTKSignal {
    /// A body that a signal keeps until its object is gone.
    private final class Handler<Body> {
      let body: Body
      init(_ body: Body) { self.body = body }
    }

    private static func connect<Body>(
      _ object: UnsafeMutableRawPointer, _ name: String, _ callback: GCallback, _ body: Body
    ) {
      let context = Unmanaged.passRetained(Handler(body)).toOpaque()
      cgtk_connect(object, name, callback, context) { context, _ in
        if let context { Unmanaged<AnyObject>.fromOpaque(context).release() }
      }
    }

    /// Runs a body of a context that a signal brings; pointers do not cross isolation, their numbers do.
    private nonisolated static func call<Body, Result: Sendable>(
      _ context: gpointer?, _: Body.Type, _ run: @MainActor (Body) -> Result, otherwise: Result
    ) -> Result {
      let address = UInt(bitPattern: context)
      return MainActor.assumeIsolated {
        guard let context = UnsafeRawPointer(bitPattern: address) else { return otherwise }
        return run(Unmanaged<Handler<Body>>.fromOpaque(context).takeUnretainedValue().body)
      }
    }

    /// `clicked` of a button, by mouse, keyboard or assistive software.
    static func clicked(_ button: Widget, _ body: @escaping @MainActor () -> Void) {
      let callback: @convention(c) (gpointer?, gpointer?) -> Void = { _, context in
        GTKSignal.call(context, (@MainActor () -> Void).self, { $0() }, otherwise: ())
      }
      connect(button, "clicked", unsafeBitCast(callback, to: GCallback.self), body)
    }

    /// A press and release of the first button where no control takes it.
    static func pressed(_ widget: Widget, _ body: @escaping @MainActor (Double, Double) -> Void) {
      guard let gesture = gtk_gesture_click_new() else { return }
      let callback: @convention(c) (gpointer?, gint, Double, Double, gpointer?) -> Void = { _, _, x, y, context in
        GTKSignal.call(context, (@MainActor (Double, Double) -> Void).self, { $0(x, y) }, otherwise: ())
      }
      connect(UnsafeMutableRawPointer(gesture), "released", unsafeBitCast(callback, to: GCallback.self), body)
      gtk_widget_add_controller(widget, gesture)
    }

    /// A key, before any widget sees it; true takes it.
    static func keyPressed(_ widget: Widget, _ body: @escaping @MainActor (UInt32) -> Bool) {
      guard let keys = gtk_event_controller_key_new() else { return }
      gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE)
      let callback: @convention(c) (gpointer?, guint, guint, guint, gpointer?) -> gboolean = { _, key, _, _, context in
        GTKSignal.call(context, (@MainActor (UInt32) -> Bool).self, { $0(key) ? 1 : 0 }, otherwise: 0)
      }
      connect(UnsafeMutableRawPointer(keys), "key-pressed", unsafeBitCast(callback, to: GCallback.self), body)
      gtk_widget_add_controller(widget, keys)
    }

    /// A new size of a drawing area.
    static func resized(_ area: Widget, _ body: @escaping @MainActor (Int, Int) -> Void) {
      let callback: @convention(c) (gpointer?, gint, gint, gpointer?) -> Void = { _, width, height, context in
        GTKSignal.call(
          context, (@MainActor (Int, Int) -> Void).self, { $0(Int(width), Int(height)) }, otherwise: ())
      }
      connect(area, "resize", unsafeBitCast(callback, to: GCallback.self), body)
    }

    /// The person closes a window; the body decides what becomes of it.
    static func closed(_ window: Widget, _ body: @escaping @MainActor () -> Void) {
      let callback: @convention(c) (gpointer?, gpointer?) -> gboolean = { _, context in
        GTKSignal.call(context, (@MainActor () -> Void).self, { $0() }, otherwise: ())
        return 1
      }
      connect(window, "close-request", unsafeBitCast(callback, to: GCallback.self), body)
    }
  }
#endif
