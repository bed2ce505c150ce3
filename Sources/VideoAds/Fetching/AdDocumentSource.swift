import Hits

/// One fetch of a document, as the command line shows it.
package struct AdFetchRecord: Sendable, Hashable {
  /// The URL as it was sent, or as it was written when it never was.
  package var url: String
  /// How many wrappers led to it.
  package var hop: Int
  package var status: Int?
  package var bytes: Int
  package var milliseconds: Double
  /// The name of what went wrong.
  package var error: String?
}

/// Fetches the documents of one request through the transport: bounds, cookies and the sum of all bytes (VA-200, VA-205,
/// VA-213).
final class AdDocumentSource: Sendable {
  private struct State {
    var bytesLeft = AdFetch.totalLimit
    var jar = AdCookieJar()
    var records: [AdFetchRecord] = []
    var log = DiagnosticLog()
  }

  private let environment: AdsEnvironment
  private let state = Locked(State())

  init(_ environment: AdsEnvironment) { self.environment = environment }

  /// The fetches so far, in the order in which they ended.
  var records: [AdFetchRecord] { state.withLock { $0.records } }

  /// What was found out about the URLs.
  var diagnostics: [AdDiagnostic] { state.withLock { $0.log.diagnostics } }

  func report(_ diagnostic: AdDiagnostic) { state.withLock { $0.log.add(diagnostic) } }

  /// Fetches a document; what macros tell is that of the moment of the call.
  func fetch(_ fetch: AdFetch, facts: MacroFacts) async -> FetchOutcome {
    var request: HTTPRequest
    do {
      request = try AdFetcher(facts: facts, userAgent: environment.userAgent).request(
        for: fetch, random: environment.random, report: report)
    } catch {
      let failure = FetchFailure.refused(error)
      record(fetch, url: fetch.url, error: failure.name)
      return .failed(failure)
    }
    let usesCookies = facts.settings.cookies == .session && facts.privacy.permitsStorage
    let (left, cookies) = state.withLock { ($0.bytesLeft, usesCookies ? $0.jar.header(for: request.url) : nil) }
    if let cookies { request.headers["Cookie"] = cookies }
    guard left > 0 else {
      record(fetch, url: request.url, error: FetchFailure.tooLarge.name)
      return .failed(.tooLarge)
    }
    request.responseLimit = min(request.responseLimit, left)
    let start = environment.time.ageClock
    do {
      let response = try await environment.transport.send(request)
      let url = response.url.isEmpty ? request.url : response.url
      let time = Double(environment.time.ageClock - start) / 1e6
      state.withLock { state in
        state.bytesLeft -= response.body.count
        if usesCookies { for text in response.headers.values(of: "Set-Cookie") { state.jar.store(text, from: url) } }
      }
      var answer = response
      answer.url = url
      let outcome = AdFetcher.document(of: answer)
      var failure: FetchFailure?
      if case .failed(let reason) = outcome { failure = reason }
      record(
        fetch, url: request.url, status: response.status, bytes: response.body.count, time: time, error: failure?.name)
      return outcome
    } catch {
      record(fetch, url: request.url, time: Double(environment.time.ageClock - start) / 1e6, error: error.code.rawValue)
      return .failed(FetchFailure(error))
    }
  }

  private func record(
    _ fetch: AdFetch, url: String, status: Int? = nil, bytes: Int = 0, time: Double = 0, error: String?
  ) {
    let record = AdFetchRecord(
      url: url, hop: fetch.hop, status: status, bytes: bytes, milliseconds: time, error: error)
    state.withLock { $0.records.append(record) }
  }
}
