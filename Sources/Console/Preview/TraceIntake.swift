import GzipFormat
import Hits

/// `POST /v1/debug/{session}`: outcomes of an app in preview, as lines of JSON (CO-502, TM-1008).
struct TraceIntake: Sendable {
  /// Bytes of a body as it comes, and unpacked: 50 outcomes of 128 KiB.
  static let limits = (body: 1 << 20, unpacked: 50 * (128 << 10) + 4096, line: 160 << 10, lines: 50)

  static let lineLimits = JSONLimits(bytes: limits.line, depth: 80, nodes: 100_000, textBytes: limits.line)

  let store: any WorkspaceStore
  let sessions: TraceSessions
  let clock: any HitClock

  var route: Route {
    var route = Route("/v1/debug/{session}", ["POST": { request in await take(request) }])
    route.bodyLimit = Self.limits.body
    route.judge = { request in
      do throws(APIError) {
        _ = try await token(of: request, at: clock.wallMilliseconds)
        return nil
      } catch {
        return error.response
      }
    }
    return route
  }

  private func take(_ request: ServerRequest) async -> ServerResponse {
    let now = clock.wallMilliseconds
    let token: PreviewToken
    do throws(APIError) { token = try await self.token(of: request, at: now) } catch { return error.response }
    guard let session = request.parameters["session"], TraceSessions.isSession(session) else {
      return .error(404, "NOT_FOUND", "there is no such session")
    }
    let lines: [[UInt8]]
    switch read(request) {
    case .success(let found): lines = found
    case .failure(let refusal): return refusal.response
    }
    guard sessions.add(lines, to: session, of: token, at: now) else {
      return .error(403, "FORBIDDEN", "the session is another preview's")
    }
    return ServerResponse(status: 204, headers: ["Cache-Control": "no-store"])
  }

  private func token(of request: ServerRequest, at now: Int64) async throws(APIError) -> PreviewToken {
    var token: PreviewToken?
    if let text = BearerToken.text(of: request.headers) {
      do throws(WorkspaceStoreError) { token = try await store.previewToken(SecretDigest(of: text)) } catch {
        throw APIError(error)
      }
    }
    // A token that ended says no more than one that never was (CO-501).
    guard let token, token.isValid(at: now) else {
      throw APIError(403, .forbidden, "traces are taken of a preview only")
    }
    return token
  }

  private func read(_ request: ServerRequest) -> Result<[[UInt8]], APIError> {
    var body = request.body
    switch request.headers["Content-Encoding"]?.lowercased() {
    case nil, "identity": break
    case "gzip":
      do throws(GunzipError) {
        body = try Gunzip.unpack(body, limit: Self.limits.unpacked)
      } catch {
        return .failure(
          error == .tooLarge
            ? APIError(413, .tooLarge, "the body unpacks to more than \(Self.limits.unpacked) bytes")
            : .badRequest("the body is not whole gzip"))
      }
    default: return .failure(APIError(415, .type, "the body may be compressed by gzip only"))
    }
    let lines = FormFields.lines(of: body)
    guard lines.count <= Self.limits.lines else {
      return .failure(APIError(413, .tooLarge, "there are more than \(Self.limits.lines) lines"))
    }
    for line in lines {
      guard let document = try? JSONDocument(Array(line), limits: Self.lineLimits), document.root.kind == .object else {
        return .failure(.badRequest("a line is no JSON object within the limits"))
      }
    }
    return .success(lines.map { Array($0) })
  }
}
