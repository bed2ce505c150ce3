import Hits

/// One document to fetch, with everything that decides how.
struct AdFetch: Sendable, Hashable {
  /// Its place in the request, which decides its bounds.
  enum Role: Sendable, Hashable {
    /// The document an app asked for, which may be a playlist.
    case first
    /// A wrapper's next document, or a break's.
    case further
  }

  static let documentLimit = 2 << 20
  static let playlistLimit = 8 << 20
  /// Of all documents of one request together (VA-213).
  static let totalLimit = 32 << 20

  /// The URL as it is written.
  var url: String
  /// The URL of the document it stands in; nil for the first, and for text that an app gave without one.
  var base: String?
  var role: Role
  /// How many wrappers led to it.
  var hop = 0
  /// Categories that wrappers above have blocked, for a macro.
  var blockedCategories: [String] = []
}

/// Makes requests of fetches, and documents of answers (VA-200 to VA-216).
struct AdFetcher: Sendable {
  let facts: MacroFacts
  let userAgent: String

  /// The request of a fetch.
  ///
  /// - Parameter report: hears what is to be said of the URL.
  /// - Throws: why the URL is never requested.
  func request(
    for fetch: AdFetch, random: some RandomSource, report: (AdDiagnostic) -> Void = { _ in }
  ) throws(AdURL.Refusal) -> HTTPRequest {
    var facts = facts
    facts.blockedCategories = fetch.blockedCategories
    let expansion = MacroExpansion(facts, scope: .request, random: random)
    let url = try AdURL(fetch.url, base: fetch.base) { expansion.expand($0) }
    if url.isRepaired {
      let document = fetch.hop == 0 ? "A document's URL" : "The URL of the document at hop \(fetch.hop)"
      report(AdDiagnostic("url.repaired", .repair, "\(document) was made legal."))
    }
    let tag = GAMTag(settings: facts.settings, request: facts.request, privacy: facts.privacy)
    var text = tag.completed(url.text)
    if facts.settings.upgradeToHTTPS, text.hasPrefix("http:") { text = "https:" + text.dropFirst(5) }
    if text.hasPrefix("http:"), fetch.base?.hasPrefix("https:") == true {
      report(AdDiagnostic("url.mixed", .warning, "A document over https names one over http."))
    }
    let timeout = timeout(of: fetch.role)
    return HTTPRequest(
      url: text, headers: headers(of: fetch.role), timeout: timeout, connectTimeout: timeout, redirects: .follow(5),
      responseLimit: fetch.role == .first ? AdFetch.playlistLimit : AdFetch.documentLimit)
  }

  private func headers(of role: AdFetch.Role) -> HTTPHeaders {
    var headers: HTTPHeaders = [
      "Accept": "application/xml, text/xml, */*;q=0.5", "Accept-Language": facts.settings.language,
      "User-Agent": facts.settings.userAgent ?? userAgent,
    ]
    if role == .first {
      for (name, value) in facts.request.headers.sorted(by: { $0.key < $1.key }) { headers[name] = value }
    }
    return headers
  }

  private func timeout(of role: AdFetch.Role) -> Duration {
    let own: Double = role == .first ? 8_000 : 4_000
    guard let timeout = facts.request.vastLoadTimeout, timeout > 0, timeout.isFinite else { return .milliseconds(own) }
    return .milliseconds(min(timeout, 3_600_000))
  }

  /// The document of an answer.
  static func document(of response: HTTPResponse) -> FetchOutcome {
    if isRedirect(response) { return .failed(.redirected("it leads to no http or https URL")) }
    guard 200...299 ~= response.status else { return .failed(.status(response.status)) }
    if response.status == 204 { return .empty }
    return document(response.body, charset: charset(of: response), url: response.url)
  }

  /// Whether an answer leads elsewhere: what it leads to was nothing that a transport can follow, such as a script (VA-206,
  /// VA-207).
  private static func isRedirect(_ response: HTTPResponse) -> Bool {
    [301, 302, 303, 307, 308].contains(response.status) && response.headers["Location"] != nil
  }

  /// The document of a body, whether it was fetched or the app had it (VA-209, VA-213).
  static func document(_ body: [UInt8], charset: String? = nil, url: String?) -> FetchOutcome {
    if body.count > AdFetch.playlistLimit { return .failed(.tooLarge) }
    if body.allSatisfy(ASCII.isBlank) { return .empty }
    let result = VASTReader.read(body, charset: charset)
    return isTooLarge(body.count, result) ? .failed(.tooLarge) : .document(result, url: url)
  }

  /// The document of a text, whatever encoding it says it once had.
  static func document(text: String, url: String?) -> FetchOutcome {
    if text.utf8.count > AdFetch.playlistLimit { return .failed(.tooLarge) }
    if text.utf8.allSatisfy(ASCII.isBlank) { return .empty }
    let result = VASTReader.read(text: text)
    return isTooLarge(text.utf8.count, result) ? .failed(.tooLarge) : .document(result, url: url)
  }

  /// Only a playlist may be longer than a document of ads.
  private static func isTooLarge(_ size: Int, _ result: VASTReadResult) -> Bool {
    guard size > AdFetch.documentLimit else { return false }
    switch result.content {
    case .vmap, .playlistFailure: return false
    case .vast, .failure: return true
    }
  }

  private static func charset(of response: HTTPResponse) -> String? {
    for part in response.headers["Content-Type"]?.split(separator: ";").dropFirst() ?? [] {
      let pair = part.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " && $0 != "\"" } }
      if pair.count == 2, pair[0].lowercased() == "charset" { return pair[1] }
    }
    return nil
  }
}

/// What became of a fetch.
enum FetchOutcome: Sendable, Hashable {
  /// A document, at the URL that answered; nil when the app had it and gave none.
  case document(VASTReadResult, url: String?)
  /// An answer without a document: there is no ad (VA-209).
  case empty
  case failed(FetchFailure)
}

/// Why there is no document.
enum FetchFailure: Error, Sendable, Hashable {
  case timedOut
  /// No answer: no network, no server.
  case unreachable
  /// A redirect that is not followed, with the reason as a part of a sentence (VA-206).
  case redirected(String)
  /// An answer in an encoding that is broken or unknown.
  case undecodable
  case status(Int)
  case tooLarge
  /// The URL is never requested.
  case refused(AdURL.Refusal)
  case cancelled

  init(_ error: TransportError) {
    switch error.code {
    case .timeout: self = .timedOut
    case .tooLarge: self = .tooLarge
    case .cancelled: self = .cancelled
    case .redirectRefused: self = .redirected(error.message)
    case .encoding: self = .undecodable
    default: self = .unreachable
    }
  }

  /// What it is called in a record of fetches.
  var name: String {
    switch self {
    case .timedOut: "timeout"
    case .unreachable: "connection"
    case .redirected: TransportError.Code.redirectRefused.rawValue
    case .undecodable: TransportError.Code.encoding.rawValue
    case .status: "status"
    case .tooLarge: "tooLarge"
    case .refused: "refused"
    case .cancelled: "cancelled"
    }
  }

  /// The code for the wrappers above (VA-415).
  var wrapperCode: VASTErrorCode {
    switch self {
    case .tooLarge: .malformed
    case .status(404), .status(410), .status(500...599): .wrapperUnavailable
    case .status: .wrapperFailed
    case .timedOut, .unreachable, .redirected, .undecodable, .refused, .cancelled: .wrapperUnavailable
    }
  }

  /// The code for the break whose document it was.
  var breakCode: VMAPErrorCode {
    switch self {
    case .timedOut: .timedOut
    case .tooLarge: .malformed
    case .unreachable, .redirected, .undecodable, .status, .refused, .cancelled: .unavailable
    }
  }

  /// The error of the request whose first document it was.
  func firstError(url: String?) -> AdError {
    switch self {
    case .timedOut: AdError(.loading, .requestTimedOut, "The ad request timed out.", url: url)
    case .unreachable: AdError(.loading, .requestFailed, "The ad request got no answer.", url: url)
    case .redirected(let reason):
      AdError(.loading, .requestFailed, "The ad request's redirect is not followed: \(reason).", url: url)
    case .undecodable:
      AdError(.loading, .requestFailed, "The ad response is in a content encoding that cannot be read.", url: url)
    case .status(let status): AdError(.loading, .requestFailed, "The ad request got status \(status).", url: url)
    case .tooLarge:
      AdError(
        .loading, VASTErrorCode.malformed.errorCode, "The ad response is too large.", vastCode: .malformed, url: url)
    case .refused(.blank): AdError(.loading, .invalidArguments, "The request has no ad tag.")
    case .refused: AdError(.loading, .invalidAdTagURL, "The ad tag is no URL that can be requested.", url: url)
    case .cancelled: AdError(.loading, .cancelled, "The request was cancelled.", url: url)
    }
  }
}
