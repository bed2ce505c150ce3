import Hits
import TagManager

/// What the catalogue does not answer: a version or the draft, to whoever has its token (CO-501).
struct PreviewDelivery: Sendable {
  let store: any WorkspaceStore
  let clock: any HitClock
  private let compiler: PublicationCompiler

  init(store: any WorkspaceStore, keys: [SigningKey], clock: any HitClock) {
    self.store = store
    self.clock = clock
    compiler = PublicationCompiler(store: store, keys: keys)
  }

  /// Answers a request for a container whose query names a preview.
  func answer(_ request: ServerRequest, _ query: FormFields) async -> ServerResponse {
    let id = ContainerID(request.parameters["id"] ?? "")
    guard let secret = query["gtm_auth"], let version = query["gtm_preview"], id.isValid else {
      return DeliveryRefusal.forbidden.response
    }
    do throws(WorkspaceStoreError) {
      let token = try await store.previewToken(SecretDigest(of: secret))
      guard let token, token.container == id, token.parameter == version, token.isValid(at: clock.wallMilliseconds)
      else { return DeliveryRefusal.forbidden.response }
      let text =
        if let number = token.version { try await store.text(ofVersion: number, of: id) } else {
          try await store.draft(of: id)?.text
        }
      guard let text else { return DeliveryRefusal.forbidden.response }
      let environments = try await store.environments(of: id).map(\.name)
      return draft(text, id, token.version.map(String.init) ?? "draft", environments, request.headers)
    } catch {
      return .error(503, "NOT_READY", "the store does not answer", retryAfter: 5)
    }
  }

  private func draft(
    _ text: [UInt8], _ id: ContainerID, _ version: String, _ environments: [String], _ headers: HTTPHeaders
  ) -> ServerResponse {
    do throws(ConsoleError) {
      let delivery = try compiler.preview(text, of: id, version: version, signedFor: environments)
      let isBinary = ContentNegotiation.form(accept: headers["Accept"]) == .binary
      let body = isBinary ? delivery.binary ?? delivery.json : delivery.json
      var response = ServerResponse(status: 200, headers: body.headers, body: body.plain)
      response.headers["Content-Type"] = body.form.contentType
      response.headers["Cache-Control"] = "no-store"
      if let packed = body.packed, ContentNegotiation.takesGzip(headers["Accept-Encoding"]) {
        response.headers["Content-Encoding"] = "gzip"
        response.body = packed
      }
      return response
    } catch {
      return DeliveryRefusal.unfinished(error.message)
    }
  }
}
