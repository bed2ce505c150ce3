import CWebKitGTK
package import Foundation

/// The end of a helper's parent without the end of its pipe, such as when another child of the parent holds that.
package enum ParentDeath {
  /// Calls back when the parent ends; keep what is returned.
  package static func watch(then end: @escaping @Sendable () -> Void) -> any DispatchSourceSignal {
    signal(SIGTERM, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .global())
    source.setEventHandler(handler: end)
    source.resume()
    // It comes when the thread ends that started this process, which in `WebViewHost` lives as long as this does.
    cwebkit_signal_at_parent_end(SIGTERM)
    return source
  }
}
