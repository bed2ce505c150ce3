import TestSupport

@testable import Console

extension WorkspaceStoreContract {
  static let approval: [Case] = [
    Case("CO-402: with approval on, the author of a change cannot publish it alone, and another person can") { store in
      try await prepare(store, versions: 1)
      let (ada, bob) = (Authorship(ada, at: 9), Authorship(bob, at: 10))
      func publish(_ version: Int, _ by: Authorship) async throws {
        _ = try await store.publish(version, of: id, in: "live", share: .all, after: nil, by: by)
      }
      try check(try await store.setApproval(true, of: id, by: ada).requiresApproval, "on")
      try check(try await store.container(id)?.requiresApproval == true, "stored")
      try await refused(as: .approvalNeeded, "alone") { try await publish(1, ada) }
      try check(try await store.publicationsInForce().isEmpty, "nothing live")
      try await publish(1, bob)
      // A version of Bob's, on top of a change of Ada's that was never live, is of both.
      _ = try done(try await store.save(bytes("a"), of: id, basedOn: 1, subject: "", by: ada))
      _ = try done(try await store.createVersion(of: id, basedOn: 2, name: "", notes: "", by: ada))
      _ = try done(try await store.save(bytes("b"), of: id, basedOn: 2, subject: "", by: bob))
      _ = try done(try await store.createVersion(of: id, basedOn: 3, name: "", notes: "", by: bob))
      for by in [ada, bob] { try await refused(as: .approvalNeeded, "version 3") { try await publish(3, by) } }
      let carl = Authorship(Actor(id: "user:3", name: "Carl"), at: 11)
      try await refused(as: .approvalNeeded, "own approval") { _ = try await store.approve(3, of: id, by: bob) }
      let approved = try await store.approve(3, of: id, by: carl)
      try check(approved.approver == carl.actor, "\(approved)")
      try check(try await store.version(3, of: id) == approved, "stored")
      try await publish(3, bob)
      // What was live before comes back without anybody's approval.
      try await publish(1, ada)
      try await publish(3, ada)
      try await refused(as: .approvalNeeded, "never live") { try await publish(2, ada) }
      try check(try await !store.setApproval(false, of: id, by: ada).requiresApproval, "off")
      try await publish(2, ada)
      let log = try await store.activities(before: nil, of: id, limit: 99).map(\.activity)
      try check(log.contains(Activity(.versionApproved, by: carl, container: id, subject: "version 3")), "\(log)")
    },
    Case("CO-402: a token of the author is the author") { store in
      try await prepare(store)
      var own = token("own")
      own.user = "7"
      try await store.create(own, by: Authorship(ada, at: 1))
      let author = Authorship(Actor(id: "user:7", name: "Gil"), at: 2)
      _ = try done(try await store.save(bytes("a"), of: id, basedOn: 1, subject: "", by: author))
      _ = try done(try await store.createVersion(of: id, basedOn: 2, name: "", notes: "", by: author))
      _ = try await store.setApproval(true, of: id, by: author)
      for actor in [author.actor, own.actor] {
        try await refused(as: .approvalNeeded, actor.id) {
          _ = try await store.publish(1, of: id, in: "live", share: .all, after: nil, by: Authorship(actor, at: 3))
        }
      }
      _ = try await store.publish(1, of: id, in: "live", share: .all, after: nil, by: Authorship(bob, at: 3))
    },
  ]
}
