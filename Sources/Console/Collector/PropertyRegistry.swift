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
  static func isID(_ text: String) -> Bool {
    let bytes = text.utf8
    if bytes.starts(with: "UA-".utf8) {
      let parts = text.dropFirst(3).split(separator: "-", omittingEmptySubsequences: false)
      return parts.count == 2 && isNumber(parts[0], atMost: 12) && isNumber(parts[1], atMost: 6)
    }
    return (1...64).contains(bytes.count) && bytes.allSatisfy(isIDByte)
  }

  private static func isNumber(_ text: Substring, atMost digits: Int) -> Bool {
    (1...digits).contains(text.utf8.count) && text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
  }

  private static func isIDByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"): true
    case UInt8(ascii: ":"), UInt8(ascii: "-"): true
    default: false
    }
  }
}

/// The properties of a collector.
package struct PropertyRegistry: Sendable, Hashable {
  private let properties: [String: Property]
  private let isOpen: Bool

  /// Without any property, a collector that only this machine can reach takes every property (HQ-714).
  package init(_ properties: [Property], isLoopback: Bool) {
    self.properties = Dictionary(properties.map { ($0.id, $0) }) { first, second in
      Property(first.id, first.writeKeys.union(second.writeKeys))
    }
    isOpen = properties.isEmpty && isLoopback
  }

  package func accepts(_ id: String) -> Bool { isOpen || properties[id] != nil }
}

extension Property {
  fileprivate init(_ id: String, _ writeKeys: Set<String>) {
    self.id = id
    self.writeKeys = writeKeys
  }
}
