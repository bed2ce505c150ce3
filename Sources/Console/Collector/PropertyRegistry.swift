import HitQueue

/// A property whose hits the collector takes, with the keys that may write to it (HQ-714).
public struct Property: Sendable, Hashable {
  /// The id, such as `UA-12345-1` or `shop`.
  public var id: String
  /// The keys for `/v1/hits`.
  public var writeKeys: Set<String>

  /// Makes a property; nil for a text that is no id (HQ-201).
  public init?(id: String, writeKeys: Set<String> = []) {
    guard Self.isID(id) else { return nil }
    self.id = id
    self.writeKeys = writeKeys
  }

  /// Whether a text is a property's id: `UA-` with an account and a number, or up to 64 of `A-Za-z0-9._:-` (HQ-201).
  static func isID(_ text: String) -> Bool { TrackerNames.isProperty(text) }
}

/// The properties of a collector.
package struct PropertyRegistry: Sendable, Hashable {
  private let properties: [String: Property]
  private let isOpen: Bool
  private let byKey: [String: Set<String>]

  /// Without any property, a collector that only this machine can reach takes every property (HQ-714).
  package init(_ properties: [Property], isLoopback: Bool) {
    self.properties = Dictionary(properties.map { ($0.id, $0) }) { first, second in
      Property(first.id, first.writeKeys.union(second.writeKeys))
    }
    isOpen = properties.isEmpty && isLoopback
    var byKey: [String: Set<String>] = [:]
    for property in properties { for key in property.writeKeys { byKey[key, default: []].insert(property.id) } }
    self.byKey = byKey
  }

  /// The registered ids.
  package var ids: Set<String> { Set(properties.keys) }

  package func accepts(_ id: String) -> Bool { isOpen || properties[id] != nil }

  /// The properties that a write key may write to; nil for a key that nobody has.
  package func properties(of key: String) -> Set<String>? { byKey[key] }
}

/// The properties that a request may write to.
enum WritableProperties: Sendable, Hashable {
  case all
  case only(Set<String>)

  func contain(_ property: String) -> Bool {
    switch self {
    case .all: true
    case .only(let properties): properties.contains(property)
    }
  }
}

extension Property {
  fileprivate init(_ id: String, _ writeKeys: Set<String>) {
    self.id = id
    self.writeKeys = writeKeys
  }
}
