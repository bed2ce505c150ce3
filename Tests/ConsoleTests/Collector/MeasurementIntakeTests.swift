import Hits
import Testing

@testable import Console

@Suite("Measurement Protocol intake") struct MeasurementIntakeTests {
  static let now: Int64 = 1_800_000_000_000
  static let base = "v=1&tid=UA-1-1&cid=c&"

  static func judge(
    _ line: String, properties: [String] = [], isLoopback: Bool = true,
    policy: AddressPolicy = .masked, client: String = "203.0.113.77", userAgent: String? = "agent"
  ) throws(RejectedHit) -> IntakeHit {
    let registry = PropertyRegistry(properties.compactMap { Property(id: $0) }, isLoopback: isLoopback)
    let intake = MeasurementIntake(IntakeRules(registry: registry, addressPolicy: policy))
    return try intake.judge(
      Array(line.utf8),
      IntakeArrival(
        received: now, source: .collect, client: ClientAddress(client) ?? .none, userAgent: userAgent))
  }

  @Test(
    "HQ-701: what lacks a required field, or has a wrong one, is refused with code and field",
    arguments: [
      ("", "MISSING_FIELD", "v"), ("tid=UA-1-1&cid=c&t=exception", "MISSING_FIELD", "v"),
      ("v=2&tid=UA-1-1&cid=c&t=exception", "BAD_VALUE", "v"), ("v=1&cid=c&t=exception", "MISSING_FIELD", "tid"),
      ("v=1&tid=&cid=c&t=exception", "MISSING_FIELD", "tid"), ("v=1&tid=UA-X-1&cid=c&t=exception", "BAD_VALUE", "tid"),
      ("v=1&tid=a%20b&cid=c&t=exception", "BAD_VALUE", "tid"), ("v=1&tid=UA-1-1&t=exception", "MISSING_FIELD", "cid"),
      ("v=1&tid=UA-1-1&cid=%20&t=exception", "MISSING_FIELD", "cid"), ("v=1&tid=UA-1-1&cid=c", "MISSING_FIELD", "t"),
      (base + "t=custom", "UNKNOWN_KIND", "t"), (base + "t=screenview", "MISSING_FIELD", "cd"),
      (base + "t=appview", "MISSING_FIELD", "cd"), (base + "t=pageview", "MISSING_FIELD", "dl"),
      (base + "t=pageview&dp=/a", "MISSING_FIELD", "dl"), (base + "t=event&ea=a", "MISSING_FIELD", "ec"),
      (base + "t=event&ec=a&ea=", "MISSING_FIELD", "ea"), (base + "t=event&ec=a&ea=b&ev=-1", "BAD_VALUE", "ev"),
      (base + "t=event&ec=a&ea=b&ev=much", "BAD_VALUE", "ev"), (base + "t=timing&utc=a&utt=1", "MISSING_FIELD", "utv"),
      (base + "t=timing&utc=a&utv=b&utt=-1", "BAD_VALUE", "utt"), (base + "t=social&sn=a&sa=b", "MISSING_FIELD", "st"),
      (base + "t=transaction", "MISSING_FIELD", "ti"), (base + "t=item&ti=1", "MISSING_FIELD", "in"),
      (base + "t=event&ec=a&ea=b&pa=purchase", "MISSING_FIELD", "ti"),
      (base + "t=exception&qt=-1", "BAD_VALUE", "qt"), (base + "t=exception&qt=soon", "BAD_VALUE", "qt"),
      (base + "t=exception&qt=99999999999999999999", "BAD_VALUE", "qt"),
      (base + "t=exception&qt=3888000001", "TOO_OLD", "qt"),
    ])
  func refused(line: String, code: String, field: String) {
    let refusal = #expect(throws: RejectedHit.self) { try Self.judge(line) }
    #expect(refusal?.code.rawValue == code)
    #expect(refusal?.field == field)
    #expect(refusal?.raw == Array(line.utf8))
    #expect(refusal?.received == Self.now)
  }

  @Test(
    "HQ-110: a hit with the fields of its kind is taken",
    arguments: [
      ("t=screenview&cd=Home", "screenview"), ("t=appview&cd=Home", "screenview"),
      ("t=pageview&dl=http://a/b", "pageview"), ("t=pageview&dh=a&dp=/b", "pageview"),
      ("t=event&ec=a&ea=b", "event"), ("t=event&ec=a&ea=b&ev=0", "event"), ("t=exception", "exception"),
      ("t=timing&utc=a&utv=b&utt=0", "timing"), ("t=social&sn=a&sa=b&st=c", "social"),
      ("t=transaction&ti=1", "transaction"), ("t=item&ti=1&in=x", "item"),
      ("t=event&ec=a&ea=b&pa=purchase&ti=1", "event"), ("t=exception&ni=perhaps&unknown=1&cd999=x", "exception"),
      ("t=exception&qt=3888000000", "exception"),
    ])
  func taken(fields: String, kind: String) throws {
    let hit = try Self.judge(Self.base + fields)
    #expect(hit.kind == kind)
    #expect(hit.body == Array((Self.base + fields).utf8))
  }

  @Test("HQ-712, HQ-721: what a hit says of itself goes into its columns")
  func columns() throws {
    let hit = try Self.judge(
      "v=1&tid=UA-1-1&cid=c&uid=u&t=screenview&cd=Home&_s=7&_v=tw1.0.0&ht=1799999990000&qt=9000"
        + "&z=017a8506-518f-7abc-8def-0123456789ab")
    #expect(hit.id.description == "017a8506-518f-7abc-8def-0123456789ab")
    #expect(hit.property == "UA-1-1")
    #expect(hit.client == "c")
    #expect(hit.user == "u")
    #expect(hit.sequence == 7)
    #expect(hit.library == "tw1.0.0")
    #expect(hit.clientTime == 1_799_999_990_000)
    #expect(hit.occurred == Self.now - 9000)
    #expect(hit.received == Self.now)
    #expect(hit.source == .collect)
    #expect(hit.userAgent == "agent")
  }

  @Test("HQ-545: times and counters that cannot be are left out")
  func oddNumbers() throws {
    let hit = try Self.judge(Self.base + "t=exception&ht=253402300800000&_s=0")
    #expect(hit.clientTime == nil)
    #expect(hit.sequence == nil)
    #expect(try Self.judge(Self.base + "t=exception&ht=now&_s=-5").sequence == nil)
  }

  @Test("HQ-710: our hits keep z; foreign ones with z are known by their fields but qt; those without are all new")
  func identity() throws {
    let foreign = "v=1&tid=UA-1-1&cid=c&t=event&ec=a&ea=b%20c&z=42"
    // SHA-256 of `cid=c&ea=b%20c&ec=a&t=event&tid=UA-1-1&v=1&z=42`, by another program.
    let expected = "8745fe88-26c9-7626-1202-c7d0f72af5e3"
    #expect(try Self.judge(foreign).id.description == expected)
    #expect(try Self.judge("z=42&qt=10&t=event&ea=b+c&ec=a&cid=c&tid=UA-1-1&v=1").id.description == expected)
    #expect(try Self.judge(foreign.replacing("z=42", with: "z=43")).id.description != expected)
    let bare = Self.base + "t=exception"
    #expect(try Self.judge(bare).id != Self.judge(bare).id)
    let own = Self.base + "t=exception&_v=tw1.0.0&z=017a8506-518f-7abc-8def-0123456789ab"
    #expect(try Self.judge(own + "&qt=1").id == Self.judge(own + "&exd=other").id)
  }

  static let addressCases: [(String, AddressPolicy, String, String?)] = [
    ("", .masked, "203.0.113.77", "203.0.113.0"), ("", .full, "203.0.113.77", "203.0.113.77"),
    ("", .none, "203.0.113.77", nil), ("&aip=1", .masked, "203.0.113.77", nil), ("&aip=0", .full, "203.0.113.77", nil),
    ("&uip=198.51.100.9", .masked, "203.0.113.77", "198.51.100.0"),
    ("&uip=nonsense", .masked, "203.0.113.77", "203.0.113.0"),
    ("", .masked, "2001:db8:1:2:3::4", "2001:db8:1::"), ("", .masked, "::ffff:203.0.113.77", "203.0.113.0"),
  ]

  @Test(
    "HQ-713: the client's address is kept in full, masked, or not, and aip keeps it out",
    arguments: addressCases)
  func addresses(fields: String, policy: AddressPolicy, client: String, kept: String?) throws {
    let hit = try Self.judge(Self.base + "t=exception" + fields, policy: policy, client: client)
    #expect(hit.address == kept)
    let isKept = String(decoding: hit.body, as: UTF8.self).contains("198.51.100.9")
    #expect(!isKept)
  }

  @Test("HQ-713: a refused hit keeps no address either")
  func refusedAddress() {
    let refusal = #expect(throws: RejectedHit.self) {
      try Self.judge(Self.base + "%75ip=198.51.100.9&t=event&ec=%F0%9F%91%8D")
    }
    #expect(refusal.map { String(decoding: $0.raw, as: UTF8.self) } == "v=1&tid=UA-1-1&cid=c&t=event&ec=%F0%9F%91%8D")
  }

  @Test("HQ-713: the user agent is cut at 512 bytes, and the hit's own goes before the request's")
  func userAgent() throws {
    let long = String(repeating: "é", count: 300)
    #expect(try Self.judge(Self.base + "t=exception", userAgent: long).userAgent?.utf8.count == 512)
    #expect(try Self.judge(Self.base + "t=exception&ua=own").userAgent == "own")
    #expect(try Self.judge(Self.base + "t=exception", userAgent: nil).userAgent == nil)
  }

  @Test(
    "HQ-714: registered properties are taken; with none, loopback takes all and other addresses none",
    arguments: [
      (["UA-1-1"], true, true), (["UA-2-1"], true, false), (["UA-1-1", "UA-2-1"], false, true), ([], true, true),
      ([], false, false),
    ])
  func properties(registered: [String], isLoopback: Bool, isTaken: Bool) {
    let result = Result { () throws(RejectedHit) in
      try Self.judge(Self.base + "t=exception", properties: registered, isLoopback: isLoopback)
    }
    switch result {
    case .success: #expect(isTaken)
    case .failure(let refusal):
      #expect(!isTaken)
      #expect(refusal.code == .unknownProperty)
      #expect(refusal.property == "UA-1-1")
    }
  }

  @Test(
    "HQ-201: what is a property's id",
    arguments: [
      ("UA-1-1", true), ("UA-123456789012-123456", true), ("UA-1234567890123-1", false), ("UA-1-1234567", false),
      ("UA-1", false), ("UA-1-", false), ("UA--1", false), ("UA-1-1-1", false), ("UA-XXXXXXX-X", false), ("555", true),
      ("G-ABC.d:e_1", true), (String(repeating: "a", count: 64), true), (String(repeating: "a", count: 65), false),
      ("", false), ("a b", false), ("é", false), ("ua-x", true),
    ])
  func propertyIDs(text: String, isID: Bool) { #expect(Property.isID(text) == isID) }

  @Test(
    "HQ-702: parsing survives everything",
    arguments: [
      "&&&&", "=", "==&=&", "%", "%%%", "%zz=%zz", "v", "v=1&v=2", "\0", "a\0b=c%00d", "%FF%FE=%C3", "&=&v=1&&tid",
      String(repeating: "%", count: 8000), String(repeating: "a&", count: 4000), String(repeating: "=", count: 8000),
    ])
  func survives(line: String) {
    #expect(throws: RejectedHit.self) { try Self.judge(line) }
    // The same noise beside a good hit does not spoil it.
    #expect(throws: Never.self) { try Self.judge(Self.base + "t=exception&" + line) }
  }

  @Test("HQ-702: repeated keys count once, the first; a bad escape stays; broken UTF-8 becomes U+FFFD")
  func tolerance() throws {
    let hit = try Self.judge("v=1&tid=UA-1-1&cid=first&cid=second&t=exception&&uid=%zz%C3%28+x")
    #expect(hit.client == "first")
    #expect(hit.user == "%zz\u{FFFD}( x")
  }
}
