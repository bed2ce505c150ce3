import CWebKitGTK

/// Work that a page does after a time.
@WebKitActor
final class PageTimer {
  private weak var page: EnginePage?
  private let work: @WebKitActor (EnginePage) -> Void

  init(page: EnginePage, work: @escaping @WebKitActor (EnginePage) -> Void) {
    self.page = page
    self.work = work
  }

  fileprivate func fire() {
    if let page { work(page) }
  }
}

/// What GLib calls once when the time is over, and then lets go of.
let fireTimer: GSourceFunc = { context in
  guard let context else { return 0 }
  let timer = Unmanaged<PageTimer>.fromOpaque(context).takeUnretainedValue()
  WebKitActor.assumeIsolated { timer.fire() }
  return 0
}

let releaseTimer: GDestroyNotify = { context in
  if let context { Unmanaged<PageTimer>.fromOpaque(context).release() }
}

/// How many of something are let through in a second.
struct RateLimit: Sendable {
  private let perSecond: Int
  private var second: UInt64 = 0
  private var count = 0

  init(perSecond: Int) { self.perSecond = perSecond }

  /// Whether one more is let through at a time in nanoseconds.
  mutating func allows(at time: UInt64) -> Bool {
    let now = time / 1_000_000_000
    if now != second { (second, count) = (now, 0) }
    count += 1
    return count <= perSecond
  }
}
