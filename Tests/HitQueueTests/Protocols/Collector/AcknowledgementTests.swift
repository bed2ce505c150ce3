import HitQueue
import Hits
import Testing

@Suite struct AcknowledgementTests {
  private static let ids = [
    "00000000-0000-7000-8000-000000000001", "00000000-0000-7000-8000-000000000002",
    "00000000-0000-7000-8000-000000000003",
  ]
  private let hits = ids.compactMap { HitID($0) }

  private func verdict(_ body: String, type: String = Acknowledgement.mediaType) -> Verdict {
    let response = HTTPResponse(status: 200, headers: ["Content-Type": type], body: Array(body.utf8))
    return MeasurementProtocol().verdict(response, for: hits)
  }

  @Test("HQ-665: ids in no list are taken, duplicates are delivered, the others are judged")
  func lists() {
    let body = """
      {"v":1,"received":3,"accepted":0,"duplicate":["\(Self.ids[0])"],
       "rejected":[{"id":"\(Self.ids[1])","line":2,"code":"MISSING_FIELD","field":"ec"}],"deferred":["\(Self.ids[2])"]}
      """
    #expect(
      verdict(body)
        == .settled(rejected: [hits[1]: "MISSING_FIELD"], duplicates: [hits[0]], deferred: [hits[2]]))
    #expect(verdict(#"{"v":1,"received":3,"accepted":3}"#) == .settled())
  }

  @Test("HQ-665: a rejection without an id is found by its line")
  func byLine() {
    let body = #"{"v":1,"received":3,"accepted":2,"rejected":[{"id":null,"line":3,"code":"BAD_VALUE"}]}"#
    #expect(verdict(body) == .settled(rejected: [hits[2]: "BAD_VALUE"]))
  }

  @Test(
    "HQ-665: an answer that does not add up, or names what was not sent, is no answer",
    arguments: [
      #"{"v":1,"received":2,"accepted":2}"#,
      #"{"v":1,"received":3,"accepted":2}"#,
      #"{"v":2,"received":3,"accepted":3}"#,
      #"{"v":1,"received":3,"accepted":2,"duplicate":["00000000-0000-7000-8000-00000000000f"]}"#,
      #"{"v":1,"received":3,"accepted":2,"duplicate":["x"]}"#,
      #"{"v":1,"received":3,"accepted":1,"duplicate":["\#(ids[0])","\#(ids[0])"]}"#,
      #"{"v":1,"received":3,"accepted":2,"rejected":[{"id":null,"line":4,"code":"BAD_VALUE"}]}"#,
      #"{"v":1,"received":3,"accepted":2,"rejected":[{"id":null,"line":-9223372036854775808,"code":"X"}]}"#,
      "", "[]", "GIF89a",
    ])
  func nonsense(body: String) {
    #expect(verdict(body) == .retry(after: nil))
  }

  @Test("HQ-613: without the media type any 2xx settles all")
  func plain() {
    #expect(verdict("GIF89a", type: "image/gif") == .settled())
    #expect(verdict("nonsense", type: "application/vnd.tagworks.ack+json; charset=utf-8") == .retry(after: nil))
  }
}
