import Hits

/// Holds a protocol to what the queue relies on: for the tests of whoever writes one (HQ-670).
///
///     #expect(HitProtocolConformance.problems(in: MyProtocol(), endpoint: "https://hits.example").isEmpty)
///
/// Sample hits of every kind that the protocol carries are checked, measured and encoded; no network is used.
public enum HitProtocolConformance {
  /// What the protocol does not keep, a sentence each; none when it is fit for use.
  ///
  /// - Parameters:
  ///   - endpoint: an address that the protocol should accept.
  ///   - clientID: a client id that it can tell.
  public static func problems(
    in language: any HitProtocol, endpoint: String, clientID: String = "35009a79-1a05-49d7-b876-2b884d0f825b"
  ) -> [String] {
    let samples = Samples(endpoint: endpoint, clientID: clientID)
    var problems = limits(of: language)
    if !language.accepts(endpoint: endpoint) { problems.append("the address \(endpoint) is not accepted") }
    let kinds = Samples.kinds.filter { language.carries($0.0) }
    if kinds.isEmpty { problems.append("no kind of hit is carried") }
    for (kind, fields) in kinds {
      problems += single(samples.hit(kind, fields, number: 1), samples, language).map { "\(kind): \($0)" }
    }
    if language.carries(.screenView), language.limits.hits >= 3 { problems += order(samples, language) }
    return problems + verdicts(language)
  }

  private static func limits(of language: any HitProtocol) -> [String] {
    let limits = language.limits
    var problems: [String] = []
    if language.name.isEmpty { problems.append("the name is empty") }
    if limits.hits < 1 || limits.hitBytes < 1 { problems.append("a request takes no hit") }
    if limits.hitBytes > limits.bytes { problems.append("a hit may be larger than a request") }
    return problems
  }

  private static func single(_ hit: QueuedHit, _ samples: Samples, _ language: any HitProtocol) -> [String] {
    var problems: [String] = []
    if let refusal = language.check(hit).refusal { problems.append("a good hit is refused: \(refusal)") }
    if language.weight(of: hit) < 1 { problems.append("it weighs nothing") }
    let size = language.size(of: hit, at: samples.now)
    if language.size(of: hit, at: nil) < size { problems.append("its longest size is below its size") }
    guard let request = samples.request([hit], language) else { return problems + ["it is not encoded"] }
    let bytes = request.body.isEmpty ? request.url.utf8.count : request.body.count
    if bytes > size { problems.append("its request has \(bytes) bytes, \(size) were predicted") }
    if request != samples.request([hit], language) { problems.append("two requests of one moment differ") }
    return problems
  }

  private static func order(_ samples: Samples, _ language: any HitProtocol) -> [String] {
    let marks = ["mark-c", "mark-a", "mark-b"]
    let hits = marks.enumerated().map { samples.hit(.screenView, ["cd": $1], number: UInt64($0 + 1)) }
    guard hits.dropFirst().allSatisfy({ language.canJoin($0, after: hits[0]) }) else {
      return ["hits of one client and consent do not share a request"]
    }
    guard let body = samples.request(hits, language)?.body else { return ["three hits are not encoded"] }
    let predicted = hits.reduce(hits.count - 1) { $0 + language.size(of: $1, at: samples.now) }
    let places = marks.compactMap { place(of: Array($0.utf8), in: body) }
    var problems: [String] = []
    if places.count < marks.count || places != places.sorted() { problems.append("hits are not in their order") }
    if body.count > predicted { problems.append("three hits have \(body.count) bytes, \(predicted) were predicted") }
    return problems
  }

  private static func verdicts(_ language: any HitProtocol) -> [String] {
    var problems: [String] = []
    let busy = HTTPResponse(status: 503, headers: ["Retry-After": "7"])
    if language.verdict(busy, for: [HitID]()) != .retry(after: .seconds(7)) {
      problems.append("503 with Retry-After does not wait")
    }
    for status in [500, 502, 507] {
      if case .settled = language.verdict(HTTPResponse(status: status), for: [HitID]()) {
        problems.append("\(status) settles hits")
      }
    }
    return problems
  }

  private static func place(of piece: [UInt8], in bytes: [UInt8]) -> Int? {
    guard bytes.count >= piece.count else { return nil }
    return (0...(bytes.count - piece.count)).first { bytes[$0..<$0 + piece.count].elementsEqual(piece) }
  }
}

/// Good hits of every kind, made 2 s before the moment at which they are encoded.
private struct Samples {
  static let kinds: [(HitKind, [String: String])] = [
    (.screenView, ["cd": "Trò chơi 👍 \"&\\"]), (.pageView, ["dl": "https://a.example/b?c=d", "dt": "Title"]),
    (.event, ["ec": "a", "ea": "b", "el": "c", "ev": "3"]), (.exception, ["exd": "boom", "exf": "1"]),
    (.timing, ["utc": "a", "utv": "b", "utt": "3"]), (.social, ["sn": "a", "sa": "b", "st": "c"]),
    (.transaction, ["ti": "T", "tr": "9.5", "cu": "EUR"]), (.item, ["ti": "T", "in": "name", "ip": "2.5", "iq": "2"]),
    (.custom("level_up"), [:]), (.beacon, ["url": "https://a.example/b"]),
  ]

  let endpoint: String
  let clientID: String
  let now = HitTime(wallMilliseconds: 1_800_000_002_000, ageClock: 7_000_000_000, boot: BootID("b"))
  private let created = HitTime(wallMilliseconds: 1_800_000_000_000, ageClock: 5_000_000_000, boot: BootID("b"))

  init(endpoint: String, clientID: String) {
    self.endpoint = endpoint
    self.clientID = clientID
  }

  func hit(_ kind: HitKind, _ fields: [String: String], number: UInt64) -> QueuedHit {
    let url = fields["url"].flatMap { BeaconProtocol.body(url: $0) }
    return QueuedHit(
      id: HitID(high: 7 << 12, low: number), sequence: Int64(number), created: created,
      body: url
        ?? HitBody.body(
          of: kind, property: "UA-12345-1", clientID: clientID, userID: fields["uid"],
          fields: FieldHygiene(fields, kind: kind).kept, parameters: ["level": 3]))
  }

  func request(_ hits: [QueuedHit], _ language: any HitProtocol) -> HTTPRequest? {
    let context = EncodingContext(
      now: now, endpoint: endpoint, userAgent: "Tagworks", tracker: "main", request: HitID(high: 7 << 12, low: 0))
    return try? language.encode(hits[...], context)
  }
}
