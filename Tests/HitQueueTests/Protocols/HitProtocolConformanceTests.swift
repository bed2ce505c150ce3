import Hits
import Testing

@testable import HitQueue

@Suite struct HitProtocolConformanceTests {
  @Test("HQ-670: every protocol of ours keeps what the queue relies on")
  func ours() {
    let languages: [(any HitProtocol, String)] = [
      (MeasurementProtocol(), "https://c.example"), (BeaconProtocol(), "https://c.example"),
      (MatomoProtocol(token: "t"), "https://c.example"), (CollectorProtocol(key: "k"), "https://c.example"),
      (
        GA4Protocol(stream: .app("1:1234:ios:321abc"), secret: "s"),
        GA4Stream.app("1:1234:ios:321abc").endpoint(below: GA4Stream.endpoint)
      ), (GA4Protocol(stream: .web("G-1"), secret: "s"), GA4Stream.web("G-1").endpoint(below: GA4Stream.endpoint)),
    ]
    for (language, endpoint) in languages {
      #expect(HitProtocolConformance.problems(in: language, endpoint: endpoint) == [], "\(language.name)")
    }
  }

  @Test("HQ-670: what a protocol does not keep is said")
  func faulty() {
    let problems = HitProtocolConformance.problems(in: FaultyProtocol(), endpoint: "https://c.example?q")
    for word in ["not accepted", "larger than a request", "predicted", "order", "503", "500 settles"] {
      #expect(problems.contains { $0.contains(word) }, "\(word)")
    }
  }
}

/// Turns its hits around, says that they are small, and takes every answer for a good one.
private struct FaultyProtocol: HitProtocol {
  let name = "faulty"
  let limits = BatchLimits(hits: 20, bytes: 10, hitBytes: 20)
  let traits = DeliveryTraits(dedupes: false)

  func carries(_ kind: HitKind) -> Bool { kind == .screenView }
  func size(of hit: QueuedHit, at now: HitTime?) -> Int { 1 }

  func encode(_ hits: ArraySlice<QueuedHit>, _ context: EncodingContext) throws(EncodingError) -> HTTPRequest {
    HTTPRequest(method: "POST", url: context.endpoint, body: hits.reversed().flatMap { Array($0.content) })
  }

  func verdict(_ response: HTTPResponse, for hits: [HitID]) -> Verdict { .settled() }
}
