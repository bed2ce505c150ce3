import Foundation
import Hits
import WebTags

/// A page without an engine: it never loads, or is there at once and confirms every event.
final class StubPage: PageHost {
  let events: AsyncStream<PageEvent>
  private let report: AsyncStream<PageEvent>.Continuation
  private let isHung: Bool

  init(isHung: Bool) {
    self.isHung = isHung
    (events, report) = AsyncStream.makeStream()
  }

  func open(_ options: PageHostOptions) async throws(PageHostError) -> PageHostCapabilities {
    PageHostCapabilities(engine: "stub", tellsNavigationFrames: true, reportsRequests: true)
  }

  func load(_ source: PageSource, id: LoadID) async {
    report.yield(PageEvent(load: id, .started))
    guard !isHung, case .html(_, let base) = source else { return }
    report.yield(PageEvent(load: id, .finished(url: base.absoluteString)))
  }

  func call(_ path: String, _ argument: String) async throws(PageHostError) -> String {
    switch path {
    case "__tagworks.probe": return #"{"ready":true}"#
    case "__tagworks.ping": return argument
    default:
      let ids = ((try? Value(json: argument)).flatMap { Self.member("events", of: $0) }).map(Self.ids) ?? []
      return "{\"results\":[\(ids.map { "{\"id\":\"\($0)\",\"ok\":true,\"confirmed\":true}" }.joined(separator: ","))]}"
    }
  }

  private static func member(_ name: String, of value: Value) -> Value? {
    if case .map(let members) = value { members[name] } else { nil }
  }

  private static func ids(_ events: Value) -> [String] {
    guard case .list(let events) = events else { return [] }
    return events.compactMap { if case .string(let id)? = member("id", of: $0) { id } else { nil } }
  }

  func setBootstrap(_ source: String) async {}
  func setNetworkPolicy(_ policy: NetworkPolicy) async throws(PageHostError) {}
  func cookies(for url: URL?) async throws(PageHostError) -> [WebCookie] { [] }
  func setCookie(_ cookie: WebCookie) async throws(PageHostError) {}
  func removeCookies(for url: URL?) async throws(PageHostError) {}
  func eraseData() async throws(PageHostError) {}
  func drain(limit: Duration) async {}
  func stop() async {}
  func terminate() async {}

  func close() async {
    report.yield(PageEvent(load: nil, .closed))
    report.finish()
  }
}

/// Makes stub pages.
struct StubPageFactory: PageHostFactory {
  var isHung: Bool
  let sharesAppSession = false

  func make() -> any PageHost { StubPage(isHung: isHung) }
}
