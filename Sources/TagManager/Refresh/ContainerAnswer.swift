import Hits

/// What a fetch brought, with the line it is worth in the log.
struct FetchResult: Sendable {
  enum Outcome: Sendable {
    case fetched(FetchedContent)
    case notChanged([Supplemental])
    case failed(RefreshFailure, retryAfter: Int64?)
  }

  var outcome: Outcome
  var level: LogLevel
  var message: String
  /// What else the author should know.
  var diagnostics: [Diagnostic] = []
}

/// Maps a server's answer to what it means (TM-430): no network.
struct ContainerAnswer: Sendable {
  let decoder: PayloadDecoder
  let environment: String
  let server: ContainerServer
  let signatures: SignatureCheck
  /// The highest sequence that was accepted before, in this environment.
  let lastSequence: Int64?
  let plan: FetchPlan

  private var id: ContainerID { decoder.id }

  /// Reads an answer that came at a time in milliseconds since 1970 UTC.
  func read(_ response: HTTPResponse, at time: Int64) -> FetchResult {
    switch response.status {
    case 200: return content(response, at: time)
    case 304 where plan.etag != nil && !plan.isPreview: return notChanged([])
    case 304:
      return serverError(.invalid, .warning, "The server says that nothing has changed, but was not asked.")
    case 401, 403:
      return serverError(
        .forbidden, .error,
        "The server refuses container \(id) to this app. Is it a container for apps, and is it published?"
          + (Self.reason(in: response.body).map { " \($0)" } ?? ""), response)
    case 404:
      let host = server.url?.host ?? ""
      return serverError(
        .notFound, .error, "No container \(id) on \(host). Check the container id.", response)
    case 410: return serverError(.gone, .error, "Container \(id) is gone from the server.", response)
    case 429:
      return serverError(.throttled, .warning, "The server has had too many requests for \(id).", response)
    case 500...599:
      return serverError(.unavailable, .warning, "The server fails with status \(response.status).", response)
    case let status:
      let level: LogLevel = 400...499 ~= status ? .error : .warning
      return serverError(
        .status(status), level, "The server answers with status \(status), which brings no container.", response)
    }
  }

  /// Reads what kept an answer from coming.
  func read(_ error: TransportError) -> FetchResult {
    switch error.code {
    case .offline: failure(.noNetwork, .offline, "There is no network.")
    case .dns: failure(.networkError, .dns, "The server's name does not resolve.")
    case .tls, .keyNotPinned: failure(.networkError, .tls, "There is no secure connection to the server.")
    case .timeout: failure(.networkError, .timeout, "The server was too slow.")
    case .redirectRefused: failure(.networkError, .redirect, "The server leads elsewhere too often, or to plain http.")
    case .tooLarge:
      serverError(.tooLarge, .error, "The answer is larger than \(decoder.limits.bytes) bytes.", error.response)
    case .encoding: failure(.networkError, .connection, "The answer's content encoding is broken.")
    case .cancelled: failure(.unknownError, .cancelled, "The fetch was cancelled.", .verbose)
    case .invalidRequest: failure(.unknownError, .internal, "The request cannot be sent: \(error.message)")
    default: failure(.networkError, .connection, "There is no connection to the server.")
    }
  }

  private func content(_ response: HTTPResponse, at time: Int64) -> FetchResult {
    let origin: ContainerOrigin = plan.isPreview ? .preview : .network
    switch decoder.decode(response.body, contentType: response.headers["Content-Type"], origin: origin) {
    case .unchanged(let supplementals): return notChanged(supplementals)
    case .refused(let diagnostic):
      return serverError(
        diagnostic.code == .tooLarge ? .tooLarge : .invalid(diagnostic.code), .error,
        "What the server sent for \(id) is not used: \(diagnostic.message)", response)
    case .content(let content, let form): return verified(content, form, response, at: time)
    }
  }

  private func verified(
    _ content: LoadedContent, _ form: SavedContainer.Form, _ response: HTTPResponse, at time: Int64
  ) -> FetchResult {
    var content = content
    let headers = response.headers
    content.container.sequence = content.container.sequence ?? headers["Tagworks-Sequence"].flatMap { Int64($0) }
    content.container.publishedAt = content.container.publishedAt ?? headers["Tagworks-Published"].flatMap { Int64($0) }
    if content.container.version.isEmpty { content.container.version = headers["Tagworks-Version"] ?? "" }
    let etag = headers["ETag"].flatMap { $0.utf8.count <= 256 ? $0 : nil }

    let signature: ContainerSignature?
    switch verdict(content.container, headers, response.body) {
    case .accepted(let accepted): signature = accepted
    case .missing:
      signature = nil
      content.diagnostics.append(
        Diagnostic(.warning, .signatureMissing, "Nothing vouches for \(id): the server signs it with no known key."))
    case .refused(let why):
      return serverError(.signature, .error, "What the server sent for \(id) is not used: \(why)", response)
    }
    let container = content.container
    let header = SavedContainer.Header(
      id: id.text, environment: environment, form: form, fetchedAt: time, etag: etag,
      fingerprint: container.fingerprint, version: container.version, sequence: container.sequence,
      publishedAt: container.publishedAt, origin: server.origin, signature: signature?.base64,
      keyID: signature?.keyID, sdk: "\(ProductInfo.name)/\(ProductInfo.version)")
    var fetched = FetchedContent(
      content: content, etag: etag, saved: SavedContainer(header: header, payload: response.body))
    if plan.isPreview {
      // It becomes a part of a path, so that it is held to the grammar of ids.
      fetched.debugSession = headers["Tagworks-Debug-Session"].flatMap { ContainerID($0).isValid ? $0 : nil }
    }
    return FetchResult(
      outcome: .fetched(fetched), level: .info,
      message: "Version '\(container.version)' came from the server.")
  }

  private func verdict(
    _ container: CompiledContainer, _ headers: HTTPHeaders, _ body: [UInt8]
  ) -> SignatureCheck.Verdict {
    let header = headers.values(of: "Tagworks-Signature")
    let all = ContainerSignature.all(inHeader: header.joined(separator: ","))
    let verdict = signatures.judge(
      header.isEmpty ? nil : all ?? [], isReadable: header.isEmpty || all != nil,
      message: ContainerSignature.message(
        id: id, environment: environment, sequence: container.sequence, body: body))
    if case .refused = verdict { return verdict }
    // A draft has no place in the order of published versions.
    if !plan.isPreview, signatures.policy != .off, let lastSequence, (container.sequence ?? 0) < lastSequence {
      return .refused("It was published before the version that is in use.")
    }
    return verdict
  }

  private func notChanged(_ supplementals: [Supplemental]) -> FetchResult {
    FetchResult(outcome: .notChanged(supplementals), level: .verbose, message: "Nothing has changed on the server.")
  }

  private func serverError(
    _ detail: RefreshFailure.Detail, _ level: LogLevel, _ message: String, _ response: HTTPResponse? = nil
  ) -> FetchResult {
    let retryAfter = response.flatMap { RetryAfter.read($0.headers) }.map { $0.components.seconds * 1_000 }
    return FetchResult(
      outcome: .failed(RefreshFailure(.serverError, detail, message), retryAfter: retryAfter), level: level,
      message: message)
  }

  private func failure(
    _ reason: RefreshFailure.Reason, _ detail: RefreshFailure.Detail, _ message: String, _ level: LogLevel = .warning
  ) -> FetchResult {
    FetchResult(
      outcome: .failed(RefreshFailure(reason, detail, message), retryAfter: nil), level: level, message: message)
  }

  /// The `reason` of a JSON answer, at most 200 characters of it.
  private static func reason(in body: [UInt8]) -> String? {
    // An error page is no JSON, and says nothing here.
    guard let root = try? JSONDocument(body, limits: JSONLimits(bytes: 65_536)).root else { return nil }
    return root["reason"]?.string.map { String($0.prefix(200)) }
  }
}
