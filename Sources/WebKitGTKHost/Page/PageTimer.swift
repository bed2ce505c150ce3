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
