import CWebKitGTK

/// Waits for one of GLib's asynchronous calls.
///
/// `start` makes the call with the two last arguments it is given; `finish` gets the source object and the result, on
/// the engine's thread, and calls the matching `_finish` function.
@WebKitActor
func asyncCall<Value: Sendable>(
  _ start: (GAsyncReadyCallback, gpointer) -> Void,
  finish: @escaping @WebKitActor (UnsafeMutablePointer<GObject>?, OpaquePointer?) -> Value
) async -> Value {
  await withCheckedContinuation { continuation in
    start(completeCall, CallCompletion.context { continuation.resume(returning: finish($0, $1)) })
  }
}

/// What is to be done when an asynchronous call of GLib ends.
@WebKitActor
final class CallCompletion {
  fileprivate let body: @WebKitActor (UnsafeMutablePointer<GObject>?, OpaquePointer?) -> Void

  private init(_ body: @escaping @WebKitActor (UnsafeMutablePointer<GObject>?, OpaquePointer?) -> Void) {
    self.body = body
  }

  /// The context to give with `completeCall`.
  static func context(
    _ body: @escaping @WebKitActor (UnsafeMutablePointer<GObject>?, OpaquePointer?) -> Void
  ) -> gpointer {
    Unmanaged.passRetained(CallCompletion(body)).toOpaque()
  }
}

/// The callback of every asynchronous call; GLib calls it once.
let completeCall: GAsyncReadyCallback = { object, result, context in
  guard let context else { return }
  let completion = Unmanaged<CallCompletion>.fromOpaque(context).takeRetainedValue()
  // Both pointers live until this function returns, and the work is done before that.
  nonisolated(unsafe) let (object, result) = (object, result)
  WebKitActor.assumeIsolated { completion.body(object, result) }
}

/// What GLib said of a failure; frees it.
func takeMessage(_ error: UnsafeMutablePointer<GError>?) -> String {
  guard let error else { return "no reason was given" }
  defer { g_error_free(error) }
  return String(cString: error.pointee.message)
}
