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
    let events: AsyncStream<PageEvent>
    private let report: AsyncStream<PageEvent>.Continuation
    private let phase = Locked(PagePhase<WebViewPage>.new)

    init() { (events, report) = AsyncStream.makeStream() }

    deinit {
      report.finish()
      guard let page else { return }
      Task { @MainActor in page.close() }
    }

    @discardableResult
    func open(_ options: PageHostOptions) async throws(PageHostError) -> PageHostCapabilities {
      try phase.withLock { phase throws(PageHostError) in try phase.begin() }
      let opened: Result<WebViewPage, PageHostError> = await WebViewPage.open(options) { [report] in report.yield($0) }
      do throws(PageHostError) {
        let page = try opened.get()
        try phase.withLock { phase throws(PageHostError) in try phase.opened(page) }
      } catch {
        if case .success(let page) = opened { await page.close() }
        throw phase.withLock { $0.failed(error) }
      }
      return PageHostCapabilities(
        engine: "WKWebView", tellsNavigationFrames: true, reportsRequests: false,
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
      switch phase.withLock({ $0.end(.closed) }) {
      case .open(let page): await page.close()
      case .new, .opening, .over: report.yield(PageEvent(load: nil, .closed))
      case nil: return
      }
      report.finish()
    }

    private var page: WebViewPage? { try? opened() }

    private func opened() throws(PageHostError) -> WebViewPage {
      try phase.withLock { phase throws(PageHostError) in try phase.page }
    }
  }
#endif
