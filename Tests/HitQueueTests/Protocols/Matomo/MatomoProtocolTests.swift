import Foundation
import Hits
import TestSupport
import Testing

@testable import HitQueue

@Suite struct MatomoProtocolTests {
  private let matomo = MatomoProtocol()

  private func request(_ hits: [QueuedHit], token: String? = nil) throws -> HTTPRequest {
    try MatomoProtocol(token: token).encode(hits[...], EncodedHit.context("https://m.example"))
  }

  private func queries(_ hits: [QueuedHit]) throws -> [[String: String]] {
    let document = try Value(json: try request(hits).body)
    let requests = try #require(document.map?["requests"]?.list)
    return requests.compactMap(\.string).map { query in
      #expect(query.hasPrefix("?"))
      return FormFields(Array(query.utf8.dropFirst())).dictionary
    }
  }

  /// What a kind says itself.
  private func own(_ query: [String: String]) -> [String: String] {
    let shared = ["idsite", "rec", "apiv", "send_image", "rand", "_id", "cdt", "ua", "url"]
    return query.filter { !shared.contains($0.key) }
  }

  @Test("HQ-640: the request, byte for byte")
  func bytes() throws {
    let hit = EncodedHit.make(
      .screenView,
      [
        "cd": "Home & more", "aid": "com.example", "uid": "u", "sr": "10x20", "ul": "vi", "dr": "http://r",
        "cd2": "two",
        "cd10": "ten", "sc": "start",
      ], property: "3")
    let request = try request([hit], token: "t\"1")
    #expect(request.method == "POST")
    #expect(request.url == "https://m.example/matomo.php")
    #expect(request.headers["Content-Type"] == "application/json")
    #expect(
      String(decoding: request.body, as: UTF8.self)
        == #"{"requests":["?idsite=3&rec=1&apiv=1&send_image=0&rand=017a8506-518f-7abc-8def-000000000001"#
        + #"&_id=35009a791a0549d7&cdt=1800000000&uid=u&res=10x20&lang=vi&ua=Tagworks%2F1.0.0"#
        + #"&url=app%3A%2F%2Fcom.example%2FHome%2520%2526%2520more&urlref=http%3A%2F%2Fr&dimension2=two&dimension10=ten"#
        + #"&new_visit=1&action_name=Home%20%26%20more"],"token_auth":"t\"1"}"#)
  }

  static let kinds: [(HitKind, [String: String], [String: String])] = [
    (.pageView, ["dl": "https://a", "dt": "T"], ["action_name": "T"]),
    (
      .event, ["ec": "C", "ea": "A", "el": "L", "ev": "3"],
      ["e_c": "C", "e_a": "A", "e_n": "L", "e_v": "3", "ca": "1"]
    ),
    (
      .timing, ["utc": "C", "utv": "V", "utl": "L", "utt": "9"],
      ["e_c": "C", "e_a": "V", "e_n": "L", "e_v": "9", "ca": "1"]
    ),
    (.social, ["sn": "n", "sa": "like", "st": "t"], ["e_c": "social", "e_a": "n like", "e_n": "t", "ca": "1"]),
    (.exception, ["exd": "boom", "exf": "1"], ["cra": "boom", "cra_tp": "fatal", "ca": "1"]),
    (.exception, ["exf": "0"], ["cra": "exception", "cra_tp": "handled", "ca": "1"]),
    (
      .transaction, ["ti": "T", "tr": "9.5", "tt": "1", "ts": "2"],
      ["idgoal": "0", "ec_id": "T", "revenue": "9.5", "ec_tx": "1", "ec_sh": "2"]
    ),
    (
      .item, ["ti": "T", "in": "N", "ic": "S", "ip": "2"],
      ["e_c": "item", "e_a": "N", "e_n": "S", "e_v": "2", "ca": "1"]
    ),
    (
      .event,
      [
        "ec": "C", "ea": "A", "pa": "purchase", "ti": "T", "tr": "3", "pr1id": "S", "pr1nm": "N", "pr1ca": "c",
        "pr1pr": "1.5", "pr1qt": "2", "pr2nm": "M",
      ],
      ["idgoal": "0", "ec_id": "T", "revenue": "3", "ec_items": #"[["S","N","c",1.5,2],["","M","",0,1]]"#]
    ),
  ]

  @Test("HQ-640: each kind has its parameters", arguments: kinds)
  func kind(kind: HitKind, fields: [String: String], expected: [String: String]) throws {
    let queries = try queries([EncodedHit.make(kind, fields)])
    #expect(queries.count == 1)
    #expect(queries.first.map(own) == expected)
  }

  @Test("HQ-640: items of a transaction in the same request are told with it")
  func items() throws {
    let hits = [
      EncodedHit.make(.transaction, ["ti": "T", "tr": "5"], number: 1),
      EncodedHit.make(.item, ["ti": "T", "in": "N", "ic": "S", "iv": "c", "ip": "2.5", "iq": "2"], number: 2),
      EncodedHit.make(.screenView, ["cd": "Home"], number: 3),
      EncodedHit.make(.item, ["ti": "T", "in": "M"], number: 4),
    ]
    let queries = try queries(hits)
    #expect(queries.count == 2)
    #expect(queries.first?["ec_items"] == #"[["S","N","c",2.5,2],["","M","",0,1]]"#)
    // The second request of two is refused: the third hit. The first is three hits.
    let answer = { (indices: String) in
      HTTPResponse(
        status: 200, body: Array(#"{"status":"success","tracked":1,"invalid":1\#(indices)}"#.utf8))
    }
    #expect(
      matomo.verdict(answer(#","invalid_indices":[1]"#), for: hits[...])
        == .settled(rejected: [hits[2].id: "invalid"]))
    #expect(
      matomo.verdict(answer(#","invalid_indices":[0,7,-1]"#), for: hits[...])
        == .settled(rejected: [hits[0].id: "invalid", hits[1].id: "invalid", hits[3].id: "invalid"]))
    #expect(matomo.verdict(answer(""), for: hits[...]) == .settled(unknown: 1))
  }

  @Test(
    "HQ-641: what settles nothing comes again",
    arguments: [
      (200, #"{"status":"error"}"#), (200, "GIF89a"), (200, ""), (500, #"{"status":"success"}"#),
    ])
  func failures(status: Int, body: String) {
    #expect(
      matomo.verdict(HTTPResponse(status: status, body: Array(body.utf8)), for: [EncodedHit.id(1)])
        == .retry(after: nil))
  }

  @Test("HQ-531, HQ-640: without a token a day is the most; a batch is 1 to 200 hits; compression is a setting")
  func settings() throws {
    #expect(matomo.traits.lateness == .maxAge(.seconds(86_400)))
    #expect(MatomoProtocol(token: "t").traits.lateness == .none)
    #expect(matomo.limits.hits == 50)
    #expect(MatomoProtocol(batch: 0).limits.hits == 1)
    #expect(MatomoProtocol(batch: 500).limits.hits == 200)
    let hit = EncodedHit.make(.screenView, ["cd": "H"])
    #expect(try MatomoProtocol(gzip: true).encode([hit], EncodedHit.context("https://m")).gzip)
    #expect(try !request([hit]).gzip)
    #expect(!matomo.carries(.custom("x")))
    #expect(!matomo.carries(.beacon))
  }

  @Test("HQ-640: a visitor is the first 16 digits of the client id, or of its hash")
  func visitor() {
    #expect(MatomoQuery.visitor("35009A79-1a05-49d7-b876-2b884d0f825b") == "35009a791a0549d7")
    // FNV-1a of 64 bits of "c", by another program.
    #expect(MatomoQuery.visitor("c") == "af63de4c8601eff2")
  }

  @Test("HQ-138: the predicted size holds what the hit takes", arguments: kinds)
  func size(kind: HitKind, fields: [String: String], expected: [String: String]) throws {
    let hit = EncodedHit.make(kind, fields)
    let body = try request([hit]).body.count - #"{"requests":[]}"#.utf8.count
    #expect(matomo.size(of: hit, at: nil) >= body)
  }

  /// The parameters that other programs' requests have and ours have too, with the same spelling.
  @Test("HQ-640: requests of the public tracker have the frame that ours have")
  func corpus() throws {
    guard let corpus = Corpus.find(for: "Matomo protocol") else { return }
    let files = try corpus.files(in: "hits/matomo_get")
    #expect(files.count == 5)
    let ours = try queries([
      EncodedHit.make(.pageView, ["dl": "http://somesite.com", "dt": "test title"], property: "1")
    ])[0]
    for file in files {
      let target = try corpus.data("hits/matomo_get/\(file)")
      #expect(target.starts(with: Array("/matomo.php?".utf8)))
      let theirs = FormFields(Array(target.dropFirst("/matomo.php?".utf8.count))).dictionary
      for name in ["idsite", "rec", "apiv"] { #expect(theirs[name] == ours[name], "\(file) \(name)") }
      #expect(theirs["url"] != nil)
      if let id = theirs["_id"] { #expect(id.utf8.count == ours["_id"]?.utf8.count) }
    }
    let page = FormFields(Array(try corpus.data("hits/matomo_get/025.txt"))).dictionary
    #expect(page["action_name"] == ours["action_name"])
    #expect(page["url"] == ours["url"])
  }
}
