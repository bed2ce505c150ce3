import Hits
import TestSupport

@testable import Console

/// What every `HitStorage` promises (HQ-720).
enum HitStorageContract {
  typealias Case = ContractCase<any HitStorage>

  /// The wall time at which the storage under test believes to be.
  static let now: Int64 = 20 * 86_400_000

  static func hit(_ number: UInt64, received: Int64 = 1000) -> IntakeHit {
    IntakeHit(
      id: HitID(high: 7 << 12, low: number), property: "UA-1-1", kind: "event", client: "c\(number)", user: nil,
      occurred: received - 5, clientTime: -1, received: received, sequence: Int64(number), tracker: nil,
      source: .batch, address: "192.0.2.0", userAgent: "agent \0 é👍", library: "tw1.0.0", consent: nil,
      body: [0, 255] + Array("v=1&z=\(number)".utf8))
  }

  private static func check(_ condition: Bool, _ what: String) throws {
    guard condition else { throw ContractFailure(description: what) }
  }

  static let cases: [Case] = [
    Case("a hit comes back as it was stored") { storage in
      let stored = try await storage.store([hit(1)], rejected: [])
      guard case .inserted(let position)? = stored.first else { throw ContractFailure(description: "\(stored)") }
      let read = try await storage.scan(after: 0, limit: 10)
      try check(read == [PositionedHit(position: position, hit: hit(1))], "read \(read)")
    },
    Case("of an id that comes again, in one call or another, the first is kept") { storage in
      var again = hit(1)
      again.kind = "pageview"
      let first = try await storage.store([hit(1), again, hit(2)], rejected: [])
      try check(first.map { $0 == .duplicate } == [false, true, false], "first \(first)")
      let second = try await storage.store([again, hit(3), hit(2)], rejected: [])
      try check(second.map { $0 == .duplicate } == [true, false, true], "second \(second)")
      let read = try await storage.scan(after: 0, limit: 10)
      try check(read.map(\.hit) == [hit(1), hit(2), hit(3)], "read \(read)")
    },
    Case("scanning goes on from a position, within a limit, in order") { storage in
      for number in 1...7 { _ = try await storage.store([hit(UInt64(number))], rejected: []) }
      var position: Int64 = 0
      var seen: [HitID] = []
      while true {
        let page = try await storage.scan(after: position, limit: 3)
        guard let last = page.last else { break }
        try check(page.count <= 3 && last.position > position, "page \(page)")
        position = last.position
        seen += page.map(\.hit.id)
      }
      try check(seen == (1...7).map { hit($0).id }, "seen \(seen)")
    },
    Case("CO-702, HQ-711: hits beyond their property's days are gone, and their ids are known still") { storage in
      let day: Int64 = 86_400_000
      var other = hit(3, received: now - 10 * day)
      other.property = "shop"
      _ = try await storage.store(
        [hit(1, received: now - 3 * day - 1), hit(2, received: now - 3 * day), other], rejected: [])
      var policy = RetentionPolicy()
      try check(try await storage.purge(by: policy) == 0, "everything is kept")
      policy.standard.days = 3
      policy.byProperty["shop"] = RetentionPolicy.Bounds(days: 11)
      let removed = try await storage.purge(by: policy)
      try check(removed == 1, "removed \(removed)")
      let again = try await storage.store([hit(1), hit(2), hit(4)], rejected: [])
      try check(again.map { $0 == .duplicate } == [true, true, false], "again \(again)")
      let read = try await storage.scan(after: 0, limit: 10)
      try check(read.map(\.hit.id) == [hit(2).id, other.id, hit(4).id], "read \(read)")
    },
    Case("of many hits in one call each is told for itself, with its own position, whichever of them were known") {
      storage in
      let numbers = Array(UInt64(1)...100)
      let known = Set<UInt64>([1, 20, 21, 57, 100])
      _ = try await storage.store(known.sorted().map { hit($0, received: now - 2 * 86_400_000) }, rejected: [])
      // Of some only the ids are known.
      var policy = RetentionPolicy()
      policy.standard.days = 1
      try check(try await storage.purge(by: policy) == known.count, "all of them are too old")
      _ = try await storage.store([hit(30), hit(31)], rejected: [])
      let twice = numbers.map { hit($0) } + [hit(50)]
      let stored = try await storage.store(twice, rejected: [])
      let expected = numbers.map { known.contains($0) || $0 == 30 || $0 == 31 } + [true]
      try check(stored.map { $0 == .duplicate } == expected, "stored \(stored)")
      let read = try await storage.scan(after: 0, limit: 200)
      let positions = Dictionary(uniqueKeysWithValues: read.map { ($0.hit.id, $0.position) })
      try check(read.count == numbers.count - known.count, "read \(read.count)")
      for (hit, stored) in zip(twice, stored) {
        guard case .inserted(let position) = stored else { continue }
        try check(positions[hit.id] == position, "\(hit.id) at \(position)")
      }
      try check(read.map(\.hit).contains(hit(99)), "what is stored among many is whole")
    },
    Case("CO-702: of a property that fills too much the oldest are gone, of others none") { storage in
      let size = Int64(hit(1).body.count) + 256
      var other = hit(9)
      other.property = "shop"
      _ = try await storage.store([other], rejected: [])
      for number in 1...5 { _ = try await storage.store([hit(UInt64(number))], rejected: []) }
      var policy = RetentionPolicy()
      policy.byProperty["UA-1-1"] = RetentionPolicy.Bounds(bytes: size * 3)
      try check(try await storage.purge(by: policy) == 2, "two are too many")
      try check(try await storage.purge(by: policy) == 0, "the rest has room")
      policy.byProperty["UA-1-1"]?.bytes = size * 2 - 1
      try check(try await storage.purge(by: policy) == 2, "half a hit is too much")
      let read = try await storage.scan(after: 0, limit: 10)
      try check(read.map(\.hit.id) == [other.id, hit(5).id], "read \(read)")
    },
    Case("CO-703: a client's hits and refusals are gone, of one property or all; their ids are known still") {
      storage in
      func named(_ number: UInt64, _ client: String, _ property: String) -> IntakeHit {
        var hit = hit(number)
        hit.client = client
        hit.property = property
        return hit
      }
      func refused(_ raw: String) -> RejectedHit {
        RejectedHit(code: .badValue, property: "shop", received: 1, raw: Array(raw.utf8))
      }
      _ = try await storage.store(
        [named(1, "ann", "shop"), named(2, "bob", "shop"), named(3, "ann", "UA-1-1"), named(4, "anna", "shop")],
        rejected: [
          refused("v=1&cid=ann"), refused("v=1&cid=%61nn"), refused("v=1&cid=bob"), refused(#"{"client":"ann"}"#),
          refused(#"{"client":"ann""#), refused(#"{"client":"bob","user":"ann"}"#),
        ])
      try check(try await storage.purge(client: "ann", property: "UA-1-1") == 1, "one of that property")
      try check(try await storage.purge(client: "ann", property: nil) == 5, "one, and four refusals")
      try check(try await storage.purge(client: "ann", property: nil) == 0, "nothing is left")
      let again = try await storage.store([named(1, "ann", "shop")], rejected: [])
      try check(again == [.duplicate], "again \(again)")
      let read = try await storage.scan(after: 0, limit: 10)
      try check(read.map(\.hit.id) == [hit(2).id, hit(4).id], "read \(read)")
    },
    Case("of one id in many calls at a time exactly one is new") { storage in
      let fresh = try await withThrowingTaskGroup(of: Int.self) { group in
        for task in 0..<40 {
          group.addTask {
            let hits = (0..<10).map { hit(UInt64((task + $0) % 25)) }
            return try await storage.store(hits, rejected: []).filter { $0 != .duplicate }.count
          }
        }
        return try await group.reduce(0, +)
      }
      try check(fresh == 25, "\(fresh) new ones")
      let read = try await storage.scan(after: 0, limit: 100)
      try check(Set(read.map(\.hit.id)).count == 25 && read.count == 25, "\(read.count) stored")
    },
    Case("no hits and only refusals are fine") { storage in
      let refusal = RejectedHit(code: .missingField, field: "t", received: 1, raw: [1])
      try check(try await storage.store([], rejected: [refusal]).isEmpty, "answers for refusals")
      try check(try await storage.store([], rejected: []).isEmpty, "answers for nothing")
      try check(storage.health() == .good, "health")
    },
  ]
}
