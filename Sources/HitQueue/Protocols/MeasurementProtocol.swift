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
    for hit in hits where !hit.isForm { throw EncodingError(message: "hit \(hit.id) is not stored as form fields") }
    let longest = hits.reduce(0) { $0 + size(of: $1, at: nil) + 1 }
    let body = [UInt8](upTo: longest) { writer in
      for hit in hits {
        if writer.count > 0 { writer.put(UInt8(ascii: "\n")) }
        Self.write(hit, context, to: &writer)
      }
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

  private static func write(_ hit: QueuedHit, _ context: EncodingContext, to writer: inout ByteWriter) {
    // What was granted when the hit was made may be denied by now (HQ-224).
    if hit.consent.grants(.adPersonalization, and: context.consent) {
      hit.content.withUnsafeBytes { writer.put($0) }
    } else {
      writer.put(marked(hit.content))
    }
    writer.put(text: sequenceName)
    writer.put(decimal: hit.sequence)
    writer.put(text: versionField)
    if let time = hit.wallTime(at: context.now) {
      writer.put(text: timeName)
      writer.put(decimal: time)
    }
    writer.put(text: ageName)
    writer.put(decimal: hit.age(at: context.now))
    writer.put(text: idName)
    writer.put(hit.id)
  }

  /// A line with `npa=1` in its place among the fields, unless it has one.
  private static func marked(_ line: ArraySlice<UInt8>) -> [UInt8] {
    let fields = line.split(separator: UInt8(ascii: "&"))
    let name = Array("npa=".utf8)
    if fields.contains(where: { $0.starts(with: name) }) { return Array(line) }
    let next = fields.first { field in
      let fieldName = field.prefix { $0 != UInt8(ascii: "=") }
      return name.lexicographicallyPrecedes(field)
        && !HitBody.leading.contains(String(decoding: fieldName, as: UTF8.self))
    }
    let place = next.map { $0.startIndex - 1 } ?? line.endIndex
    return Array(line[..<place]) + mark.utf8 + line[place...]
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
