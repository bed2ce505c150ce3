public import Hits

/// What is different about one thing between two workspaces or two containers.
public struct EntityChange: Sendable, Hashable, Codable {
  /// How the two sides differ.
  public enum Difference: String, Sendable, Hashable, Codable {
    /// It is only on the second side.
    case added
    /// It is only on the first side.
    case removed
    /// It is on both, with other content.
    case changed
  }

  /// One field that differs.
  public struct Field: Sendable, Hashable, Codable {
    /// Its name, such as `parameter.url`.
    public var name: String
    /// What it was; nil when it was not there.
    public var from: Value?
    /// What it is; nil when it is not there any more.
    public var to: Value?
  }

  /// What it is: an entity's kind, or `macro`, `tag`, `rule` of a container.
  public var kind: String
  /// Its id; nil where there is none.
  public var id: String?
  /// Its name; of one that is on both sides the second.
  public var name: String
  /// How the two sides differ.
  public var difference: Difference
  /// The fields that differ, when it is on both sides, in byte order of their names.
  public var fields: [Field]
}

/// One side's view of a thing that is compared.
struct ComparedItem {
  var id: String?
  var name: String
  /// Its content by name of field, without what the two sides need not share.
  var fields: [String: Value]
}

/// Compares two lists of things of one kind.
///
/// Things of the same name belong together, in their order where several share one; of the rest those of the same id.
struct ItemComparison {
  let kind: String
  let from: [ComparedItem]
  let to: [ComparedItem]

  /// The differences: those of the second list in its order, then what was removed.
  var changes: [EntityChange] {
    let partners = partners
    var changes: [EntityChange] = []
    for (position, item) in to.enumerated() {
      guard let partner = partners[position] else {
        changes.append(EntityChange(kind: kind, id: item.id, name: item.name, difference: .added, fields: []))
        continue
      }
      let fields = Self.fields(from[partner], item)
      guard !fields.isEmpty else { continue }
      changes.append(EntityChange(kind: kind, id: item.id, name: item.name, difference: .changed, fields: fields))
    }
    let kept = Set(partners.compactMap { $0 })
    for (position, item) in from.enumerated() where !kept.contains(position) {
      changes.append(EntityChange(kind: kind, id: item.id, name: item.name, difference: .removed, fields: []))
    }
    return changes
  }

  /// For each thing of the second list the position of its partner in the first.
  private var partners: [Int?] {
    var partners: [Int?] = Array(repeating: nil, count: to.count)
    var isTaken = Array(repeating: false, count: from.count)
    for key in [\ComparedItem.name, \.idOrNothing] {
      var positions: [String: [Int]] = [:]
      for position in from.indices.reversed() where !isTaken[position] && !from[position][keyPath: key].isEmpty {
        positions[from[position][keyPath: key], default: []].append(position)
      }
      for position in to.indices where partners[position] == nil {
        guard let partner = positions[to[position][keyPath: key]]?.popLast() else { continue }
        partners[position] = partner
        isTaken[partner] = true
      }
    }
    return partners
  }

  private static func fields(_ from: ComparedItem, _ to: ComparedItem) -> [EntityChange.Field] {
    var names = Set(from.fields.keys).union(to.fields.keys)
    var fields: [EntityChange.Field] = []
    if from.name != to.name {
      names.remove("name")
      fields.append(EntityChange.Field(name: "name", from: .string(from.name), to: .string(to.name)))
    }
    for name in names.sorted(by: { $0.precedesInBytes($1) }) where from.fields[name] != to.fields[name] {
      fields.append(EntityChange.Field(name: name, from: from.fields[name], to: to.fields[name]))
    }
    return fields
  }
}

extension ComparedItem {
  fileprivate var idOrNothing: String { id ?? "" }
}
