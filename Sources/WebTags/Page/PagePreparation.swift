import Foundation
import Hits

extension PageFailure {
  /// A failure that is thrown.
  struct Thrown: Error, Sendable {
    var failure: PageFailure
  }
}

/// Puts a page together before the host gets it: parameters, fetch or cache, cookies, hash (WT-200 to WT-215).
struct PagePreparation: Sendable {
  /// Query providers are waited for that long (WT-215).
  static let longestProviding = Duration.seconds(5)

  let configuration: WebTagsConfiguration
  let environment: WebTagsEnvironment
  let fetcher: PageFetcher
  let cached: CachedPage?

  /// A page for the host.
  struct Page: Sendable {
    /// The URL it counts as, with its parameters.
    var url: String
    /// Its text; nil when the engine is to fetch it.
    var html: String?
    /// Where the text came from, when it was fetched.
    var origin: PageOrigin?
    /// The answer, when it is a new one.
    var response: HTTPResponse?
    /// Whether the server said that what is kept is what it has.
    var isConfirmed = false
    /// What is to be kept of it.
    var keep: CachedPage?
    var cookies: [WebCookie] = []
  }

  func page() async throws(PageFailure.Thrown) -> Page {
    let plain = PageAddress.pageURL(of: configuration)
    let url = PageAddress.withQuery(
      plain, configuration, device: environment.device, wallSeconds: environment.clock.wallMilliseconds / 1000,
      provided: await provided())
    switch configuration.pageMode {
    case .direct: return Page(url: url.absoluteString)
    case .bundled(let html, _):
      let policy = configuration.contentSecurityPolicy
      return Page(url: url.absoluteString, html: policy.map { PageShell.html(html, policy: $0) } ?? html)
    case .generated:
      guard let script = configuration.universalTag.scriptURL(of: configuration) else {
        throw .init(failure: PageFailure(.loadFailed, "the universal tag names no script"))
      }
      let html = PageShell.html(
        script: script, prelude: configuration.universalTag.prelude(noSessionCount: configuration.sessionCounting),
        integrity: configuration.integrity.pins[script], policy: configuration.contentSecurityPolicy)
      return Page(url: url.absoluteString, html: html)
    case .fetched: return try await fetched(url, plain: plain)
    }
  }

  private func fetched(_ url: URL, plain: URL) async throws(PageFailure.Thrown) -> Page {
    // What is kept of another page, such as of an earlier configuration, is not asked about.
    let usable = cached.flatMap { Self.isSame($0.url, url.absoluteString) && holds($0.body, plain) ? $0 : nil }
    do throws(PageFetcher.Failure) {
      let answer = try await fetcher.get(
        url, etag: usable?.etag, lastModified: usable?.lastModified,
        hosts: PageFetcher.pageHosts(configuration), timeout: configuration.limits.load)
      guard case .new(let response) = answer else {
        guard let usable else { throw .permanent(PageFailure(.badDocument, "nothing is kept that could be unchanged")) }
        return page(usable, url: url, isConfirmed: true)
      }
      guard PageFetcher.isPage(response) else {
        throw .permanent(PageFailure(.badDocument, "the answer is no HTML"))
      }
      guard holds(response.body, plain) else {
        if let usable { return page(usable, url: url) }
        throw .permanent(PageFailure(.integrity, "\(WebTagsLog.plain(plain.absoluteString)) is not what is pinned"))
      }
      var page = Page(url: response.url.isEmpty ? url.absoluteString : response.url)
      page.html = String(decoding: response.body, as: UTF8.self)
      page.origin = .network
      page.response = response
      let now = environment.clock.wallMilliseconds
      page.keep = CachedPage(
        url: page.url, etag: response.headers["ETag"], lastModified: response.headers["Last-Modified"], time: now,
        body: response.body)
      if let host = URL(string: page.url) {
        page.cookies = WebCookie.cookies(
          set: response, for: host, now: Date(timeIntervalSince1970: Double(now) / 1000))
      }
      return page
    } catch {
      let now = environment.clock.wallMilliseconds
      if case .temporary = error, let usable, now.since(usable.time) < CachedPage.longestAge {
        return page(usable, url: url)
      }
      throw .init(failure: error.failure)
    }
  }

  private func page(_ kept: CachedPage, url: URL, isConfirmed: Bool = false) -> Page {
    var page = Page(url: url.absoluteString, html: String(decoding: kept.body, as: UTF8.self))
    page.origin = isConfirmed ? .network : .cache
    page.isConfirmed = isConfirmed
    if isConfirmed {
      page.keep = kept
      page.keep?.time = environment.clock.wallMilliseconds
    }
    return page
  }

  /// Whether two URLs are one page's: the parameters may have changed since.
  private static func isSame(_ left: String, _ right: String) -> Bool {
    WebTagsLog.plain(left) == WebTagsLog.plain(right)
  }

  /// Whether a text has the hash that is pinned for its URL; without a way to tell, it has not (WT-830).
  private func holds(_ body: [UInt8], _ url: URL) -> Bool {
    guard let pin = configuration.integrity.pins[url] else { return true }
    return environment.hash?(pin.algorithm, body) == pin.bytes
  }

  /// What the providers give within their time, in their order.
  private func provided() async -> [[URLQueryItem]] {
    let providers = configuration.queryProviders
    guard !providers.isEmpty else { return [] }
    let found = Found(count: providers.count)
    let done = Promise<Bool>()
    let tasks = providers.enumerated().map { index, provider in
      Task {
        // A provider that throws gives nothing.
        found.set(index, (try? await provider.queryItems()) ?? [])
        if found.isComplete { done.fulfil(true) }
      }
    }
    let clock = environment.clock
    let limit = Task {
      do { try await clock.sleep(for: Self.longestProviding) } catch { return }
      done.fulfil(false)
    }
    _ = await done.value
    limit.cancel()
    for task in tasks { task.cancel() }
    return found.items
  }

  private final class Found: Sendable {
    private let state: Locked<[[URLQueryItem]?]>

    init(count: Int) { state = Locked(Array(repeating: nil, count: count)) }

    func set(_ index: Int, _ items: [URLQueryItem]) { state.withLock { $0[index] = items } }
    var isComplete: Bool { state.withLock { $0.allSatisfy { $0 != nil } } }
    var items: [[URLQueryItem]] { state.withLock { $0.map { $0 ?? [] } } }
  }

  /// The bootstrap of a page.
  func bootstrap(for page: Page, token: String, hidesStorage: Bool) -> String {
    var overrides: JSONObject = [:]
    if configuration.universalTag.parts.contains(.utag) {
      overrides["noview"] = true
      if configuration.sessionCounting { overrides["no_session_count"] = true }
      if hidesStorage {
        overrides["ignoreLocalStorage"] = true
        overrides["ignoreSessionStorage"] = true
      }
    }
    return Bootstrap.source(
      Bootstrap.Options(
        token: token, origin: PageAddress.origin(of: page.url) ?? "", scheme: configuration.commandScheme,
        overrides: overrides, beaconFallback: configuration.beaconFallback,
        scripts: configuration.universalTag.furtherScripts(of: configuration)),
      for: configuration.universalTag)
  }
}
