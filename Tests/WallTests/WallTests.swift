import Foundation
import Testing

/// Holds the sources to the table of ARCHITECTURE.md.
@Suite struct WallTests {
  static let table: TargetTable = {
    let markdown = (try? Checkout.text("ARCHITECTURE.md")) ?? ""
    return TargetTable(markdown: markdown)
  }()
  static let free: Set<String> = [
    "Foundation", "Dispatch", "Synchronization", "Swift", "Glibc", "Musl", "Darwin", "os", "CryptoKit", "Testing",
  ]

  static let targets = Set(
    Checkout.files(below: "Sources").filter { $0.hasSuffix(".swift") }.compactMap {
      $0.split(separator: "/").dropFirst().first.map(String.init)
    })

  @Test("Every target has a row, and every row a target")
  func rows() {
    #expect(Self.targets == Set(Self.table.allowed.keys))
  }

  @Test("A target imports only what its row allows", arguments: targets.sorted())
  func imports(of target: String) throws {
    let allowed = try #require(Self.table.allowed[target])
    for file in Checkout.files(below: "Sources/\(target)") where file.hasSuffix(".swift") {
      for module in Self.imports(in: try Checkout.text(file)) where !Self.free.contains(module) {
        #expect(allowed.contains(module), "\(file) imports \(module)")
      }
    }
  }

  @Test("Package.swift gives a target no dependency that its row does not allow", arguments: targets.sorted())
  func dependencies(of target: String) throws {
    let manifest = try Checkout.text("Package.swift")
    let declaration = try #require(Self.declaration(of: target, in: manifest))
    let named = Self.quoted(in: declaration).filter { $0 != target && Self.isModule($0, in: manifest) }
    #expect(Set(named).subtracting(Self.table.allowed[target] ?? []).isEmpty)
  }

  @Test("No folder is called by what everything could be called")
  func folders() {
    let banned: Set<String> = ["Core", "Common", "Utils", "Utilities", "Helpers", "Managers", "Misc", "Shared"]
    for file in Checkout.files(below: "Sources") {
      #expect(banned.isDisjoint(with: file.split(separator: "/").map(String.init)), "\(file)")
    }
  }

  @Test("The reader of imports knows every form of an import")
  func reader() {
    let text = "import A\npackage import B\n@testable import C\npublic import struct D.E\n  import F\n// import G\n"
    #expect(Self.imports(in: text) == ["A", "B", "C", "D", "F"])
  }

  static func imports(in source: String) -> [String] {
    source.split(separator: "\n").compactMap { line in
      var words = line.split(separator: " ")[...]
      while let word = words.first, word.hasPrefix("@") || ["public", "package", "internal"].contains(word) {
        words.removeFirst()
      }
      guard words.popFirst() == "import" else { return nil }
      if let kind = words.first, ["struct", "class", "enum", "func", "protocol", "var", "let"].contains(kind) {
        words.removeFirst()
      }
      return words.first?.split(separator: ".").first.map(String.init)
    }
  }

  private static func declaration(of target: String, in manifest: String) -> Substring? {
    for opening in [".target(", ".executableTarget("] {
      for part in manifest.components(separatedBy: opening).dropFirst() {
        let end = part.range(of: "swiftSettings")?.lowerBound ?? part.endIndex
        let declaration = part[..<end]
        if quoted(in: declaration).first == target { return declaration }
      }
    }
    return nil
  }

  private static func quoted(in text: Substring) -> [String] {
    text.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }

  private static func isModule(_ name: String, in manifest: String) -> Bool {
    manifest.contains("(name: \"\(name)\"") || manifest.contains("name: \"\(name)\",")
  }
}
