/// Rows whose columns stand below each other.
struct TextTable {
  private var rows: [[String]] = []

  mutating func add(_ cells: String...) { rows.append(cells) }

  /// The rows as lines, each behind an indent; the last column is as wide as it likes.
  func lines(indent: String) -> [String] {
    let count = rows.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in
      rows.map { $0.indices.contains(column) && column < $0.count - 1 ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.map { cells in
      let padded = cells.enumerated().map { column, cell in
        column == cells.count - 1 ? cell : cell + String(repeating: " ", count: widths[column] - cell.count)
      }
      return indent + padded.joined(separator: "  ")
    }
  }
}
