/// The functions of one kind: which ids the forms give them, and which id an encoder writes (§600.3, §700, §800).
///
/// A binary file says `_x`, compiled JSON `__x`; either may use the other's ids.
package struct FunctionTable: Sendable {
  /// One function and its ids.
  package struct Entry: Sendable {
    package let name: FunctionName
    package let binaryID: String?
    package let jsonID: String?
    package let otherIDs: [String]

    package init(_ name: FunctionName, binary: String? = nil, json: String? = nil, others: [String] = []) {
      self.name = name
      binaryID = binary
      jsonID = json
      otherIDs = others
    }
  }

  private let names: [String: FunctionName]
  private let ids: [FunctionName: Entry]

  package init(_ entries: [Entry]) {
    var names: [String: FunctionName] = [:]
    for entry in entries {
      for id in [entry.binaryID, entry.jsonID].compactMap({ $0 }) + entry.otherIDs { names[id] = entry.name }
      names[entry.name.rawValue] = entry.name
    }
    self.names = names
    ids = Dictionary(entries.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The function an id stands for; nil when no table names it (TM-153).
  ///
  /// An id `__x` that is not listed is looked up as `_x`.
  package func name(ofID id: String) -> FunctionName? {
    // No listed id is longer; a text of a megabyte is not worth hashing for every call.
    guard id.utf8.count <= 32 else { return nil }
    if let name = names[id] { return name }
    return id.hasPrefix("__") ? names[String(id.dropFirst())] : nil
  }

  /// Whether a table names the function; of an id that none names the raw text is the name.
  package func isKnown(_ name: FunctionName) -> Bool { name.rawValue.utf8.count <= 32 && ids[name] != nil }

  /// The id that a binary file gives the function; a raw id stands for itself.
  package func binaryID(of name: FunctionName) -> String {
    let entry = ids[name]
    return entry?.binaryID ?? entry?.jsonID ?? name.rawValue
  }

  /// The id that compiled JSON gives the function; a raw id stands for itself.
  package func jsonID(of name: FunctionName) -> String {
    let entry = ids[name]
    return entry?.jsonID ?? entry?.binaryID ?? name.rawValue
  }
}

extension FunctionKind {
  /// The functions of the kind.
  package var table: FunctionTable {
    switch self {
    case .macro: .macros
    case .predicate: .predicates
    case .tag: .tags
    }
  }
}
