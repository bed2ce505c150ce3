package import Hits

/// How built-in tags read their parameters: what is missing is nil, empty or false.
extension TagCall {
  /// The value of a parameter; nil when it is missing.
  package subscript(key: String) -> Value? {
    guard let value = parameters[key], !value.isAbsent else { return nil }
    return value
  }

  /// The text form of a parameter (TM-502); empty when it is missing.
  package func text(_ key: String) -> String { self[key]?.text(semantics) ?? "" }

  /// Whether a parameter is true (TM-503).
  package func isTrue(_ key: String) -> Bool { self[key]?.bool(semantics) ?? false }

  /// The text form of a parameter that must not be missing or empty.
  package func required(_ key: String) throws(TagFailure) -> String {
    let text = text(key)
    guard !text.isEmpty else { throw .evaluation(.missingParameter(key)) }
    return text
  }

  /// The rows of a table: a list of maps that name their two columns, or a map from one to the other.
  ///
  /// Rows of another shape are left out; a map's rows come in byte order of their keys.
  package func rows(_ key: String, _ first: String, _ second: String) -> [(key: String, value: Value)] {
    switch self[key] {
    case .list(let items):
      items.compactMap { item in
        guard let row = item.map, let name = row[first]?.text(semantics) else { return nil }
        return (name, row[second] ?? .absent)
      }
    case .map(let entries): entries.inByteOrder
    default: []
    }
  }

  /// The entries of a map, or of all maps of a list in its order; those of one map in byte order of their keys.
  package func entries(_ key: String) -> [(key: String, value: Value)] {
    switch self[key] {
    case .list(let items): items.flatMap { $0.map?.inByteOrder ?? [] }
    case .map(let entries): entries.inByteOrder
    default: []
    }
  }
}
