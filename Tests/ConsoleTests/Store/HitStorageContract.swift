import Hits
import TestSupport

@testable import Console

/// What every `HitStorage` promises (HQ-720).
enum HitStorageContract {
  typealias Case = ContractCase<any HitStorage>

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
    Case("HQ-711: hits that are purged are gone, and their ids are known still") { storage in
      _ = try await storage.store([hit(1, received: 1000), hit(2, received: 2000)], rejected: [])
      let removed = try await storage.purge(before: 2000)
      try check(removed == 1, "removed \(removed)")
      let again = try await storage.store([hit(1), hit(2), hit(3)], rejected: [])
      try check(again.map { $0 == .duplicate } == [true, true, false], "again \(again)")
      let read = try await storage.scan(after: 0, limit: 10)
      try check(read.map(\.hit.id) == [hit(2).id, hit(3).id], "read \(read)")
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
