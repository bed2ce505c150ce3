import Authoring
import Foundation
import Hits
import TagManager
import TestSupport
import Testing

@testable import Console

@Suite("API: hostile requests") struct HostileAPITests {
  /// A value that is sometimes what a field should be, and mostly not.
  private static func value(_ random: SeededRandomSource, depth: Int = 0) -> Value {
    switch random.integer(in: 0...(depth < 4 ? 11 : 8)) {
    case 0: .null
    case 1: .bool(random.next() & 1 == 0)
    case 2: .int(Int64(bitPattern: random.next()))
    case 3: .int(random.integer(in: 0...3))
    case 4: .double(Double(bitPattern: random.next()))
    case 5:
      .string(["", "1", "live", "GTM-SHOP", "ios", "read", "\u{0}\u{1F}", "👍{{x}}"][Int(random.integer(in: 0...7))])
    case 6: .string(String(repeating: "a", count: Int(random.integer(in: 0...2000))))
    case 7, 8: .string(String(decoding: (0..<8).map { _ in UInt8(truncatingIfNeeded: random.next()) }, as: UTF8.self))
    case 9: .list((0..<random.integer(in: 0...5)).map { _ in value(random, depth: depth + 1) })
    default: .map(object(random, depth: depth + 1))
    }
  }

  private static let names = [
    "name", "id", "kind", "version", "percent", "revision", "scope", "container", "days", "app", "token", "notes",
    "parameter", "tagId", "type", "containerVersion", "exportFormatVersion", "tag", "trigger", "variable", "folder",
    "firingTriggerId", "value", "list", "key", "map", "publicId", "usageContext", "customTemplate", "x",
  ]

  private static func object(_ random: SeededRandomSource, depth: Int = 0) -> [String: Value] {
    var object: [String: Value] = [:]
    for _ in 0..<random.integer(in: 0...8) {
      object[names[Int(random.integer(in: 0...Int64(names.count - 1)))]] = value(random, depth: depth)
    }
    return object
  }

  private static func body(_ random: SeededRandomSource) -> [UInt8] {
    switch random.integer(in: 0...9) {
    case 0: return []
    case 1: return (0..<random.integer(in: 1...64)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    case 2: return value(random).jsonBytes
    case 3:
      // An export file, with some of its bytes changed.
      var bytes = APIFixture.workspace.exportBytes
      for _ in 0..<random.integer(in: 0...3) {
        bytes[Int(random.integer(in: 0...Int64(bytes.count - 1)))] = UInt8(truncatingIfNeeded: random.next())
      }
      return bytes
    case 4:
      let version = Value.map(object(random))
      return Value.map(["exportFormatVersion": 2, "containerVersion": version]).jsonBytes
    default: return Value.map(object(random)).jsonBytes
    }
  }

  private static func word(_ random: SeededRandomSource) -> String {
    let words = [
      "1", "2", "GTM-SHOP", "live", "tags", "variables", "s", "%00", "%ff", "..", "-1", "9999999999999999999",
    ]
    return words[Int(random.integer(in: 0...Int64(words.count - 1)))]
  }

  /// Every operation gets as many bodies; `TAGWORKS_PROPERTY_RUNS` asks for more.
  @Test("CO-106: whatever the body, the path and the query, no operation answers 5xx, and all say what is wrong")
  func random() async throws {
    let rounds = ProcessInfo.processInfo.environment["TAGWORKS_PROPERTY_RUNS"].flatMap { Int($0) } ?? 40
    let directory = try TemporaryDirectory()
    let fixture = APIFixture(try SQLiteWorkspaceStore(path: directory.file("console.sqlite3")))
    try await fixture.prepare()
    let token = try await fixture.token(.admin)
    _ = try await fixture.ok("POST", "/containers/GTM-SHOP/versions", token: token, json: ["revision": 1])
    let random = SeededRandomSource(seed: 11)
    var good = 0
    for round in 0..<rounds {
      for operation in fixture.api.operations where operation.id != "removeContainer" {
        var path = operation.path.replacing("{container}", with: round % 8 == 0 ? Self.word(random) : "GTM-SHOP")
        for name in ["{kind}", "{version}", "{environment}", "{id}", "{session}"] {
          path = path.replacing(name, with: Self.word(random))
        }
        let revision = try await fixture.store.draft(of: APIFixture.id)?.revision ?? 0
        var query: [String] = []
        for field in operation.query where random.next() & 3 != 0 || field.isRequired {
          let text = field.name == "revision" && random.next() & 3 != 0 ? "\(revision)" : Self.word(random)
          query.append("\(field.name)=\(text)")
        }
        let response = await fixture.send(
          operation.method, path + (query.isEmpty ? "" : "?" + query.joined(separator: "&")), token: token,
          body: operation.method == "GET" ? [] : Self.body(random))
        #expect(response.status < 500, "\(operation.id) \(path) \(response.text.prefix(300))")
        if response.status < 400 { good += 1 } else { #expect(response.refusal != nil, "\(operation.id)") }
      }
    }
    // A test whose requests all fail at the door would show nothing.
    #expect(good > rounds)
  }
}
