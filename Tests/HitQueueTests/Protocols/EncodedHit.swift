import Hits

@testable import HitQueue

/// Stored hits, as the protocols' tests need them: made 2 s before `now`.
enum EncodedHit {
  static let boot = BootID("6b1f0c2e-0000-4000-8000-000000000001")
  static let created = HitTime(wallMilliseconds: 1_800_000_000_000, ageClock: 5_000_000_000, boot: boot)
  static let now = HitTime(wallMilliseconds: 1_800_000_002_000, ageClock: 7_000_000_000, boot: boot)
  static let client = "35009a79-1a05-49d7-b876-2b884d0f825b"

  static func id(_ number: UInt64) -> HitID { HitID(high: 0x017a_8506_518f_7abc, low: 0x8def_0000_0000_0000 | number) }

  static func make(
    _ kind: HitKind, _ fields: [String: String] = [:], parameters: [String: Value] = [:], number: UInt64 = 1,
    property: String = "p", consent: ConsentSnapshot = .granted, isClockSuspect: Bool = false
  ) -> QueuedHit {
    QueuedHit(
      id: id(number), sequence: Int64(number), created: created, isClockSuspect: isClockSuspect, consent: consent,
      body: HitBody.body(
        of: kind, property: property, clientID: fields["cid"] ?? client, userID: fields["uid"],
        fields: [CleanField](cleaning: fields),
        parameters: parameters))
  }

  static func context(_ endpoint: String, consent: ConsentSnapshot = .granted) -> EncodingContext {
    EncodingContext(
      now: now, endpoint: endpoint, userAgent: "Tagworks/1.0.0", tracker: "shop", request: id(99), consent: consent)
  }
}
