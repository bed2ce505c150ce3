import Foundation
import Testing

/// Holds public types to what apps of several threads need of them.
@Suite struct SendableTests {
  /// A line such as `public final class Name: One, Two {`.
  private struct Declaration {
    let kind: Substring
    let name: Substring
    let inherited: Set<Substring>

    init?(_ line: Substring) {
      var words = line.drop { $0 == " " }.split(separator: " ")[...]
      guard words.first == "public" else { return nil }
      words = words.dropFirst().drop { ["final", "indirect", "@frozen"].contains($0) }
      guard let kind = words.popFirst(), ["struct", "enum", "class", "actor", "protocol"].contains(kind) else {
        return nil
      }
      self.kind = kind
      let head = words.joined(separator: " ").prefix { $0 != "{" }[...]
      name = head.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      inherited = Set(
        head.drop { $0 != ":" }.split { !($0.isLetter || $0.isNumber || $0 == "_") })
    }
  }

  private static func declarations(in target: String) throws -> [Declaration] {
    try Checkout.files(below: "Sources/\(target)").filter { $0.hasSuffix(".swift") }.flatMap { file in
      try Checkout.text(file).split(separator: "\n").compactMap { Declaration($0) }
    }
  }

  @Test("TM-1201: every public type of the tag manager, and of what it shares, says that it is Sendable")
  func publicTypes() throws {
    let all = try Self.declarations(in: "TagManager") + Self.declarations(in: "Hits")
    #expect(all.count > 100)
    var sendable: Set<Substring> = ["Sendable", "Error"]
    while true {
      let more = all.filter { $0.kind == "protocol" && !sendable.isDisjoint(with: $0.inherited) }.map(\.name)
      guard !sendable.isSuperset(of: more) else { break }
      sendable.formUnion(more)
    }
    // Names of nothing but functions.
    let namespaces: Set<Substring> = ["WireName", "UserAgent"]
    for type in all where type.kind != "actor" && !namespaces.contains(type.name) {
      #expect(!sendable.isDisjoint(with: type.inherited), "\(type.kind) \(type.name)")
    }
  }

  @Test("TM-1201: a type that does not say so is seen")
  func reader() {
    let plain = Declaration("  public final class Kept: Store {")
    #expect(plain?.kind == "class" && plain?.name == "Kept" && plain?.inherited == ["Store"])
    #expect(Declaration("public struct Bare {")?.inherited == [])
    #expect(Declaration("public func struct() {") == nil)
  }
}
