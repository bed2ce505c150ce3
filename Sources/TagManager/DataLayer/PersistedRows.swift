package import Hits

/// The data-layer values that are kept, as a value: which rows an update makes, which have expired, which must go.
///
/// Rows stand in the order in which they were last written, so that merging them one after another gives what the
/// pushes gave (TM-541, TM-542).
package struct PersistedRows: Sendable, Hashable {
  package static let rowLimit = 2_000
  package static let byteLimit = 1 << 20

  package private(set) var rows: [PersistedRow] = []
  private var bytes = 0

  package init() {}

  /// Takes the rows a storage has loaded, but for the expired ones.
  package init(_ loaded: [PersistedRow], now: Int64) {
    for row in loaded where row.expiry > now { append(row) }
    trim()
  }

  /// Keeps the leaves of an update that has a lifetime; the caller then stores the rows.
  ///
  /// - Returns: the lifetime; `invalid` deserves a warning, and only `milliseconds` changes the rows.
  package mutating func record(_ update: [String: Value], now: Int64) -> Lifetime {
    let lifetime = Lifetime(of: update)
    guard case .milliseconds(let duration) = lifetime else { return lifetime }
    dropExpired(now: now)
    var written: [PersistedRow] = []
    // The model has expanded the dotted keys and cleaned the values.
    for (key, value) in DataLayerModel(update).root.inByteOrder where key != "gtm" {
      if Self.isPlainSegment(key) {
        Self.flatten(value, at: key, expiry: now + duration, into: &written)
      } else {
        written.append(PersistedRow(path: key, value: value, expiry: now + duration))
      }
    }
    // A row that is written again stands behind all others.
    let paths = Set(written.map(\.path))
    removeAll { paths.contains($0.path) }
    for row in written { append(row) }
    trim()
    return lifetime
  }

  /// Forgets the rows whose time is over.
  package mutating func dropExpired(now: Int64) { removeAll { $0.expiry <= now } }

  /// Forgets the row of a path and all rows below it (TM-545).
  package mutating func remove(prefix: String) { removeAll { $0.isAtOrBelow(prefix: prefix) } }

  /// What the rows make of an empty data layer.
  package var model: DataLayerModel {
    var model = DataLayerModel()
    for row in rows { model.restore(row) }
    return model
  }

  /// What had been pushed before the rows were loaded, with the rows laid under it (TM-542).
  package func model(under pushed: DataLayerModel) -> DataLayerModel {
    var model = model
    model.merge(content: pushed)
    return model
  }
}

extension PersistedRows {
  /// The leaves of a value; a path cannot lead to an empty map, nor to keys with dots, so such a map is one.
  private static func flatten(_ value: Value, at path: String, expiry: Int64, into rows: inout [PersistedRow]) {
    if case .map(let entries) = value, !entries.isEmpty, entries.keys.allSatisfy(isPlainSegment) {
      for (key, item) in entries.inByteOrder { flatten(item, at: "\(path).\(key)", expiry: expiry, into: &rows) }
    } else {
      rows.append(PersistedRow(path: path, value: value, expiry: expiry))
    }
  }

  private static func isPlainSegment(_ key: String) -> Bool {
    !key.isEmpty && !key.utf8.contains(UInt8(ascii: "."))
  }

  private mutating func append(_ row: PersistedRow) {
    rows.append(row)
    bytes += row.bytes
  }

  private mutating func removeAll(where isGone: (PersistedRow) -> Bool) {
    rows.removeAll { row in
      guard isGone(row) else { return false }
      bytes -= row.bytes
      return true
    }
  }

  private mutating func trim() {
    var gone = 0
    while gone < rows.count, rows.count - gone > Self.rowLimit || bytes > Self.byteLimit {
      bytes -= rows[gone].bytes
      gone += 1
    }
    rows.removeFirst(gone)
  }
}

extension PersistedRow {
  fileprivate var bytes: Int { path.utf8.count + value.textBytes }
}
