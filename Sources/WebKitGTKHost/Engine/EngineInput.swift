import CWebKitGTK

/// Input of the process that the engine's thread reads, so that what it asks of the engine begins at once.
package enum EngineInput {
  private final class Reader: Sendable {
    let read: @Sendable () -> Bool
    let end: @Sendable () -> Void

    init(read: @escaping @Sendable () -> Bool, end: @escaping @Sendable () -> Void) {
      self.read = read
      self.end = end
    }
  }

  /// Has the engine's thread read a descriptor from now on.
  ///
  /// - Parameters:
  ///   - read: reads what is there; false at the end.
  ///   - end: is called after that.
  /// - Returns: whether it does; not before the engine runs on a thread of its own.
  package static func watch(
    _ descriptor: Int32, read: @escaping @Sendable () -> Bool, end: @escaping @Sendable () -> Void
  ) -> Bool {
    guard Engine.hasThread else { return false }
    g_unix_fd_add_full(
      G_PRIORITY_DEFAULT, descriptor, GIOCondition(G_IO_IN.rawValue | G_IO_HUP.rawValue | G_IO_ERR.rawValue),
      { _, _, context in
        guard let context else { return 0 }
        let reader = Unmanaged<Reader>.fromOpaque(context).takeUnretainedValue()
        if reader.read() { return 1 }
        reader.end()
        return 0
      }, Unmanaged.passRetained(Reader(read: read, end: end)).toOpaque(),
      { context in
        if let context { Unmanaged<Reader>.fromOpaque(context).release() }
      })
    return true
  }
}
