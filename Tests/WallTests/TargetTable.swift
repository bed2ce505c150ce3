import Foundation

/// The table of targets in ARCHITECTURE.md: who may import whom.
struct TargetTable {
  /// The modules a target may import, by target.
  let allowed: [String: Set<String>]

  init(markdown: String) {
    var allowed: [String: Set<String>] = [:]
    for line in markdown.split(separator: "\n") where line.hasPrefix("| `") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 3, let target = Self.names(in: cells[0]).first else { continue }
      allowed[target] = Set(Self.names(in: cells[2]))
    }
    self.allowed = allowed
  }

  private static func names(in cell: String) -> [String] {
    cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }
}

/// The checkout this test was compiled from.
enum Checkout {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// Paths below a folder, relative to the checkout.
  static func files(below folder: String) -> [String] {
    let enumerator = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
    return (enumerator?.compactMap { $0 as? String } ?? []).map { "\(folder)/\($0)" }.sorted()
  }
}
