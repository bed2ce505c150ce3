public import Foundation

/// The port to a web engine: one page, never shown, in one engine (WT-700).
///
/// A host starts no work of its own. It is opened once, loads documents one after another, takes calls at any time and
/// is closed once. All that happens in it comes as `events`.
///
///     open ──▶ empty ──load──▶ loading ──▶ loaded ──load──▶ loading …      close from anywhere, for good
///
/// - Texts from a page are hostile: an adapter hands them on as they are and never writes one into a source text.
/// - Every call ends: with a value, an error, `processTerminated` or `timeout`. A call before the first load, or during
///   one, waits for the load and then runs or fails with it (WT-315).
/// - After the content process died, the host stays usable: the next `load` starts a new one. After
///   `processTerminated(.helper)` it is not: a new host is needed.
public protocol PageHost: Sendable {
  /// What happens, in order, without a bound, for one consumer; it ends after `closed`.
  var events: AsyncStream<PageEvent> { get }

  /// Starts the engine.
  ///
  /// - Returns: what this engine can tell.
  /// - Throws: `unavailable` with what is missing, before the engine could end the process.
  @discardableResult
  func open(_ options: PageHostOptions) async throws(PageHostError) -> PageHostCapabilities

  /// Begins to load a document; what becomes of it comes as events that carry the id.
  ///
  /// A load under way ends with `failed(superseded)`. Calls that wait for it wait for the new one.
  func load(_ source: PageSource, id: LoadID) async

  /// Calls a function of the page with one argument and waits for its promise.
  ///
  /// Calls start in the order in which they are made; 64 may be outstanding, further ones wait (WT-702).
  ///
  /// - Parameters:
  ///   - path: a function as `PagePath` describes it, such as `__tagworks.deliver`.
  ///   - argument: JSON text; the page gets what `JSON.parse` makes of it.
  /// - Returns: the result as JSON text; `undefined` and functions are `null`.
  /// - Throws: any code of WT-703 but those of loads.
  func call(_ path: String, _ argument: String) async throws(PageHostError) -> String

  /// Calls a function of the page as the method above does; for a host whose engine ends a call on a thread of its own,
  /// without a way to another thread.
  ///
  /// - Parameter end: is called once with the result, on any thread, which it must not hold up.
  func call(
    _ path: String, _ argument: String, then end: @escaping @Sendable (Result<String, PageHostError>) -> Void)

  /// Sets the source that runs at the start of each document of the main frame, from the next load on.
  ///
  /// It runs before any script of the page, in the page's world. It posts texts with
  /// `window.webkit.messageHandlers.tagworks.postMessage`.
  func setBootstrap(_ source: String) async

  /// Sets what the page may reach, in all frames, before a request leaves (WT-810).
  func setNetworkPolicy(_ policy: NetworkPolicy) async throws(PageHostError)

  /// The cookies that a request to the URL would carry, or all; those out of scripts' reach included.
  func cookies(for url: URL?) async throws(PageHostError) -> [WebCookie]

  /// Puts a cookie into the jar, in place of one with the same name, domain and path.
  func setCookie(_ cookie: WebCookie) async throws(PageHostError)

  /// Removes the cookies of a URL's host and of its parent domains, or all.
  func removeCookies(for url: URL?) async throws(PageHostError)

  /// Removes cookies, web storage, databases and caches of the page's session.
  func eraseData() async throws(PageHostError)

  /// Places the page in another view, where the platform has views (WT-762).
  func updateAttachment(_ attachment: Attachment) async

  /// Returns when the requests of the page have ended, at the latest after `limit`; an engine that does not report its
  /// requests waits one second (WT-430).
  func drain(limit: Duration) async

  /// Ends the load under way; nothing of it is reported any more, and calls that wait for it fail with `superseded`.
  func stop() async

  /// Ends the content process, even one in an endless loop; `processTerminated(.api)` follows within two seconds.
  func terminate() async

  /// Ends the page and its processes, within three seconds; outstanding calls fail with `closed`. A second call does
  /// nothing more.
  func close() async
}

extension PageHost {
  /// Does nothing: the platform has no views.
  public func updateAttachment(_ attachment: Attachment) async {}

  /// Waits for the method that waits.
  public func call(
    _ path: String, _ argument: String, then end: @escaping @Sendable (Result<String, PageHostError>) -> Void
  ) {
    // Runs to its first suspension at once: so calls start in their order.
    Task.immediate {
      do throws(PageHostError) { end(.success(try await call(path, argument))) } catch { end(.failure(error)) }
    }
  }
}

/// Makes the hosts of an app's pages.
public protocol PageHostFactory: Sendable {
  /// Whether pages can share the cookies of the app's own web views (WT-145).
  var sharesAppSession: Bool { get }

  /// Makes a host that is not open yet.
  func make() -> any PageHost
}

/// What a page is made from.
public enum PageSource: Sendable, Hashable {
  /// A text and the URL it counts as; no response event comes of it (WT-303).
  case html(String, base: URL)
  /// A URL to go to.
  case url(URL)
}

/// The number of one load of one page.
public struct LoadID: RawRepresentable, Sendable, Hashable, Comparable, Codable {
  /// Greater for later loads.
  public let rawValue: UInt64

  /// Makes an id.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Whether the left load began earlier.
  public static func < (left: LoadID, right: LoadID) -> Bool { left.rawValue < right.rawValue }
}
