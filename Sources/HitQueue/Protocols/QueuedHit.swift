public import Hits

/// A hit as the store holds it: ready to be encoded, its fields still in their bytes.
public struct QueuedHit: Sendable, Hashable {
  /// The dedupe key.
  public let id: HitID
  /// The store's counter.
  public let sequence: Int64
  /// When it was made.
  public let created: HitTime
  /// Whether the wall clock was wrong then (HQ-105).
  public let isClockSuspect: Bool
  /// What the person had said then.
  public let consent: ConsentSnapshot
  /// The form of the bytes and the bytes (HQ-305).
  package let body: [UInt8]

  package init(
    id: HitID, sequence: Int64, created: HitTime, isClockSuspect: Bool = false,
    consent: ConsentSnapshot = .granted, body: [UInt8]
  ) {
    self.id = id
    self.sequence = sequence
    self.created = created
    self.isClockSuspect = isClockSuspect
    self.consent = consent
    self.body = body
  }

  package static let formMark: UInt8 = 1
  package static let documentMark: UInt8 = 2
  /// The largest age that goes on a wire (HQ-501).
  package static let longestAge: Int64 = 1 << 53 - 1

  /// Whether `content` is form-encoded fields; otherwise it is a JSON document.
  public var isForm: Bool { body.first == Self.formMark }

  /// The fields, or the document, without what is added at sending.
  public var content: ArraySlice<UInt8> { body.dropFirst() }

  /// The fields by wire name; of a document its texts: the `url` of a beacon, the `name` of a custom hit.
  public var fields: [String: String] {
    if isForm { return FormFields(content).dictionary }
    guard let document = try? Value(json: Array(content)).map else { return [:] }
    return document.compactMapValues(\.string)
  }

  /// The age in milliseconds that goes on a wire; 0 when nobody can know it (HQ-500, HQ-501, HQ-545).
  public func age(at now: HitTime) -> Int64 {
    isAgeKnown(at: now) ? min(created.age(at: now), Self.longestAge) : 0
  }

  /// The wall time that goes on a wire: as it was stored, unless it was wrong and nothing tells by how much, or no
  /// calendar has it (HQ-502, HQ-545).
  public func wallTime(at now: HitTime) -> Int64? {
    isAgeKnown(at: now) && 0...253_402_300_799_999 ~= created.wallMilliseconds ? created.wallMilliseconds : nil
  }

  /// When it happened, in wall milliseconds of now less its age; nil when nobody can know it, or no calendar has it
  /// (HQ-502, HQ-545).
  package func occurred(at now: HitTime) -> Int64? {
    guard isAgeKnown(at: now) else { return nil }
    let (occurred, overflow) = now.wallMilliseconds.subtractingReportingOverflow(age(at: now))
    return !overflow && 0...253_402_300_799_999 ~= occurred ? occurred : nil
  }

  /// Whether the age can be known: not across a start of the device when the clock was wrong before it.
  package func isAgeKnown(at now: HitTime) -> Bool { !isClockSuspect || created.boot == now.boot }
}
