package import Hits

/// A hit as the collector keeps it (HQ-721).
package struct IntakeHit: Sendable, Hashable {
  /// By what it is known again (HQ-710).
  package var id: HitID
  package var property: String
  /// The wire name of its kind, such as `event`.
  package var kind: String
  package var client: String?
  package var user: String?
  /// When it happened: receipt less age, in wall milliseconds (HQ-712).
  package var occurred: Int64
  /// What the client's clock said.
  package var clientTime: Int64?
  /// When it arrived.
  package var received: Int64
  /// The client's counter; gaps tell what was dropped on the device.
  package var sequence: Int64?
  package var tracker: String?
  package var source: Source
  /// The client's address as the settings let it be kept (HQ-713).
  package var address: String?
  package var userAgent: String?
  /// What made it, such as `tw1.0.0`.
  package var library: String?
  package var consent: String?
  /// What came: the fields in form encoding, or the line of JSON that the hit was.
  package var body: [UInt8]

  /// Where a hit came in.
  package struct Source: RawRepresentable, Sendable, Hashable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package static let collect = Source(rawValue: "collect")
    package static let batch = Source(rawValue: "batch")
    package static let hits = Source(rawValue: "v1")
  }

  package init(
    id: HitID, property: String, kind: String, client: String? = nil, user: String? = nil, occurred: Int64,
    clientTime: Int64? = nil, received: Int64, sequence: Int64? = nil, tracker: String? = nil, source: Source,
    address: String? = nil, userAgent: String? = nil, library: String? = nil, consent: String? = nil, body: [UInt8]
  ) {
    self.id = id
    self.property = property
    self.kind = kind
    self.client = client
    self.user = user
    self.occurred = occurred
    self.clientTime = clientTime
    self.received = received
    self.sequence = sequence
    self.tracker = tracker
    self.source = source
    self.address = address
    self.userAgent = userAgent
    self.library = library
    self.consent = consent
    self.body = body
  }
}

/// A hit that will never be stored, and why (HQ-701).
package struct RejectedHit: Error, Sendable, Hashable {
  /// The reasons of HQ-666: an open set.
  package struct Code: RawRepresentable, Sendable, Hashable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package static let missingField = Code(rawValue: "MISSING_FIELD")
    package static let badValue = Code(rawValue: "BAD_VALUE")
    package static let unknownKind = Code(rawValue: "UNKNOWN_KIND")
    package static let unknownProperty = Code(rawValue: "UNKNOWN_PROPERTY")
    package static let tooOld = Code(rawValue: "TOO_OLD")
  }

  package var code: Code
  package var field: String?
  /// Its id, when it says one.
  package var id: HitID?
  package var property: String?
  package var received: Int64
  /// The fields as they came, without the address that the settings do not let us keep.
  package var raw: [UInt8]

  package init(
    code: Code, field: String? = nil, id: HitID? = nil, property: String? = nil, received: Int64, raw: [UInt8]
  ) {
    self.code = code
    self.field = field
    self.id = id
    self.property = property
    self.received = received
    self.raw = raw
  }
}
