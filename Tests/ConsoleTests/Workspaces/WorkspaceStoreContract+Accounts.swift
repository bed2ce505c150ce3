import TestSupport

@testable import Console

extension WorkspaceStoreContract {
  static func user(_ id: String, _ name: String, _ rights: AccessRights = AccessRights(everywhere: .read))
    -> ConsoleUser
  {
    ConsoleUser(id: id, name: name, created: 5, rights: rights)
  }

  static func session(_ text: String, of user: String, used: Int64) -> ConsoleSession {
    ConsoleSession(digest: digest(text), user: user, created: used, used: used)
  }

  static let accounts: [Case] = [
    Case("CO-100: the one-time token sets up once with a password") { store in
      let administrator = user("u1", "Ada", AccessRights(everywhere: .admin))
      try check(try await store.offerSetup(digest("one")), "offer")
      try check(
        try await !store.setUp(with: digest("two"), administrator: administrator, password: "h", token: nil), "another")
      try check(try await store.users().isEmpty, "nobody yet")
      try check(
        try await store.setUp(with: digest("one"), administrator: administrator, password: "h", token: nil), "the one")
      try check(
        try await !store.setUp(with: digest("one"), administrator: administrator, password: "h", token: nil), "again")
      try check(try await store.isSetUp(), "set up")
      try check(try await store.users() == [administrator], "users")
      let account = try await store.account(named: "ADA")
      try check(account?.user == administrator && account?.password == "h", "account")
      try check(try await store.tokens(of: nil).isEmpty, "a token was made")
    },
    Case("CO-901: people have roles for all containers and for single ones, and names unique without regard to case") {
      store in
      try await prepare(store)
      let by = Authorship(ada, at: 9)
      let bob = user("u2", "bob", AccessRights(containers: [id: .edit]))
      let both = user("u3", "Ann", AccessRights(everywhere: .read, containers: [id: .publish]))
      try await store.create(bob, password: "x", by: by)
      try await store.create(both, password: nil, by: by)
      try check(try await store.users() == [both, bob], "users")
      try check(try await store.user("u2") == bob, "one")
      try check(try await store.user("u9") == nil, "none")
      try check(try await store.account(named: "ann")?.password == nil, "without a password")
      try await refused(as: .exists, "the name again") {
        try await store.create(user("u4", "BOB"), password: "y", by: by)
      }
      let changed = try await store.setRights(AccessRights(everywhere: .admin), of: "u2", by: by)
      try check(changed.rights == AccessRights(everywhere: .admin), "\(changed)")
      try check(try await store.user("u2") == changed, "stored")
      try await refused(as: .notFound, "nobody") { _ = try await store.setRights(AccessRights(), of: "u9", by: by) }
      let log = try await store.activities(before: nil, of: nil, limit: 3).map(\.activity)
      try check(
        log == [
          Activity(.userChanged, by: by, subject: "user bob", from: "editor of GTM-SHOP", to: "admin"),
          Activity(.userCreated, by: by, subject: "user Ann", to: "publisher of GTM-SHOP, viewer"),
          Activity(.userCreated, by: by, subject: "user bob", to: "editor of GTM-SHOP"),
        ], "\(log)")
    },
    Case("CO-902: a session is found by its digest until it is removed, its person disabled or given a password") {
      store in
      let by = Authorship(ada, at: 9)
      try await store.create(user("u1", "Ada"), password: "h", by: by)
      try await store.create(user("u2", "Bob"), password: "h", by: by)
      let start: Int64 = 1_000_000_000
      for (text, person) in [("a", "u1"), ("b", "u1"), ("c", "u2"), ("d", "u2")] {
        try await store.create(session(text, of: person, used: start))
      }
      try check(try await store.session(digest("a")) == session("a", of: "u1", used: start), "a")
      try check(try await store.session(digest("x")) == nil, "x")
      try await store.setUsed(digest("a"), at: start + 7)
      try check(try await store.session(digest("a"))?.used == start + 7, "used")
      try await store.setPassword("i", of: "u1", keeping: digest("a"), by: by)
      try check(try await store.account(named: "Ada")?.password == "i", "password")
      try check(try await store.session(digest("a")) != nil, "the one that was kept")
      try check(try await store.session(digest("b")) == nil, "the other one")
      try await store.remove(digest("d"))
      try check(try await store.session(digest("d")) == nil, "removed")
      let disabled = try await store.setDisabled(true, of: "u2", by: by)
      try check(disabled.isDisabled, "disabled")
      try check(try await store.session(digest("c")) == nil, "of the disabled one")
      try check(try await !store.setDisabled(false, of: "u2", by: by).isDisabled, "enabled")
      try await store.create(session("e", of: "u2", used: start + 8 + ConsoleSession.idle))
      try check(try await store.session(digest("a")) == nil, "idle too long")
      try await refused(as: .notFound, "nobody") {
        try await store.setPassword("i", of: "u9", keeping: nil, by: by)
      }
    },
    Case("CO-100: who can let others in stays: the last person with a password or a token, the last token of nobody") {
      store in
      let by = Authorship(ada, at: 9)
      let everywhere = AccessRights(everywhere: .admin)
      try await store.create(user("u1", "Ada", everywhere), password: "h", by: by)
      // An administrator that has nothing to get in by does not count.
      try await store.create(user("u2", "Bob", everywhere), password: nil, by: by)
      try await refused(as: .lastAdministrator, "disabling") { _ = try await store.setDisabled(true, of: "u1", by: by) }
      try await refused(as: .lastAdministrator, "demoting") {
        _ = try await store.setRights(AccessRights(everywhere: .edit), of: "u1", by: by)
      }
      try check(try await store.setDisabled(true, of: "u2", by: by).isDisabled, "who cannot get in")
      _ = try await store.setDisabled(false, of: "u2", by: by)
      var key = token("k")
      key.scope = .admin
      key.user = "u2"
      try await store.create(key, by: by)
      try check(try await store.setDisabled(true, of: "u1", by: by).isDisabled, "now that Bob has a token")
      try await refused(as: .lastAdministrator, "the token") { try await store.revokeToken("k", by: by) }
      try await store.setPassword("h", of: "u2", keeping: nil, by: by)
      try await store.revokeToken("k", by: by)
      try await refused(as: .lastAdministrator, "Bob") { _ = try await store.setDisabled(true, of: "u2", by: by) }
      var nobodys = token("n")
      nobodys.scope = .admin
      try await store.create(nobodys, by: by)
      _ = try await store.setDisabled(true, of: "u2", by: by)
      try await refused(as: .lastAdministrator, "nobody's") { try await store.revokeToken("n", by: by) }
    },
  ]
}
