import Hits

/// Fetches one container's content: makes the request, sends it, reads the answer.
struct ContainerFetch: Sendable {
  let id: ContainerID
  let environment: Environment
  let lastSequence: Int64?

  /// Asks the server once; `draft` is the link of the preview under way.
  func result(of plan: FetchPlan, draft: PreviewLink?) async -> FetchResult {
    let ports = environment.ports
    let configuration = environment.configuration
    do throws(RefreshFailure) {
      let request = try request(plan, draft: draft)
      guard let server = configuration.server, let transport = ports.transport else {
        throw RefreshFailure(.unknownError, .noServerConfigured, "There is no transport to fetch by.")
      }
      if case .legacy = server, case .required = configuration.signature {
        throw RefreshFailure(.serverError, .signature, "A legacy server signs nothing, but signatures are required.")
      }
      let answer = ContainerAnswer(
        decoder: environment.decoder(of: id), environment: configuration.environment, server: server,
        signatures: environment.signatures, lastSequence: lastSequence, plan: plan)
      do throws(TransportError) {
        return answer.read(try await transport.send(request), at: ports.clock.wallMilliseconds)
      } catch {
        return answer.read(error)
      }
    } catch {
      return FetchResult(outcome: .failed(error, retryAfter: nil), level: .warning, message: error.message)
    }
  }

  private func request(_ plan: FetchPlan, draft: PreviewLink?) throws(RefreshFailure) -> HTTPRequest {
    let configuration = environment.configuration
    let request = ContainerRequest(
      id: id, server: configuration.server, environment: configuration.environment,
      environmentToken: configuration.environmentToken, allowsInsecureServer: configuration.allowsInsecureServer,
      platform: environment.ports.device.platform, limit: configuration.limits.bytes)
    return try request.request(plan, draft: draft)
  }
}

extension Environment {
  func decoder(of id: ContainerID) -> PayloadDecoder {
    PayloadDecoder(id: id, installID: ports.device.installID, limits: configuration.limits)
  }

  var signatures: SignatureCheck {
    SignatureCheck(policy: configuration.signature, verifier: ports.signatureVerifier)
  }
}
