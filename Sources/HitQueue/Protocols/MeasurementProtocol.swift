public import Hits

/// Google's Measurement Protocol v1, as our collector and compatible ones speak it (HQ-610 to HQ-614).
///
///     one hit        POST <endpoint>/collect   application/x-www-form-urlencoded
///     two to twenty  POST <endpoint>/batch     text/plain, one hit a line, LF between
///     line           v tid cid uid t, the other fields by name, _s _v ht qt z
///
/// The store keeps a hit as the line up to `_s`, so that a request is made by appending.
public struct MeasurementProtocol: HitProtocol {
  /// Makes the protocol; it has no settings.
  public init() {}

  static let name = "mp1"
  /// The name in the store's lane rows.
  public var name: String { Self.name }
  /// 20 hits, 16 KiB a request, 8 KiB a hit.
  public let limits = BatchLimits(hits: 20, bytes: 16_384, hitBytes: 8_192)
  /// Our collector knows a hit again by `z`; reports close at four in the morning (HQ-531).
  public let traits = DeliveryTraits(dedupes: true, lateness: .nextDay4AM)

  /// Everything but custom hits and beacons (HQ-115).
  public func carries(_ kind: HitKind) -> Bool { kind.wireName != nil }

  /// The bytes of the hit's line.
  public func size(of hit: QueuedHit, at now: HitTime?) -> Int {
    guard let now else { return hit.content.count + Self.longestSuffix + Self.mark.utf8.count }
    let time = hit.wallTime(at: now).map { Self.timeName.utf8.count + Self.digits(of: $0) } ?? 0
    return hit.content.count + Self.mark.utf8.count + Self.frame + Self.digits(of: hit.sequence) + time
      + Self.digits(of: hit.age(at: now))
  }

  /// The request for one hit or a batch.
  public func encode(_ hits: ArraySlice<QueuedHit>, _ context: EncodingContext) throws(EncodingError) -> HTTPRequest {
    var body: [UInt8] = []
    body.reserveCapacity(min(limits.bytes, hits.reduce(0) { $0 + $1.content.count + Self.longestSuffix + 1 }))
    for hit in hits {
      guard hit.isForm else { throw EncodingError(message: "hit \(hit.id) is not stored as form fields") }
      if !body.isEmpty { body.append(UInt8(ascii: "\n")) }
      // What was granted when the hit was made may be denied by now (HQ-224).
      if hit.consent.grants(.adPersonalization, and: context.consent) {
        body += hit.content
      } else {
        Self.appendMarked(hit.content, to: &body)
      }
      appendSuffix(of: hit, at: context.now, to: &body)
    }
    let isBatch = hits.count > 1
    return HTTPRequest(
      method: "POST", url: context.endpoint + (isBatch ? "/batch" : "/collect"),
      headers: [
        "Content-Type": isBatch ? "text/plain" : "application/x-www-form-urlencoded",
        "User-Agent": context.userAgent, "Accept": "\(Acknowledgement.mediaType), */*;q=0.5",
      ],
      body: body)
  }

  /// Any 2xx settles all hits, unless the answer judges them one by one (HQ-613).
  public func verdict(_ response: HTTPResponse, for hits: [HitID]) -> Verdict {
    guard 200..<300 ~= response.status else { return .ofFailure(response) }
    let type = response.headers["Content-Type"]?.prefix { $0 != ";" && $0 != " " }
    guard let type, HTTPHeaders.isSame(String(type), Acknowledgement.mediaType) else { return .settled() }
    return Acknowledgement(response.body)?.verdict(for: hits) ?? .retry(after: nil)
  }

  /// Appends a line with `npa=1` in its place among the fields, unless it has one.
  private static func appendMarked(_ line: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
    let fields = line.split(separator: UInt8(ascii: "&"))
    let name = Array("npa=".utf8)
    if fields.contains(where: { $0.starts(with: name) }) {
      bytes += line
      return
    }
    let next = fields.first { field in
      let fieldName = field.prefix { $0 != UInt8(ascii: "=") }
      return name.lexicographicallyPrecedes(field)
        && !HitBody.leading.contains(String(decoding: fieldName, as: UTF8.self))
    }
    let place = next.map { $0.startIndex - 1 } ?? line.endIndex
    bytes += line[..<place]
    bytes += mark.utf8
    bytes += line[place...]
  }

  private func appendSuffix(of hit: QueuedHit, at now: HitTime, to bytes: inout [UInt8]) {
    bytes += Self.sequenceName.utf8
    bytes.append(decimal: hit.sequence)
    bytes += Self.versionField.utf8
    if let time = hit.wallTime(at: now) {
      bytes += Self.timeName.utf8
      bytes.append(decimal: time)
    }
    bytes += Self.ageName.utf8
    bytes.append(decimal: hit.age(at: now))
    bytes += Self.idName.utf8
    bytes.append(id: hit.id)
  }

  private static let mark = "&npa=1"
  private static let sequenceName = "&_s="
  private static let versionField = "&_v=tw" + HitQueueInfo.version
  private static let timeName = "&ht="
  private static let ageName = "&qt="
  private static let idName = "&z="
  /// What is in every suffix: the names, and an id.
  private static let frame = [sequenceName, versionField, ageName, idName].reduce(36) { $0 + $1.utf8.count }

  private static func digits(of number: Int64) -> Int {
    var (digits, rest) = (number < 0 ? 2 : 1, number.magnitude / 10)
    while rest > 0 {
      digits += 1
      rest /= 10
    }
    return digits
  }

  /// 19 digits of a sequence, 15 of the last time of HQ-545, 16 of the longest age, 36 of an id.
  private static let longestSuffix =
    [sequenceName, versionField, timeName, ageName, idName].reduce(19 + 15 + 16 + 36) { $0 + $1.utf8.count }
}
