#if canImport(WebKit)
  import Foundation
  import Hits
  import WebTags

  /// The port to a page in the system's web view (WT-760 to WT-763).
  ///
  /// It was written without a machine that can compile it: this file and its neighbours in this folder are guarded
  /// whole, and no test of this package's own runs them. The contract of `PageHost` in `TestSupport` is the test to run.
  ///
  /// All that touches the web view is in `WebViewPage`, on the main actor; this is the face that any task may use.
  final class WebViewPageHost: PageHost {
    private enum Phase: Sendable {
      case new
      case opening
      case open(WebViewPage)
      case closed
    }

    let events: AsyncStream<PageEvent>
    private let report: AsyncStream<PageEvent>.Continuation
    private let phase = Locked(Phase.new)

    init() { (events, report) = AsyncStream.makeStream() }

    deinit {
      report.finish()
      guard case .open(let page) = phase.withLock({ $0 }) else { return }
      Task { @MainActor in page.close() }
    }

    @discardableResult
    func open(_ options: PageHostOptions) async throws(PageHostError) -> PageHostCapabilities {
      let isNew = phase.withLock { phase in
        guard case .new = phase else { return false }
        phase = .opening
        return true
      }
      guard isNew else { throw isClosed ? .closed : PageHostError(.unavailable, "the page is open already") }
      let opened: Result<WebViewPage, PageHostError> = await WebViewPage.open(options) { [report] in report.yield($0) }
      let page: WebViewPage
      do throws(PageHostError) { page = try opened.get() } catch {
        phase.withLock { phase in
          if case .opening = phase { phase = .new }
        }
        throw error
      }
      let isClosed = phase.withLock { phase in
        if case .closed = phase { return true }
        phase = .open(page)
        return false
      }
      if isClosed {
        await page.close()
        throw .closed
      }
      return PageHostCapabilities(
        engine: "WKWebView", tellsNavigationFrames: true, tellsMessageFrames: true, reportsRequests: false,
        isSandboxed: true)
    }

    func load(_ source: PageSource, id: LoadID) async { await page?.load(source, id: id) }

    func call(_ path: String, _ argument: String) async throws(PageHostError) -> String {
      let page = try opened()
      let result = await Self.run(path, argument, on: page)
      return try result.get()
    }

    @MainActor
    private static func run(_ path: String, _ argument: String, on page: WebViewPage) async -> Result<
      String, PageHostError
    > {
      await withCheckedContinuation { continuation in
        page.call(path, argument) { continuation.resume(returning: $0) }
      }
    }

    func setBootstrap(_ source: String) async { await page?.setBootstrap(source) }

    func setNetworkPolicy(_ policy: NetworkPolicy) async throws(PageHostError) {
      try await opened().setNetworkPolicy(policy)
    }

    func cookies(for url: URL?) async throws(PageHostError) -> [WebCookie] {
      let jar = await (try opened()).cookies()
      guard let url else { return jar }
      return jar.filter { $0.isSent(to: url) }
    }

    func setCookie(_ cookie: WebCookie) async throws(PageHostError) {
      guard await (try opened()).setCookie(cookie) else {
        throw PageHostError(.engineFailed, "a cookie needs a name and a domain")
      }
    }

    func removeCookies(for url: URL?) async throws(PageHostError) {
      let page = try opened()
      let host = url.map { ($0.host ?? "").lowercased() }
      await page.removeCookies { domain in
        let bare = domain.hasPrefix(".") ? String(domain.dropFirst()) : domain
        return host.map { $0 == bare || $0.hasSuffix("." + bare) } ?? true
      }
    }

    func eraseData() async throws(PageHostError) { await (try opened()).eraseData() }

    func updateAttachment(_ attachment: Attachment) async { await page?.attach(attachment) }

    /// Waits one second: WebKit does not report the requests of a page (WT-430).
    func drain(limit: Duration) async {
      // A cancelled wait is over.
      try? await Task.sleep(for: min(limit, .seconds(1)))
    }

    func stop() async { await page?.stop() }

    func terminate() async { await page?.terminate() }

    func close() async {
      let before = phase.withLock { phase in
        defer { phase = .closed }
        return phase
      }
      switch before {
      case .open(let page): await page.close()
      case .new, .opening: report.yield(PageEvent(load: nil, .closed))
      case .closed: return
      }
      report.finish()
    }

    private var page: WebViewPage? {
      if case .open(let page) = phase.withLock({ $0 }) { page } else { nil }
    }

    private var isClosed: Bool {
      if case .closed = phase.withLock({ $0 }) { true } else { false }
    }

    private func opened() throws(PageHostError) -> WebViewPage {
      guard let page else { throw isClosed ? .closed : .notOpen }
      return page
    }
  }
#endif
