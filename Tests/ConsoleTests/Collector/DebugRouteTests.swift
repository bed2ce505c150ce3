import HitQueue
import Hits
import TestSupport
import Testing

@testable import Console

@Suite("Validation server") struct DebugRouteTests {
  let fixture = CollectorFixture()

  private func report(_ response: ServerResponse) throws -> [(isValid: Bool, messages: [String])] {
    let document = try Value(json: response.body)
    let results = try #require(document.map?["hitParsingResult"]?.list)
    return results.map { result in
      let messages = result.map?["parserMessage"]?.list ?? []
      return (
        result.map?["valid"] == true,
        messages.map { message in
          let fact = { (name: String) in message.map?[name]?.string ?? "" }
          return "\(fact("messageType")) \(fact("messageCode")) \(fact("parameter"))"
        }
      )
    }
  }

  @Test("HQ-1232, HQ-703: a wrong and a right hit in one request, in the form of the validation server")
  func form() async throws {
    let good = "v=1&tid=UA-1-1&cid=c&t=exception"
    let body = good.replacing("UA-1-1", with: "foo") + "\n" + good
    let response = await fixture.send("POST", "/debug/collect", body: Array(body.utf8))
    #expect(response.status == 200)
    #expect(response.headers["Content-Type"] == "application/json")
    #expect(
      response.text
        == #"{"hitParsingResult":[{"hit":"POST /debug/collect?v=1&tid=foo&cid=c&t=exception HTTP/1.1","#
        + #""parserMessage":[{"description":"The value of parameter 'tid' is invalid: it is no tracking ID.","#
        + #""messageCode":"VALUE_INVALID","messageType":"ERROR","parameter":"tid"}],"valid":false},"#
        + #"{"hit":"POST /debug/collect?v=1&tid=UA-1-1&cid=c&t=exception HTTP/1.1","parserMessage":[],"valid":true}],"#
        + #""parserMessage":[{"description":"Found 2 hit in the request.","messageType":"INFO"}]}"#)
    #expect(fixture.storage.state.withLock { $0.hits.isEmpty && $0.rejected.isEmpty })
    let get = await fixture.send("GET", "/debug/collect", query: good)
    #expect(get.text.contains("\"hit\":\"GET /debug/collect?\(good) HTTP/1.1\""))
    #expect(get.text.contains("Found 1 hit in the request."))
    #expect(await fixture.send("GET", "/debug/collect").text.contains("Found 0 hit in the request."))
  }

  static let base = "v=1&tid=UA-1-1&cid=c&"

  @Test(
    "HQ-703: each code, its weight and its parameter",
    arguments: [
      (
        "",
        ["ERROR VALUE_REQUIRED v", "ERROR VALUE_REQUIRED tid", "ERROR VALUE_REQUIRED t", "ERROR VALUE_REQUIRED cid"]
      ),
      (base + "t=event&ec=a&ea=", ["ERROR VALUE_REQUIRED ea"]),
      (base + "t=screenview&cd=%20", ["ERROR VALUE_REQUIRED cd"]),
      (base + "t=pageview&dh=a", ["ERROR VALUE_REQUIRED dl"]), (base + "t=pageview&dh=a&dp=/b", []),
      (base + "t=event&ec=a&ea=b&pa=purchase", ["ERROR VALUE_REQUIRED ti"]),
      ("v=1&tid=UA-1-1&uid=u&t=exception", []), ("v=2&tid=UA-1-1&cid=c&t=exception", ["ERROR VALUE_INVALID v"]),
      (base + "t=nothing", ["ERROR VALUE_INVALID t"]), (base + "t=event&ec=a&ea=b&ev=-1", ["ERROR VALUE_INVALID ev"]),
      (base + "t=exception&qt=-1", ["ERROR VALUE_INVALID qt"]),
      (base + "t=exception&sc=maybe", ["ERROR VALUE_INVALID sc"]),
      (base + "t=exception&cm3=much", ["ERROR VALUE_INVALID cm3"]), (base + "t=exception&aip=0", []),
      (base + "t=exception&qt=14400001", ["WARN VALUE_OUT_OF_BOUNDS qt"]), (base + "t=exception&qt=14400000", []),
      (base + "t=exception&cd201=x", ["WARN VALUE_OUT_OF_BOUNDS cd201"]),
      (base + "t=exception&exd=" + String(repeating: "a", count: 151), ["WARN VALUE_OUT_OF_BOUNDS exd"]),
      (base + "t=exception&exd=" + String(repeating: "a", count: 150), []),
      (base + "t=exception&what=x&a-b=y", ["WARN PARAMETER_UNKNOWN what", "WARN PARAMETER_UNKNOWN a-b"]),
      (base + "t=exception&ec=a", ["WARN PARAMETER_NOT_FOR_TYPE ec"]),
      (base + "t=exception&ti=a", ["WARN PARAMETER_NOT_FOR_TYPE ti"]), (base + "t=exception&pa=detail&ti=a", []),
      (base + "t=exception&el=" + String(repeating: "a", count: 8192), ["ERROR HIT_TOO_LARGE "]),
    ])
  func codes(line: String, expected: [String]) async throws {
    let response = await fixture.send("POST", "/debug/collect", body: Array((line.isEmpty ? "&" : line).utf8))
    let results = try report(response)
    #expect(results.map(\.messages) == [expected])
    #expect(results.map(\.isValid) == [!expected.contains { $0.hasPrefix("ERROR") }])
  }

  @Test("HQ-703: a property that is not registered is a warning; one that is needs not look like a tracking ID")
  func properties() async throws {
    let fixture = CollectorFixture(properties: CollectorFixture.keyed)
    let unknown = await fixture.send("POST", "/debug/collect", body: Array((Self.base + "t=exception").utf8))
    #expect(try report(unknown).map(\.messages) == [["WARN PROPERTY_UNKNOWN tid"]])
    let known = await fixture.send("POST", "/debug/collect", body: Array("v=1&tid=p&cid=c&t=exception".utf8))
    #expect(try report(known).map(\.messages) == [[]])
  }

  @Test("HQ-703: more than 20 hits or 16,384 bytes are an error of each; what is longer still is 413")
  func tooLarge() async throws {
    let line = Self.base + "t=exception"
    let many = [String](repeating: line, count: 21).joined(separator: "\n")
    let results = try report(await fixture.send("POST", "/debug/collect", body: Array(many.utf8)))
    #expect(results.count == 20)
    #expect(results.allSatisfy { !$0.isValid && $0.messages == ["ERROR BATCH_TOO_LARGE "] })
    let long = [String](repeating: line + "&cd1=" + String(repeating: "a", count: 100), count: 130)
    let text = await fixture.send("POST", "/debug/collect", body: Array(long.joined(separator: "\n").utf8)).text
    #expect(text.contains("Found 130 hit in the request."))
    #expect(await fixture.send("POST", "/debug/collect", body: [UInt8](repeating: 65, count: 65_537)).status == 413)
  }

  @Test("HQ-714: whoever has the longest of bodies judged over and over is 429 soon")
  func rate() async {
    let fixture = CollectorFixture(rates: RateLimiter(perSecond: 1000, burst: 1000))
    let body = Array(String(repeating: "&a=b", count: 16_000).utf8)
    var statuses: [Int] = []
    for _ in 1...9 { statuses.append(await fixture.send("POST", "/debug/collect", body: body).status) }
    #expect(statuses == [200, 200, 200, 200, 200, 200, 200, 429, 429])
  }

  /// The verdicts, worked out by hand from the table of HQ-703.
  ///
  /// What is not listed is valid without a message. `071` has a text for a metric, `066` and `093` quantities of
  /// impressions, which the protocol does not have; `095` to `097` and the last batch have a property that is no
  /// tracking ID, page views without an address, and an event without its names.
  static let verdicts: [String: [String]] = [
    "mp_v1/066.txt": ["WARN PARAMETER_UNKNOWN il1pi1qt", "WARN PARAMETER_UNKNOWN il1pi2qt"],
    "mp_v1/071.txt": ["ERROR VALUE_INVALID cm90"],
    "mp_v1/093.txt": ["WARN PARAMETER_UNKNOWN il1pi1qt", "WARN PARAMETER_UNKNOWN il1pi2qt"],
    "mp_v1/095.txt": ["ERROR VALUE_REQUIRED dl", "ERROR VALUE_INVALID tid"],
    "mp_v1/096.txt": ["ERROR VALUE_REQUIRED dl", "ERROR VALUE_INVALID tid"],
    "mp_v1/097.txt": ["ERROR VALUE_REQUIRED ec", "ERROR VALUE_REQUIRED ea", "ERROR VALUE_INVALID tid"],
    "mp_v1_ios/010.txt": ["ERROR VALUE_REQUIRED cd"],
    "mp_v1_ios/011.txt": [
      "WARN PARAMETER_UNKNOWN _crc", "WARN PARAMETER_UNKNOWN _u", "ERROR VALUE_INVALID tid",
    ],
    "mp_v1_batch/004.txt": ["ERROR VALUE_REQUIRED dl", "ERROR VALUE_INVALID tid"],
  ]

  /// Codes of HQ-666 by `/collect` and `/batch`, which take any property here, and a hit without its odd metric.
  static let refusals: [String: [String]] = [
    "mp_v1/095.txt": ["MISSING_FIELD dl"], "mp_v1/096.txt": ["MISSING_FIELD dl"], "mp_v1/097.txt": ["MISSING_FIELD ec"],
    "mp_v1_ios/010.txt": ["MISSING_FIELD cd"], "mp_v1_ios/011.txt": ["BAD_VALUE tid"],
    "mp_v1_batch/004.txt": [String](repeating: "MISSING_FIELD dl", count: 9),
  ]

  static let kinds: [String: [String]] = [
    "mp_v1_batch/001.txt": ["event", "transaction", "item", "item"],
    "mp_v1_batch/002.txt": ["event", "transaction", "item", "item"],
    "mp_v1_batch/003.txt": ["event", "transaction", "item", "item"],
  ]

  @Test("HQ-703, HQ-701: every payload of other programs has the verdict and the codes worked out by hand")
  func corpus() async throws {
    guard let corpus = Corpus.find(for: "Validation server") else { return }
    var tally: [String: (files: Int, hits: Int, valid: Int)] = [:]
    for folder in ["mp_v1", "mp_v1_batch", "mp_v1_ios"] {
      for name in try corpus.files(in: "hits/\(folder)") {
        let file = "\(folder)/\(name)"
        let body = Array(try corpus.data("hits/\(file)"))
        let results = try report(await fixture.send("POST", "/debug/collect", body: body))
        for result in results { #expect(result.messages == Self.verdicts[file] ?? [], "\(file)") }
        let isBatch = folder == "mp_v1_batch"
        let fixture = CollectorFixture()
        let taken = await fixture.send("POST", isBatch ? "/batch" : "/collect", body: body)
        #expect(taken.status == 200)
        let refused = fixture.storage.state.withLock { $0.rejected.map { "\($0.code.rawValue) \($0.field ?? "")" } }
        #expect(refused == Self.refusals[file] ?? [], "\(file)")
        let hits = fixture.storage.state.withLock { $0.hits }
        #expect(hits.count + refused.count == results.count)
        if let kinds = Self.kinds[file] {
          #expect(hits.map(\.hit.kind) == kinds)
          let names = hits.map { IntakeSummary($0).fields["in"] ?? IntakeSummary($0).fields["ea"] ?? "" }
          #expect(names == ["Order Completed", "", "sony pulse", "sony playstation 4"])
        }
        var counts = tally[folder] ?? (0, 0, 0)
        counts = (
          counts.files + 1, counts.hits + results.count, counts.valid + results.filter(\.isValid).count
        )
        tally[folder] = counts
      }
    }
    #expect(tally["mp_v1"].map { [$0.files, $0.hits, $0.valid] } == [49, 49, 45])
    #expect(tally["mp_v1_batch"].map { [$0.files, $0.hits, $0.valid] } == [4, 21, 12])
    #expect(tally["mp_v1_ios"].map { [$0.files, $0.hits, $0.valid] } == [2, 2, 0])
  }

  @Test("HQ-702: the real SDK's hits decode with their names, whatever their verdict")
  func appHits() async throws {
    guard let corpus = Corpus.find(for: "Validation server") else { return }
    let validator = try corpus.files(in: "hits/mp_v1_ios").map { name in
      FieldNames(Array(try corpus.data("hits/mp_v1_ios/\(name)")))
    }
    #expect(validator.map(\.app) == ["Particlebox", "dylanpush"])
    #expect(validator.map(\.screen) == [nil, "title"])
    #expect(validator.map(\.library) == ["mi3.0.3", "mi3.1.4"])
  }
}

/// What a hit calls its app, its screen and its library.
private struct FieldNames {
  var app: String?
  var screen: String?
  var library: String?

  init(_ line: [UInt8]) {
    let fields = FormFields(line)
    (app, screen, library) = (fields["an"], fields["cd"], fields["_v"])
  }
}
