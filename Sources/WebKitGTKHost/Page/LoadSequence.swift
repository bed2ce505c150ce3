import Foundation
import WebTags

/// The loads of one page, one after another, told apart by the signals that WebKitGTK gives without saying of which
/// load they are.
///
///     load ──▶ requested ──decision──▶ decided ──started──▶ started ──committed──▶ committed ──finished──▶ idle
///                  └──────────────── stop, or another load ────────────────┘
///                                            ▼
///                                ending ──its end, or 500 ms──▶ idle, or the next load
///
/// A load that takes another's place waits until WebKit has ended that one: signals of both would look alike. Signals
/// that come while no load is under way are of navigations that the page tried by itself; all of them are stopped, but
/// for `about:blank`, which a frame may want and which WebKit cannot stop once it is the main frame's.
struct LoadSequence: Sendable {
  /// A load that was asked for.
  struct Load: Sendable, Equatable {
    var id: LoadID
    var source: PageSource

    /// Whether the document is a text, which is never redirected.
    var isText: Bool {
      if case .html = source { true } else { false }
    }

    /// The URL of the document.
    var url: URL {
      switch source {
      case .html(_, let base): base
      case .url(let url): url
      }
    }
  }

  /// What is to be done, in order.
  enum Action: Sendable, Equatable {
    /// Give the load to WebKit.
    case begin(Load)
    /// Tell WebKit to end what is loading.
    case stopLoading
    /// Call `guardFired` in 500 ms.
    case startGuard
    /// Tell the app.
    case report(LoadID?, PageEvent.Kind)
    /// The document of before is gone, and the new one may go nowhere by itself.
    case documentReplaced
    /// The document is there.
    case loaded
    /// There will be no document of the load.
    case notLoaded(PageHostError)
    /// The page has gone to an empty document by itself: end its process.
    case pageLost
  }

  private enum Stage: Sendable { case requested, decided, started, committed }

  private enum State: Sendable {
    case idle
    case running(Load, Stage)
    case ending(Load, Stage, next: Load?)
  }

  private var state = State.idle
  /// Whether a navigation that the page tried is on its way to be stopped; its end looks like a load's.
  private var hasOwnNavigation = false
  /// The load whose document is there: what happens in a page belongs to it.
  ///
  /// It is nil before the first document, and for one whose load was stopped or has lost its place: nothing of that is
  /// reported any more (WT-700).
  private(set) var documentID: LoadID?

  mutating func load(_ load: Load) -> [Action] {
    switch state {
    case .idle: return begin(load)
    case .running(let old, let stage):
      silence(old)
      state = .ending(old, stage, next: load)
      return [.report(old.id, .failed(.superseded)), .stopLoading, .startGuard]
    case .ending(let old, let stage, let next):
      state = .ending(old, stage, next: load)
      return next.map { [.report($0.id, .failed(.superseded))] } ?? []
    }
  }

  mutating func stop() -> [Action] {
    switch state {
    case .idle: return []
    case .running(let load, let stage):
      silence(load)
      state = .ending(load, stage, next: nil)
      return [.stopLoading, .startGuard, .notLoaded(.superseded)]
    case .ending(let load, let stage, let next):
      state = .ending(load, stage, next: nil)
      return next == nil ? [] : [.notLoaded(.superseded)]
    }
  }

  /// WebKit asks whether to go to a URL.
  ///
  /// - Returns: whether it is the load's own document; nil when it is a navigation of the page, or of a frame in it.
  mutating func decide(url: String, isAllowed: Bool) -> (allow: Bool, actions: [Action])? {
    switch state {
    case .running(let load, .requested) where Self.isSame(url, load.url):
      guard isAllowed else {
        state = .idle
        let error = PageHostError(.blocked, "the policy forbids the document's URL")
        return (false, [.report(load.id, .failed(error)), .notLoaded(error)])
      }
      state = .running(load, .decided)
      return (true, [])
    case .ending(let load, .requested, let next) where Self.isSame(url, load.url):
      return (false, settle(next))
    default: return nil
    }
  }

  mutating func started() -> [Action] {
    switch state {
    case .running(let load, .requested), .running(let load, .decided):
      state = .running(load, .started)
      return [.report(load.id, .started)]
    case .ending(let load, .requested, let next), .ending(let load, .decided, let next):
      state = .ending(load, .started, next: next)
      return [.stopLoading]
    case .idle, .running, .ending:
      hasOwnNavigation = true
      return []
    }
  }

  mutating func redirected(to url: String, isAllowed: Bool) -> [Action] {
    guard case .running(let load, .started) = state else { return [] }
    guard isAllowed else {
      state = .ending(load, .started, next: nil)
      let error = PageHostError(.blocked, "the policy forbids the redirect")
      return [.report(load.id, .failed(error)), .notLoaded(error), .stopLoading, .startGuard]
    }
    return [.report(load.id, .redirected(url: url))]
  }

  /// The main document was answered.
  ///
  /// - Returns: nil when it is none of a load's: the page went there by itself.
  mutating func answered(status: Int, mime: String?, url: String) -> [Action]? {
    guard case .running(let load, .started) = state else { return nil }
    return [.report(load.id, .response(status: status, mime: mime, url: url))]
  }

  mutating func committed() -> [Action] {
    switch state {
    case .running(let load, .started):
      state = .running(load, .committed)
      documentID = load.id
      return [.documentReplaced]
    case .ending(let load, .started, let next):
      state = .ending(load, .committed, next: next)
      documentID = nil
      return [.documentReplaced]
    case .idle:
      guard hasOwnNavigation else { return [] }
      hasOwnNavigation = false
      return [.pageLost]
    case .running, .ending: return []
    }
  }

  /// The main frame failed to go to a URL.
  mutating func failed(url: String, error: PageHostError) -> [Action] {
    // The end of it follows as `finished`, which then finds no load.
    if hasOwnNavigation {
      return [.report(documentID, .navigationBlocked(PageNavigation(url: url, kind: .navigation, frame: Self.main)))]
    }
    switch state {
    case .running(let load, .started) where load.isText && !Self.isSame(url, load.url):
      // What had started was a navigation of the page before, which the load has ended; a text is never redirected.
      state = .running(load, .decided)
      return []
    case .running(let load, .started), .running(let load, .committed):
      state = .idle
      return [.report(load.id, .failed(error)), .notLoaded(error)]
    case .running(let load, .requested) where Self.isSame(url, load.url),
      .running(let load, .decided) where Self.isSame(url, load.url):
      state = .idle
      return [.report(load.id, .failed(error)), .notLoaded(error)]
    case .idle, .running, .ending: return []
    }
  }

  mutating func finished(url: String) -> [Action] {
    if hasOwnNavigation {
      hasOwnNavigation = false
      return []
    }
    switch state {
    case .running(let load, .committed):
      state = .idle
      // A restricted port ends as an empty document and without an error.
      if url == "about:blank", load.url.absoluteString != url { return fail(load, "WebKit refuses the URL") }
      return [.report(load.id, .finished(url: url)), .loaded]
    case .running(let load, .started):
      state = .idle
      return fail(load, "the load ended without a document")
    case .running(let load, .requested) where url == "about:blank",
      .running(let load, .decided) where url == "about:blank":
      state = .idle
      return fail(load, "WebKit refuses the URL")
    case .ending(_, .started, let next), .ending(_, .committed, let next): return settle(next)
    case .idle, .running, .ending: return []
    }
  }

  mutating func guardFired() -> [Action] {
    guard case .ending(_, _, let next) = state else { return [] }
    return settle(next)
  }

  mutating func processTerminated() -> [Action] {
    hasOwnNavigation = false
    documentID = nil
    switch state {
    case .idle: return []
    case .running:
      state = .idle
      return []
    case .ending(_, _, let next): return settle(next)
    }
  }

  /// Whether a URL is that of the document on its way, whose failure is the load's.
  func isDocument(_ url: String) -> Bool {
    switch state {
    case .idle: false
    case .running(let load, _), .ending(let load, _, _): Self.isSame(url, load.url)
    }
  }

  /// The main frame alone has navigations that are reported here.
  private static let main = PageFrame(isMain: true)

  private mutating func begin(_ load: Load) -> [Action] {
    state = .running(load, .requested)
    hasOwnNavigation = false
    return [.begin(load)]
  }

  private mutating func settle(_ next: Load?) -> [Action] {
    state = .idle
    return next.map { begin($0) } ?? []
  }

  private mutating func silence(_ load: Load) {
    if documentID == load.id { documentID = nil }
  }

  private func fail(_ load: Load, _ message: String) -> [Action] {
    let error = PageHostError(.loadFailed, message)
    return [.report(load.id, .failed(error)), .notLoaded(error)]
  }

  /// Whether two URLs are one document's: WebKit normalizes what it is given.
  private static func isSame(_ url: String, _ other: URL) -> Bool {
    func normalized(_ text: String) -> String {
      var text = text.prefix { $0 != "#" }
      if text.hasSuffix("/") { text = text.dropLast() }
      return text.lowercased()
    }
    return normalized(url) == normalized(other.absoluteString)
  }
}
