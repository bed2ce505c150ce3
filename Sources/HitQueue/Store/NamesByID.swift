import DurableStore

/// The other direction of a `NameTable`: names by their number, each read once.
final class NamesByID<Name> {
  private var names: [Int64: Name] = [:]
  private let selection: Statement
  private let read: (Statement) -> Name

  init(_ selection: Statement, read: @escaping (Statement) -> Name) {
    self.selection = selection
    self.read = read
  }

  /// The name; nil for a number that the table does not have.
  func name(of id: Int64) throws(StoreError) -> Name? {
    if let name = names[id] { return name }
    selection.bind(id, at: 1)
    let name = try selection.query { row throws(StoreError) in try row.step() ? read(row) : nil }
    names[id] = name
    return name
  }
}
