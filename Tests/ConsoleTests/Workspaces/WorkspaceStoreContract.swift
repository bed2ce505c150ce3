import Authoring
import Hits
import TagManager
import TestSupport

@testable import Console

/// What every `WorkspaceStore` promises (CO-1000).
enum WorkspaceStoreContract {
  typealias Case = ContractCase<any WorkspaceStore>

  static let id: ContainerID = "GTM-SHOP"
  static let ada = Actor(id: "token:1", name: "Ada")
  static let bob = Actor(id: "token:2", name: "Bob")

  static func container(_ id: ContainerID = id, name: String = "Shop") -> AuthoredContainer {
    AuthoredContainer(id: id, kind: .iOS, name: name, created: 1000)
  }

  static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  static func digest(_ text: String) -> SecretDigest { SecretDigest(of: text) }

  static func token(_ id: String, of container: ContainerID? = nil) -> AccessToken {
    AccessToken(
      id: id, name: "CI", digest: digest(id), scope: .publish, container: container, created: 5, expires: 100)
  }

  static func preview(_ id: String, version: Int?, at time: Int64 = 5) -> PreviewToken {
    PreviewToken(
      id: id, digest: digest(id), container: Self.id, version: version, created: Authorship(ada, at: time),
      expires: time + PreviewToken.lifetime)
  }

  static func check(_ condition: Bool, _ what: @autoclosure () -> String) throws {
    guard condition else { throw ContractFailure(description: what()) }
  }

  static func refused(
    as code: WorkspaceStoreError.Code, _ what: String, _ work: () async throws -> Void
  ) async throws {
    do {
      try await work()
    } catch let error as WorkspaceStoreError {
      return try check(error.code == code, "\(what): \(error)")
    }
    throw ContractFailure(description: "\(what) was not refused")
  }

  static func done<Result>(_ outcome: BasedOutcome<Result>) throws -> Result {
    guard case .done(let result) = outcome else { throw ContractFailure(description: "\(outcome)") }
    return result
  }

  /// A store with a container of so many versions.
  static func prepare(_ store: any WorkspaceStore, versions: Int = 0) async throws {
    try await store.create(container(), draft: bytes("{}"), by: Authorship(ada, at: 1000))
    for number in 0..<versions {
      _ = try done(
        try await store.createVersion(of: id, basedOn: 1, name: "v\(number + 1)", notes: "", by: Authorship(ada, at: 2))
      )
    }
  }

  static let cases: [Case] = containers + drafts + versions + publishing + tokens + log + accounts + approval
}

extension WorkspaceStoreContract {
  static let containers: [Case] = [
    Case("a container comes back as it was made, with a first draft and the environment live") { store in
      try await prepare(store)
      try check(try await store.container(id) == container(), "container")
      let draft = try await store.draft(of: id)
      let expected = Draft(container: id, revision: 1, text: bytes("{}"), saved: Authorship(ada, at: 1000))
      try check(draft == expected, "\(String(describing: draft))")
      let environments = try await store.environments(of: id)
      try check(
        environments == [ContainerEnvironment(container: id, number: 1, name: "live", digest: nil, created: 1000)],
        "\(environments)")
    },
    Case("containers are listed in byte order of their ids, from an id on") { store in
      for name in ["GTM-B", "GTM-A", "GTM-b1", "GTM-10", "GTM-9"] {
        let made = AuthoredContainer(id: ContainerID(name), kind: .web, name: name, created: 1)
        try await store.create(made, draft: [], by: Authorship(ada, at: 1))
      }
      let first = try await store.containers(after: nil, limit: 3).map(\.id.text)
      try check(first == ["GTM-10", "GTM-9", "GTM-A"], "\(first)")
      let rest = try await store.containers(after: "GTM-A", limit: 10).map(\.id.text)
      try check(rest == ["GTM-B", "GTM-b1"], "\(rest)")
    },
    Case("a container takes another name") { store in
      try await prepare(store)
      let renamed = try await store.rename(id, to: "Café 👍", by: Authorship(bob, at: 2))
      try check(renamed == container(name: "Café 👍"), "\(renamed)")
      try check(try await store.container(id) == renamed, "stored")
    },
    Case("a removed container is nowhere, its id is not free, and it comes back whole") { store in
      try await prepare(store, versions: 1)
      _ = try await store.publish(1, of: id, in: "live", share: .all, after: nil, by: Authorship(ada, at: 3))
      try await store.create(preview("p", version: 1))
      try await store.remove(id, by: Authorship(ada, at: 4))
      try check(try await store.removedContainers() == [id], "the list of what can be restored")
      try check(try await store.container(id) == nil, "container")
      try check(try await store.draft(of: id) == nil, "draft")
      try check(try await store.containers(after: nil, limit: 9).isEmpty, "list")
      try check(try await store.version(1, of: id) == nil, "version")
      try check(try await store.publicationsInForce().isEmpty, "in force")
      try check(try await store.previewToken(digest("p")) == nil, "preview")
      for taken in [id, ContainerID(id.text.lowercased())] {
        try await refused(as: .exists, taken.text) {
          try await store.create(
            AuthoredContainer(id: taken, kind: .iOS, name: "Shop", created: 5), draft: [], by: Authorship(ada, at: 5))
        }
      }
      try await refused(as: .notFound, "removing twice") { try await store.remove(id, by: Authorship(ada, at: 5)) }
      try await store.restore(id, by: Authorship(ada, at: 6))
      try check(try await store.container(id) == container(), "restored")
      try check(try await store.removedContainers().isEmpty, "nothing is left to restore")
      try check(try await store.publicationsInForce().count == 1, "in force again")
      try await refused(as: .notFound, "restoring twice") { try await store.restore(id, by: Authorship(ada, at: 7)) }
    },
    Case("what belongs to no container is refused") { store in
      let none: ContainerID = "GTM-NONE"
      let by = Authorship(ada, at: 1)
      try await refused(as: .notFound, "rename") { _ = try await store.rename(none, to: "n", by: by) }
      try await refused(as: .notFound, "save") {
        _ = try await store.save([], of: none, basedOn: 1, subject: "", by: by)
      }
      try await refused(as: .notFound, "version") {
        _ = try await store.createVersion(of: none, basedOn: 1, name: "", notes: "", by: by)
      }
      try await refused(as: .notFound, "environment") {
        _ = try await store.createEnvironment("e", of: none, digest: digest("e"), by: by)
      }
      try await refused(as: .notFound, "publish") {
        _ = try await store.publish(1, of: none, in: "live", share: .all, after: nil, by: by)
      }
      try await refused(as: .notFound, "token") { try await store.create(token("t", of: none), by: by) }
      try await refused(as: .notFound, "preview") { try await store.create(preview("p", version: nil)) }
      try check(try await store.activities(before: nil, of: nil, limit: 9).isEmpty, "a refusal was logged")
    },
  ]

  static let drafts: [Case] = [
    Case("CO-401: a save based on what is there replaces it and counts up") { store in
      try await prepare(store)
      let by = Authorship(bob, at: 2000)
      let saved = try done(try await store.save(bytes("{\"é\":1}"), of: id, basedOn: 1, subject: "tag 1", by: by))
      try check(saved == Draft(container: id, revision: 2, text: bytes("{\"é\":1}"), saved: by), "\(saved)")
      try check(try await store.draft(of: id) == saved, "stored")
    },
    Case("CO-401: a stale save changes nothing and is told what is there") { store in
      try await prepare(store)
      let first = try done(
        try await store.save(bytes("a"), of: id, basedOn: 1, subject: "", by: Authorship(ada, at: 2)))
      for revision: Int64 in [1, 0, -1, 3, .max, .min] {
        let by = Authorship(bob, at: 3)
        let outcome = try await store.save(bytes("b"), of: id, basedOn: revision, subject: "", by: by)
        guard case .stale(let there) = outcome else { throw ContractFailure(description: "\(revision) \(outcome)") }
        try check(there == first, "\(there)")
      }
      try check(try await store.draft(of: id) == first, "stored")
    },
    Case("CO-401: of many saves based on one revision exactly one is done") { store in
      try await prepare(store)
      let count = try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<20 {
          group.addTask {
            let by = Authorship(ada, at: Int64(number))
            let outcome = try await store.save(bytes("\(number)"), of: id, basedOn: 1, subject: "", by: by)
            if case .done = outcome { return 1 } else { return 0 }
          }
        }
        return try await group.reduce(0, +)
      }
      try check(count == 1, "\(count) saves")
      try check(try await store.draft(of: id)?.revision == 2, "revision")
    },
  ]

  static let versions: [Case] = [
    Case("CO-400: a version keeps the draft's text, and later saves do not change it") { store in
      try await prepare(store)
      let by = Authorship(bob, at: 7)
      _ = try done(try await store.save(bytes("one"), of: id, basedOn: 1, subject: "", by: by))
      let first = try done(
        try await store.createVersion(of: id, basedOn: 2, name: "First", notes: "é\n", by: by))
      let expected = ContainerVersion(
        container: id, number: 1, name: "First", notes: "é\n", parent: nil, created: by)
      try check(first == expected, "\(first)")
      _ = try done(try await store.save(bytes("two"), of: id, basedOn: 2, subject: "", by: by))
      let second = try done(try await store.createVersion(of: id, basedOn: 3, name: "", notes: "", by: by))
      try check(second.number == 2 && second.parent == 1, "\(second)")
      try check(try await store.text(ofVersion: 1, of: id) == bytes("one"), "first text")
      try check(try await store.text(ofVersion: 2, of: id) == bytes("two"), "second text")
      try check(try await store.version(1, of: id) == first, "first")
      try check(try await store.draft(of: id)?.base == 2, "base")
      try check(try await store.version(3, of: id) == nil, "third")
      try check(try await store.text(ofVersion: 0, of: id) == nil, "zeroth")
    },
    Case("CO-401: no version is made of a draft that somebody has changed") { store in
      try await prepare(store)
      _ = try done(try await store.save(bytes("b"), of: id, basedOn: 1, subject: "", by: Authorship(bob, at: 2)))
      let outcome = try await store.createVersion(
        of: id, basedOn: 1, name: "", notes: "", by: Authorship(ada, at: 3))
      guard case .stale(let draft) = outcome else { throw ContractFailure(description: "\(outcome)") }
      try check(draft.text == bytes("b"), "\(draft)")
      try check(try await store.versions(of: id, before: nil, limit: 9).isEmpty, "versions")
    },
    Case("versions are listed from the newest on, in pages") { store in
      try await prepare(store, versions: 5)
      let first = try await store.versions(of: id, before: nil, limit: 2).map(\.number)
      try check(first == [5, 4], "\(first)")
      let rest = try await store.versions(of: id, before: 4, limit: 9).map(\.number)
      try check(rest == [3, 2, 1], "\(rest)")
    },
  ]

  static let publishing: [Case] = [
    Case("CO-400: publishing makes a version live, and an older one again") { store in
      try await prepare(store, versions: 2)
      let by = Authorship(ada, at: 9)
      for (sequence, version) in [(1, 1), (2, 2), (3, 1)] {
        let made = try await store.publish(version, of: id, in: "live", share: .all, after: nil, by: by)
        let expected = Publication(
          container: id, environment: "live", sequence: Int64(sequence), version: version, published: by)
        try check(made == expected, "\(made)")
        try check(try await store.publicationsInForce() == [made], "in force")
      }
      let history = try await store.publications(of: id, in: "live", limit: 2).map(\.version)
      try check(history == [1, 2], "\(history)")
    },
    Case("CO-404: a share leaves the others what was settled, whatever the share was before") { store in
      try await prepare(store, versions: 3)
      let by = Authorship(ada, at: 9)
      func publish(_ version: Int, _ percent: Double) async throws -> [Int?] {
        guard let share = RolloutShare(percent: percent) else { throw ContractFailure(description: "share") }
        let made = try await store.publish(version, of: id, in: "live", share: share, after: nil, by: by)
        return [made.version, made.previous, made.share.hundredths]
      }
      try await refused(as: .invalid, "a share of the first") { _ = try await publish(1, 10) }
      try check(try await publish(1, 100) == [1, nil, 10_000], "1 for all")
      try check(try await publish(2, 10.25) == [2, 1, 1025], "2 for some")
      try check(try await publish(2, 60) == [2, 1, 6000], "2 for more")
      try check(try await publish(3, 5) == [3, 1, 500], "3 for some, 1 for the rest")
      try check(try await publish(3, 100) == [3, nil, 10_000], "3 for all")
      try await refused(as: .invalid, "a share of what all have") { _ = try await publish(3, 50) }
    },
    Case("CO-404: a publication that is to follow another one follows no other") { store in
      try await prepare(store, versions: 3)
      let by = Authorship(ada, at: 9)
      let first = try await store.publish(1, of: id, in: "live", share: .all, after: nil, by: by)
      let second = try await store.publish(2, of: id, in: "live", share: .all, after: first.sequence, by: by)
      try await refused(as: .superseded, "after the first") {
        _ = try await store.publish(3, of: id, in: "live", share: .all, after: first.sequence, by: by)
      }
      try check(try await store.publicationsInForce() == [second], "in force")
    },
    Case("an environment has its own versions and token; a new one of its name is empty, and its numbers go on") {
      store in
      try await prepare(store, versions: 2)
      let by = Authorship(ada, at: 9)
      let made = try await store.createEnvironment("staging", of: id, digest: digest("s"), by: by)
      let expected = ContainerEnvironment(
        container: id, number: 2, name: "staging", digest: digest("s"), created: 9)
      try check(made == expected, "\(made)")
      _ = try await store.publish(1, of: id, in: "live", share: .all, after: nil, by: by)
      _ = try await store.publish(2, of: id, in: "staging", share: .all, after: nil, by: by)
      let inForce = try await store.publicationsInForce().map { [$0.environment, String($0.version)] }
      try check(inForce == [["live", "1"], ["staging", "2"]], "\(inForce)")
      try await refused(as: .exists, "a second staging") {
        _ = try await store.createEnvironment("staging", of: id, digest: digest("t"), by: by)
      }
      for name in ["STAGING", "LIVE", "Live", "live"] {
        try await refused(as: .exists, name) {
          _ = try await store.createEnvironment(name, of: id, digest: digest("t"), by: by)
        }
      }
      let renewed = try await store.renewToken(ofEnvironment: "staging", of: id, digest: digest("u"), by: by)
      try check(renewed.digest == digest("u"), "renewed")
      try check(try await store.environments(of: id).last == renewed, "stored")
      try await store.removeEnvironment("staging", of: id, by: by)
      try check(try await store.environments(of: id).map(\.name) == ["live"], "removed")
      try await refused(as: .notFound, "publishing there") {
        _ = try await store.publish(1, of: id, in: "staging", share: .all, after: nil, by: by)
      }
      let again = try await store.createEnvironment("staging", of: id, digest: digest("v"), by: by)
      try check(again.number == 3, "\(again)")
      try check(try await store.publications(of: id, in: "staging", limit: 9).isEmpty, "empty")
      try check(try await store.publicationsInForce().count == 1, "in force")
      let next = try await store.publish(1, of: id, in: "staging", share: .all, after: nil, by: by)
      try check(next.sequence == 2, "\(next)")
      try await refused(as: .invalid, "removing live") { try await store.removeEnvironment("live", of: id, by: by) }
      try await refused(as: .invalid, "a token for live") {
        _ = try await store.renewToken(ofEnvironment: "live", of: id, digest: digest("w"), by: by)
      }
    },
    Case("a version or environment that is not there is not published") { store in
      try await prepare(store, versions: 1)
      let by = Authorship(ada, at: 9)
      for version in [0, 2, -1, Int.max] {
        try await refused(as: .notFound, "version \(version)") {
          _ = try await store.publish(version, of: id, in: "live", share: .all, after: nil, by: by)
        }
      }
      try await refused(as: .notFound, "environment") {
        _ = try await store.publish(1, of: id, in: "Live", share: .all, after: nil, by: by)
      }
    },
    Case("CO-602: the stamp is another one after each change of what is delivered, and only then") { store in
      var stamps: [Int64] = [try await store.deliveryStamp()]
      func note(_ isNew: Bool, _ what: String) async throws {
        let stamp = try await store.deliveryStamp()
        try check(stamps.contains(stamp) != isNew, "\(what): \(stamp) after \(stamps)")
        stamps.append(stamp)
      }
      let by = Authorship(ada, at: 9)
      try await prepare(store, versions: 1)
      try await note(true, "container")
      _ = try await store.save([], of: id, basedOn: 1, subject: "", by: by)
      try await store.create(preview("p", version: nil))
      try await note(false, "draft and preview")
      _ = try await store.publish(1, of: id, in: "live", share: .all, after: nil, by: by)
      try await note(true, "publish")
      _ = try await store.createEnvironment("e", of: id, digest: digest("e"), by: by)
      try await note(true, "environment")
      _ = try await store.renewToken(ofEnvironment: "e", of: id, digest: digest("f"), by: by)
      try await note(true, "token")
      try await store.removeEnvironment("e", of: id, by: by)
      try await note(true, "no environment")
      try await store.remove(id, by: by)
      try await note(true, "no container")
      try await store.restore(id, by: by)
      try await note(true, "container again")
    },
  ]

  static let tokens: [Case] = [
    Case("CO-100: the one-time token that is on offer sets up once, and no other") { store in
      let administrator = ConsoleUser(id: "u1", name: "Ada", created: 5)
      try check(try await !store.isSetUp(), "before")
      func setUp(_ text: String, _ token: AccessToken) async throws -> Bool {
        try await store.setUp(with: digest(text), administrator: administrator, password: nil, token: token)
      }
      try check(try await !setUp("", token("t0")), "without an offer")
      try check(try await store.offerSetup(digest("one")), "first offer")
      try check(try await store.offerSetup(digest("two")), "second offer")
      try check(try await !setUp("one", token("t1")), "the earlier one")
      try check(try await setUp("two", token("t2")), "the one on offer")
      try check(try await !setUp("two", token("t3")), "again")
      try check(try await store.isSetUp(), "after")
      try check(try await !store.offerSetup(digest("three")), "third offer")
      try check(try await store.tokens(of: nil) == [token("t2")], "tokens")
    },
    Case("a token is found by its digest, listed by its container, and revoked once") { store in
      try await prepare(store)
      let by = Authorship(ada, at: 9)
      try await store.create(token("a"), by: by)
      try await store.create(token("b", of: id), by: by)
      try check(try await store.token(digest("a")) == token("a"), "a")
      try check(try await store.token(digest("b")) == token("b", of: id), "b")
      try check(try await store.token(digest("c")) == nil, "c")
      try check(try await store.tokens(of: nil).map(\.id) == ["a", "b"], "all")
      try check(try await store.tokens(of: id).map(\.id) == ["b"], "of the container")
      try await store.revokeToken("b", by: by)
      try await store.revokeToken("b", by: Authorship(ada, at: 10))
      try check(try await store.token(digest("b"))?.revoked == 9, "revoked")
      try await refused(as: .notFound, "another") { try await store.revokeToken("c", by: by) }
    },
    Case("CO-500: a preview token shows the draft or a version that is there, until it is revoked") { store in
      try await prepare(store, versions: 1)
      try await store.create(preview("d", version: nil))
      try await store.create(preview("v", version: 1, at: 6))
      try await refused(as: .notFound, "another version") { try await store.create(preview("w", version: 2)) }
      try check(try await store.previewToken(digest("d")) == preview("d", version: nil), "draft")
      try check(
        try await store.previewTokens(of: id) == [preview("v", version: 1, at: 6), preview("d", version: nil)],
        "list")
      try await store.revokePreviewToken("v", of: id, by: Authorship(ada, at: 8))
      try check(try await store.previewToken(digest("v"))?.revoked == 8, "revoked")
      try await refused(as: .notFound, "another") {
        try await store.revokePreviewToken("x", of: id, by: Authorship(ada, at: 8))
      }
    },
  ]

  static let log: [Case] = [
    Case("CO-403: each change has its line: who, what, when, from what to what") { store in
      try await prepare(store, versions: 1)
      let by = Authorship(bob, at: 9)
      _ = try await store.save([], of: id, basedOn: 1, subject: "tag 7", by: by)
      _ = try await store.publish(1, of: id, in: "live", share: .all, after: nil, by: by)
      try await store.create(token("t", of: id), by: by)
      try await store.note(Activity(.refused, by: by, subject: "POST /x"))
      let lines = try await store.activities(before: nil, of: id, limit: 9).map(\.activity)
      try check(
        lines == [
          Activity(.tokenCreated, by: by, container: id, subject: "token t", to: "publish"),
          Activity(.published, by: by, container: id, subject: "environment live", to: "version 1"),
          Activity(.draftSaved, by: by, container: id, subject: "tag 7", from: "1", to: "2"),
          Activity(.versionCreated, by: Authorship(ada, at: 2), container: id, subject: "version 1", to: "1"),
          Activity(.containerCreated, by: Authorship(ada, at: 1000), container: id, subject: "container", to: "Shop"),
        ], "\(lines)")
      let all = try await store.activities(before: nil, of: nil, limit: 2)
      try check(all.map(\.activity.action) == [.refused, .tokenCreated], "\(all)")
      let rest = try await store.activities(before: all[1].position, of: nil, limit: 2)
      try check(rest.map(\.activity.action) == [.published, .draftSaved], "\(rest)")
    }
  ]
}
