package import Hits

/// The data layer's content: a tree of maps, as a value.
///
/// A copy is a snapshot; copying costs nothing until one of the two changes (TM-521). It never holds `absent`, nor a
/// number that is not finite, and it is never deeper than 64 levels.
package struct DataLayerModel: Sendable, Hashable {
  package private(set) var root: [String: Value]
  /// The bytes of text in it, kept up to date so that the bound of TM-516 costs no walk.
  package private(set) var textBytes: Int

  package init() {
    root = [:]
    textBytes = 0
  }

  /// Makes a model that holds what pushing the update would leave, without the bounds of TM-516.
  package init(_ root: [String: Value]) {
    self.init()
    merge(root, isPlain: false)
  }

  /// Merges an update over the content: dotted top-level keys expand, keys apply in byte order (TM-511, TM-512).
  ///
  /// - Returns: what was seen in the update, for warnings.
  /// - Throws: the reason why nothing of the update was applied (TM-516).
  @discardableResult
  package mutating func push(_ update: [String: Value]) throws(PushRejection) -> UpdateCheck {
    let check = try UpdateCheck(update)
    try push(update, check)
    return check
  }

  /// Merges an update that was looked at before.
  package mutating func push(_ update: [String: Value], _ check: UpdateCheck) throws(PushRejection) {
    if textBytes + check.text <= UpdateLimits.layerText {
      merge(update, isPlain: check.isPlain, hasDottedKeys: check.hasDottedKeys)
    } else {
      // Only what is replaced tells whether it fits, so the merge is tried on a copy.
      var merged = self
      merged.merge(update, isPlain: check.isPlain, hasDottedKeys: check.hasDottedKeys)
      guard merged.textBytes <= UpdateLimits.layerText else { throw .tooLarge }
      self = merged
    }
  }

  /// The value at a dotted path, or at a literal key; nil when there is none (TM-513).
  package func value(at key: String) -> Value? {
    let path = DataLayerPath(key)
    guard path.isDotted else { return root[key] }
    var rest = key.utf8[...]
    guard var value = root[rest.takeSegment()] else { return nil }
    while !rest.isEmpty {
      guard let below = value[segment: rest.takeSegment()] else { return nil }
      value = below
    }
    return value
  }

  /// Deletes a key and what is below it; a slot of a list becomes `null`, so that its neighbours keep their places
  /// (TM-515).
  package mutating func remove(_ key: String) {
    var segments = DataLayerPath(key).segments[...]
    guard let first = segments.popFirst(), var value = root[first] else { return }
    guard !segments.isEmpty else {
      textBytes -= first.utf8.count + value.textBytes
      root[first] = nil
      return
    }
    root[first] = .null
    textBytes += value.remove(segments)
    root[first] = value
  }

  /// Sets a prefix to null, as clearing does (TM-545).
  package mutating func clear(prefix: String) { merge([prefix: .null], isPlain: true) }

  /// Puts back a value that was kept from an earlier run (TM-542).
  package mutating func restore(_ row: PersistedRow) { merge([row.path: row.value], isPlain: false) }

  /// Merges a whole content over this one, key by key, without expanding any.
  package mutating func merge(content other: DataLayerModel) {
    merge(other.root, isPlain: true, hasDottedKeys: false)
  }

  /// The name of the event that an update makes; nil when it makes none (TM-514).
  ///
  /// Only a top-level `event` counts; null, absent, empty text, `false` and 0 are no event.
  package static func eventName(of update: [String: Value]) -> String? {
    guard let value = update["event"] else { return nil }
    switch value {
    case .null, .absent, .bool(false), .int(0): return nil
    case .double(let number) where number == 0 || !number.isFinite: return nil
    default:
      let name = value.text(.standard)
      return name.isEmpty ? nil : name
    }
  }
}

extension DataLayerModel {
  private mutating func merge(_ update: [String: Value], isPlain: Bool, hasDottedKeys: Bool = true) {
    guard hasDottedKeys else {
      for (key, value) in update { set(key, to: value, isPlain: isPlain) }
      return
    }
    for (key, value) in update.inByteOrder {
      let path = DataLayerPath(key)
      guard path.isDotted else {
        set(key, to: value, isPlain: isPlain)
        continue
      }
      // Nothing to store must not make the maps above it.
      guard !value.isAbsent else { continue }
      let segments = path.segments
      let nested = segments.dropFirst().reversed().reduce(value) { below, segment in .map([segment: below]) }
      set(segments[0], to: nested, isPlain: isPlain)
    }
  }

  private mutating func set(_ key: String, to value: Value, isPlain: Bool) {
    guard !value.isAbsent else { return }
    textBytes += value.merge(into: &root, key: key, isPlain: isPlain)
  }
}

extension Substring.UTF8View {
  /// Takes the text up to the next dot, and the dot.
  fileprivate mutating func takeSegment() -> String {
    let segment = prefix { $0 != UInt8(ascii: ".") }
    self = dropFirst(segment.count + 1)
    return String(Substring(segment))
  }
}

extension Value {
  /// The value of a map's key, or of a list's index; nil when there is none.
  fileprivate subscript(segment segment: String) -> Value? {
    switch self {
    case .map(let entries): return entries[segment]
    case .list(let items):
      guard let index = segment.listIndex, items.indices.contains(index) else { return nil }
      return items[index]
    default: return nil
    }
  }

  /// Merges this value over a map's entry and tells by how many bytes of text the map grew.
  ///
  /// - Parameter isPlain: whether the value may be stored as it is.
  fileprivate func merge(into entries: inout [String: Value], key: String, isPlain: Bool) -> Int {
    if isAbsent { return 0 }
    if let index = entries.index(forKey: key) { return merge(over: &entries.values[index], isPlain: isPlain) }
    let value = isPlain ? self : normalised
    entries[key] = value
    return key.utf8.count + value.textBytes
  }

  /// Merges this value over another and tells by how many bytes of text that grew (TM-512).
  private func merge(over old: inout Value, isPlain: Bool) -> Int {
    var growth = 0
    switch (self, old) {
    case (.absent, _): break
    case (.map(let entries), .map(var merged)):
      old = .null  // so that the map has one owner and changes in place
      for (key, value) in entries { growth += value.merge(into: &merged, key: key, isPlain: isPlain) }
      old = .map(merged)
    case (.list(let items), .list(var merged)):
      old = .null
      for (index, item) in items.enumerated() {
        if index < merged.count {
          growth += item.merge(over: &merged[index], isPlain: isPlain)
        } else {
          merged.append(isPlain ? item : item.normalised)
          growth += merged[index].textBytes
        }
      }
      old = .list(merged)
    default:
      growth -= old.textBytes
      old = isPlain ? self : normalised
      growth += old.textBytes
    }
    return growth
  }

  /// The value as the data layer holds it: entries that are absent left out, absent items and non-finite numbers null.
  private var normalised: Value {
    switch self {
    case .absent: .null
    case .double(let number) where !number.isFinite: .null
    case .list(let items): .list(items.map(\.normalised))
    case .map(let entries): .map(entries.filter { !$0.value.isAbsent }.mapValues(\.normalised))
    default: self
    }
  }

  /// Deletes what a path names and tells by how many bytes of text the value grew, that is a negative number.
  fileprivate mutating func remove(_ path: ArraySlice<String>) -> Int {
    guard let segment = path.first else { return 0 }
    let rest = path.dropFirst()
    switch self {
    case .map(var entries):
      guard var value = entries[segment] else { return 0 }
      self = .null
      defer { self = .map(entries) }
      guard !rest.isEmpty else {
        entries[segment] = nil
        return -segment.utf8.count - value.textBytes
      }
      let growth = value.remove(rest)
      entries[segment] = value
      return growth
    case .list(var items):
      guard let index = segment.listIndex, items.indices.contains(index) else { return 0 }
      self = .null
      defer { self = .list(items) }
      guard !rest.isEmpty else {
        let growth = 1 - items[index].textBytes
        items[index] = .null
        return growth
      }
      return items[index].remove(rest)
    default: return 0
    }
  }
}
