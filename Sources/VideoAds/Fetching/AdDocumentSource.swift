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
    var records: [AdFetchRecord] = []
    var log = DiagnosticLog()
  }

  private let environment: AdsEnvironment
  /// The loader's jar: what one request was given, the next one sends.
  private let cookies: Locked<AdCookieJar>
  private let bytes = ByteAllowance(AdFetch.totalLimit)
  private let state = Locked(State())

  init(_ environment: AdsEnvironment, cookies: Locked<AdCookieJar> = Locked(AdCookieJar())) {
    self.environment = environment
    self.cookies = cookies
  }

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
    let part = await bytes.take(request.responseLimit)
    guard part > 0 else {
      record(fetch, url: request.url, error: FetchFailure.tooLarge.name)
      return .failed(.tooLarge)
    }
    request.responseLimit = part
    if usesCookies {
      let now = environment.time.wallMilliseconds
      request.headers["Cookie"] = cookies.withLock { [url = request.url] in $0.header(for: url, at: now) }
    }
    let start = environment.time.ageClock
    do {
      let response = try await environment.transport.send(request)
      let url = response.url.isEmpty ? request.url : response.url
      let time = Double(environment.time.ageClock - start) / 1e6
      bytes.giveBack(max(0, part - response.body.count))
      if usesCookies {
        let now = environment.time.wallMilliseconds
        cookies.withLock { jar in
          for text in response.headers.values(of: "Set-Cookie") { jar.store(text, from: url, at: now) }
        }
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
      // How much of a transfer had come that broke off otherwise, nobody tells.
      bytes.giveBack(error.code == .tooLarge ? 0 : part)
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
