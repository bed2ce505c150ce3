public import Foundation
import Hits
public import WebTags

/// The port to a page in WebKitGTK, in this process (WT-730 to WT-736).
///
/// An abort of the engine is an abort of the process: apps take `WebViewHost`, which has this in a helper process.
public final class WebKitGTKHost: PageHost {
  /// What happens in the page.
  public let events: AsyncStream<PageEvent>
  private let report: AsyncStream<PageEvent>.Continuation
  private let settings: EngineSettings
  private let place: EnginePlace
  private let phase = Locked(PagePhase<EnginePage>.new)

  /// Makes a host that is not open yet.
  ///
  /// - Parameters:
  ///   - settings: how the engine is started, when it is not running yet.
  ///   - place: the thread on which it runs.
  public init(settings: EngineSettings = EngineSettings(), place: EnginePlace = .ownThread) {
    self.settings = settings
    self.place = place
    (events, report) = AsyncStream.makeStream()
  }

  deinit {
    report.finish()
    guard let page else { return }
    Task { @WebKitActor in page.close() }
  }

  /// Starts the engine when it is not running, and makes the page.
  @discardableResult
  public func open(_ options: PageHostOptions) async throws(PageHostError) -> PageHostCapabilities {
    try phase.withLock { phase throws(PageHostError) in try phase.begin() }
    do throws(PageHostError) {
      if options.session == .appDefault, place != .applicationContext {
        throw PageHostError(.unavailable, "needs the in-process host on the app's main context")
      }
      let engine = try await Engine.start(settings, on: place)
      let page = try await EnginePage(options: options) { [report] event in report.yield(event) }
      do throws(PageHostError) {
        try phase.withLock { phase throws(PageHostError) in try phase.opened(page) }
      } catch {
        await page.close()
        throw error
      }
      return PageHostCapabilities(
        engine: engine.name, tellsNavigationFrames: false, reportsRequests: true,
        isSandboxed: engine.isSandboxed)
    } catch {
      throw phase.withLock { $0.failed(error) }
    }
  }

  /// Begins to load a document.
  public func load(_ source: PageSource, id: LoadID) async { await page?.load(source, id: id) }

  /// Calls a function of the page.
  public func call(_ path: String, _ argument: String) async throws(PageHostError) -> String {
    let result = await withCheckedContinuation { continuation in
      call(path, argument) { continuation.resume(returning: $0) }
    }
    return try result.get()
  }

  /// Calls a function of the page; `end` is called on the engine's thread.
  public func call(
    _ path: String, _ argument: String, then end: @escaping @Sendable (Result<String, PageHostError>) -> Void
  ) {
    do throws(PageHostError) {
      let page = try opened()
      WebKitActor.enqueue { page.call(path, argument, completion: end) }
    } catch {
      end(.failure(error))
    }
  }

  /// Sets the source that runs at the start of each document.
  public func setBootstrap(_ source: String) async { await page?.setBootstrap(source) }

  /// Sets what the page may reach.
  public func setNetworkPolicy(_ policy: NetworkPolicy) async throws(PageHostError) {
    try await opened().setNetworkPolicy(policy)
  }

  /// The cookies of a URL, or all.
  public func cookies(for url: URL?) async throws(PageHostError) -> [WebCookie] {
    try await opened().session.cookies(for: url)
  }

  /// Puts a cookie into the jar.
  public func setCookie(_ cookie: WebCookie) async throws(PageHostError) { try await opened().session.set(cookie) }

  /// Removes the cookies of a URL's host and its parents, or all.
  public func removeCookies(for url: URL?) async throws(PageHostError) {
    try await opened().session.removeCookies(for: url)
  }

  /// Removes all that the page's session keeps.
  public func eraseData() async throws(PageHostError) { try await opened().session.erase() }

  /// Waits until the page's requests have ended.
  public func drain(limit: Duration) async { await page?.drain(limit: limit) }

  /// Ends the load under way.
  public func stop() async { await page?.stop() }

  /// Ends the content process.
  public func terminate() async { await page?.terminate() }

  /// Ends the page and its process.
  public func close() async {
    switch phase.withLock({ $0.end(.closed) }) {
    case .open(let page): await page.close()
    case .new, .opening, .over: report.yield(PageEvent(load: nil, .closed))
    case nil: return
    }
    report.finish()
  }

  private var page: EnginePage? { try? opened() }

  private func opened() throws(PageHostError) -> EnginePage {
    try phase.withLock { phase throws(PageHostError) in try phase.page }
  }
}

/// Makes pages of WebKitGTK in this process.
public struct WebKitGTKHostFactory: PageHostFactory {
  private let settings: EngineSettings
  private let place: EnginePlace

  /// Makes a factory; the first page that opens decides on the settings for the process.
  public init(settings: EngineSettings = EngineSettings(), place: EnginePlace = .ownThread) {
    self.settings = settings
    self.place = place
  }

  /// Whether the app's own web views can share cookies with pages: on the app's own GTK thread.
  public var sharesAppSession: Bool { place == .applicationContext }

  /// Makes a host that is not open yet.
  public func make() -> any PageHost { WebKitGTKHost(settings: settings, place: place) }
}
