import DurableStore
import Hits

/// The language and address of one lane's requests.
struct Courier: Sendable {
  var language: any HitProtocol
  var terms: DeliveryTerms
  var endpoint: String
  var tracker: String
}

/// Makes the requests of claims and reads their answers.
///
/// A lane of this or an earlier run is served when its protocol is known: those that need no secret always are, others
/// when a tracker has their destination (HQ-600).
final class Couriers: Sendable {
  private let transport: any HTTPTransport
  private let userAgent: String
  private let destinations: Locked<[LaneKey: Destination]>
  /// Addresses whose servers take no compressed bodies (HQ-428).
  private let plain = Locked<Set<String>>([])

  init(transport: any HTTPTransport, device: (any Device)?) {
    self.transport = transport
    userAgent = Self.userAgent(of: device)
    destinations = Locked([:])
  }

  /// Learns a destination.
  func add(_ destination: Destination, for lane: LaneKey) { destinations.withLock { $0[lane] = destination } }

  /// Whether the lane can be served.
  func speaks(_ lane: LaneKey) -> Bool { language(of: lane) != nil }

  /// The language of a lane, when it can be served.
  func language(of lane: LaneKey) -> (any HitProtocol)? {
    if let destination = destinations.withLock({ $0[lane] }) { return destination.language }
    return LaneLanguage.withoutSecret(lane)
  }

  /// How the hits of a lane are delivered.
  func terms(of lane: LaneKey) -> DeliveryTerms {
    if let destination = destinations.withLock({ $0[lane] }) { return destination.terms }
    return DeliveryTerms(LaneLanguage.withoutSecret(lane)?.traits ?? DeliveryTraits(dedupes: false))
  }

  /// Scheme, host and port of a lane's server; the endpoint itself when it is no URL.
  static func origin(of lane: LaneKey) -> String { WebURL(lane.endpoint)?.origin ?? lane.endpoint }

  /// `Tagworks/<version> (<os> <os version>; <model>; <language>)` (HQ-601).
  static func userAgent(of device: (any Device)?) -> String {
    guard let device else { return "\(HitQueueInfo.product)/\(HitQueueInfo.version)" }
    return UserAgent.text(version: HitQueueInfo.version, device: device)
  }

  /// Claims a batch for a lane, with what is needed to deliver it; nil when there is nothing to send.
  func claim(
    _ id: LaneRow.ID, _ scope: ClaimScope, from table: DeliveryTable, at now: HitTime
  ) throws(StoreError) -> (Claim, Courier)? {
    guard let key = try table.key(of: id), let language = language(of: key) else { return nil }
    let terms = terms(of: key)
    guard let claim = try table.claim(lane: id, scope: scope, speaking: language, terms, at: now) else { return nil }
    return (claim, Courier(language: language, terms: terms, endpoint: key.endpoint, tracker: key.tracker))
  }

  /// What came of a request.
  enum Outcome: Sendable {
    case answer(status: Int, Verdict)
    case none(TransportError)

    /// What a log says of it.
    var text: String {
      switch self {
      case .answer(let status, _): "status \(status)"
      case .none(let error): "no answer: \(error.code.rawValue)"
      }
    }
  }

  /// Sends a claim and judges the answer; `consent` is what the person allows now.
  func deliver(
    _ claim: Claim, by courier: Courier, consent: ConsentSnapshot
  ) async -> (Outcome, Traffic) {
    let context = EncodingContext(
      now: claim.now, endpoint: courier.endpoint, userAgent: userAgent, tracker: courier.tracker,
      request: claim.request, consent: consent,
      allowsGzip: !plain.withLock { $0.contains(courier.endpoint) })
    var traffic = Traffic()
    var request: HTTPRequest
    // What cannot be told in the protocol's words is as good as refused by the server.
    do throws(EncodingError) { request = try courier.language.encode(claim.hits[...], context) } catch {
      return (.answer(status: 0, .isolate), traffic)
    }
    if request.redirects == .none { request.redirects = Self.redirects(from: courier.endpoint) }
    do throws(TransportError) {
      traffic = Traffic(body: request.body.count, wire: 0)
      let response = try await transport.send(request)
      traffic.wire = response.bytesSent
      return (judge(response, to: request, claim, courier), traffic)
    } catch {
      switch error.code {
      // The status of an answer says all, even if the rest of it is longer than anybody reads.
      case .tooLarge:
        guard let response = error.response else { return (.none(error), traffic) }
        return (judge(response, to: request, claim, courier), traffic)
      case .invalidRequest: return (.answer(status: 0, .isolate), traffic)
      case .redirectRefused: return (.answer(status: 0, .park(.redirect, .seconds(3_600))), traffic)
      default: return (.none(error), traffic)
      }
    }
  }

  /// 307 and 308 lead on within the host, three times, and never away from https (HQ-428).
  private static func redirects(from endpoint: String) -> RedirectRule {
    guard let url = WebURL(endpoint) else { return .none }
    return RedirectRule(limit: 3, schemes: url.isSecure ? ["https"] : ["https", "http"], hosts: [url.host])
  }

  private func judge(
    _ response: HTTPResponse, to request: HTTPRequest, _ claim: Claim, _ courier: Courier
  ) -> Outcome {
    var verdict = courier.language.verdict(response, for: claim.hits[...])
    if verdict == .withoutGzip {
      // Of a body that was not compressed the server does not like the content.
      if request.gzip { _ = plain.withLock { $0.insert(courier.endpoint) } } else { verdict = .isolate }
    }
    return .answer(status: response.status, verdict)
  }
}
