import Hits

/// What somebody typed into a form, by the names of its inputs.
///
/// Rows of a table are numbered: `conditions.0.left`, `conditions.0.right`, `conditions.1.left`.
struct TypedFields: Sendable, Hashable {
  private(set) var values: [String: String]

  init(_ values: [String: String] = [:]) { self.values = values }

  init(_ bytes: [UInt8]) { values = FormFields(bytes).dictionary }

  /// The text of an input; nil when it was not there.
  subscript(name: String) -> String? {
    get { values[name] }
    set { values[name] = newValue }
  }

  /// The text of an input with no blanks around it; empty when it was not there.
  func line(_ name: String) -> String {
    let text = (values[name] ?? "").drop { $0.isWhitespace }
    return String(text.reversed().drop { $0.isWhitespace }.reversed())
  }

  /// Whether a box was checked.
  func isChecked(_ name: String) -> Bool { values[name] != nil }

  /// The most rows that a table may have.
  static let mostRows = 500

  /// The rows of a table in their order, without those that are empty; each has a text for each column.
  ///
  /// - Parameter ignored: columns that always have a text, such as choices.
  func rows(_ table: String, _ columns: [String], ignoring ignored: Set<String> = []) -> [[String]] {
    let count = rowCount(table)
    return (0..<count).map { row in columns.map { values["\(table).\(row).\($0)"] ?? "" } }
      .filter { row in
        zip(columns, row).contains { !ignored.contains($0) && !$1.allSatisfy(\.isWhitespace) }
      }
  }

  private func rowCount(_ table: String) -> Int {
    let prefix = table + "."
    let numbers = values.keys.compactMap { name -> Int? in
      guard name.hasPrefix(prefix) else { return nil }
      return Int(name.dropFirst(prefix.count).prefix { $0 != "." })
    }
    return (numbers.filter { 0..<Self.mostRows ~= $0 }.max() ?? -1) + 1
  }

  /// Writes the rows of a table.
  mutating func setRows(_ table: String, _ columns: [String], _ rows: [[String]]) {
    for (number, row) in rows.prefix(Self.mostRows).enumerated() {
      for (column, text) in zip(columns, row) { values["\(table).\(number).\(column)"] = text }
    }
  }
}
