import Hits

/// What our own universal tag does for one account, profile and environment (WT-651).
///
///     {"settings": {…}, "loadRules": {id: [[{"key", "op", "value", "not"?}]]}, "tags": [{"uid", "kind", "url", "on",
///      "loadRule"?, "enabled"?}]}
///
/// A rule holds when one of its inner lists holds whole. `{key}` in a URL stands for the encoded text of that data key;
/// its scheme and host are literal.
struct WebTagProfile: Sendable, Equatable {
  /// One comparison of a data key.
  struct Condition: Sendable, Equatable {
    static let operators: Set<String> = ["equals", "contains", "startsWith", "endsWith", "matches", "exists"]

    var key: String
    var op: String
    var value: String
    var isNegated: Bool
  }

  /// One vendor's tag.
  struct Tag: Sendable, Equatable {
    static let kinds: Set<String> = ["pixel", "script"]

    /// A piece of a URL: literal text, or the key whose text it is.
    enum Piece: Sendable, Equatable {
      case text(String)
      case key(String)
    }

    var uid: String
    var kind: String
    var url: [Piece]
    var types: [String]
    var loadRule: String?
    var isEnabled: Bool
  }

  var settings: [String: Value] = [:]
  var loadRules: [String: [[Condition]]] = [:]
  var tags: [Tag] = []

  /// The profile as the script gets it.
  var script: Value {
    [
      "rules": .map(loadRules.mapValues { .list($0.map { .list($0.map(\.script)) }) }),
      "tags": .list(tags.filter(\.isEnabled).map(\.script)),
    ]
  }
}

extension WebTagProfile.Condition {
  fileprivate var script: Value {
    ["key": .string(key), "op": .string(op), "value": .string(value), "not": .bool(isNegated)]
  }
}

extension WebTagProfile.Tag {
  fileprivate var script: Value {
    let pieces = url.map { piece -> Value in
      switch piece {
      case .text(let text): .string(text)
      case .key(let key): ["key": .string(key)]
      }
    }
    return [
      "uid": .string(uid), "kind": .string(kind), "url": .list(pieces), "on": .list(types.map { .string($0) }),
      "loadRule": loadRule.map { .string($0) } ?? .null,
    ]
  }
}

/// Why a file is no profile.
struct WebTagProfileError: Error, Sendable, Equatable {
  /// The kind of fault.
  enum Code: String, Sendable {
    case tooLarge
    case notJSON
    case wrongType
    case unknownMember
    case missingMember
    case unknownOperator
    case unknownKind
    case unknownRule
    case duplicateUID
    case badURL
  }

  var code: Code
  /// Where, such as `tags[2].url`.
  var place: String
}
