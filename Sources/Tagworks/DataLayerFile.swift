import DurableStore
import Foundation
import Hits
import TagManager

/// The data layer's kept values as one file (TM-543).
///
///     file  = {"version": 1, "rows": [row …]}
///     row   = {"k": path, "x": expiry in ms, "t": type, "v": value}
///     type  = "string" / "int" / "double" / "bool" / "list" / "map" / "null"
///
/// Numbers are texts, and the items of lists and maps are `{"t", "v"}` in turn.
struct DataLayerFile: DataLayerStorage {
  /// The longest file that is written, and so the longest that is read.
  static let limits = JSONLimits(bytes: 8 << 20, depth: 256, textBytes: 8 << 20)
  private let file: AtomicFile

  init(path: String) { file = AtomicFile(path: path) }

  func load() throws -> [PersistedRow] {
    do {
      guard let bytes = try file.read(limit: Self.limits.bytes) else { return [] }
      return try Self.rows(try Value(json: bytes, limits: Self.limits))
    } catch {
      // What the system does not let us read now may be whole.
      if let error = error as? StoreError, error.code != .damaged { throw error }
      try file.remove()
      throw error
    }
  }

  func store(_ rows: [PersistedRow]) throws {
    let rows = rows.map { row in
      var fields = Self.typed(row.value)
      fields["k"] = .string(row.path)
      fields["x"] = .int(row.expiry)
      return Value.map(fields)
    }
    let bytes = Value.map(["version": 1, "rows": .list(rows)]).jsonBytes
    // The bound of the rows counts what was pushed; small numbers are many times longer as they are written.
    guard bytes.count <= Self.limits.bytes else {
      throw StoreError(code: .full, message: "\(file.path) would be longer than \(Self.limits.bytes) bytes")
    }
    try file.replace(with: bytes)
  }

  func remove(prefix: String) throws {
    try store(try load().filter { !$0.isAtOrBelow(prefix: prefix) })
  }

  private struct Damaged: Error, CustomStringConvertible {
    var description: String { "the file of kept values is damaged and was removed" }
  }

  private static func rows(_ root: Value) throws -> [PersistedRow] {
    guard case .map(let root) = root, root["version"] == 1, case .list(let rows) = root["rows"] else { throw Damaged() }
    return try rows.map { row in
      guard case .map(let fields) = row, case .string(let path) = fields["k"], case .int(let expiry) = fields["x"]
      else { throw Damaged() }
      return PersistedRow(path: path, value: try value(fields), expiry: expiry)
    }
  }

  private static func typed(_ value: Value) -> [String: Value] {
    switch value {
    case .string: ["t": "string", "v": value]
    case .int(let number): ["t": "int", "v": .string(String(number))]
    case .double(let number): ["t": "double", "v": .string(String(number))]
    case .bool: ["t": "bool", "v": value]
    case .list(let items): ["t": "list", "v": .list(items.map { .map(typed($0)) })]
    case .map(let entries): ["t": "map", "v": .map(entries.mapValues { .map(typed($0)) })]
    case .null, .absent: ["t": "null", "v": .null]
    }
  }

  /// Reads a typed value; the reader's bound on depth bounds the recursion.
  private static func value(_ fields: [String: Value]) throws -> Value {
    switch (fields["t"], fields["v"]) {
    case (.string("string"), .string(let text)): return .string(text)
    case (.string("int"), .string(let text)): if let number = Int64(text) { return .int(number) }
    case (.string("double"), .string(let text)): if let number = Double(text) { return .double(number) }
    case (.string("bool"), .bool(let flag)): return .bool(flag)
    case (.string("null"), _): return .null
    case (.string("list"), .list(let items)): return .list(try items.map(item))
    case (.string("map"), .map(let entries)): return .map(try entries.mapValues(item))
    default: break
    }
    throw Damaged()
  }

  private static func item(_ item: Value) throws -> Value {
    guard case .map(let fields) = item else { throw Damaged() }
    return try value(fields)
  }
}
