import Hits

extension WebTagProfile {
  /// What a profile's file may be.
  static let limits = JSONLimits(bytes: 4 << 20, depth: 16, nodes: 200_000)

  /// Reads a profile's file; whatever it does not know is an error.
  init(_ bytes: [UInt8]) throws(WebTagProfileError) {
    guard let document = try? Value(json: bytes, limits: Self.limits), case .map(let root) = document else {
      throw WebTagProfileError(code: .notJSON, place: "the file")
    }
    try Self.allow(["settings", "loadRules", "tags"], in: root, at: "")
    settings = try Self.object(root["settings"] ?? [:], at: "settings")
    for (id, rule) in try Self.object(root["loadRules"] ?? [:], at: "loadRules") {
      loadRules[id] = try Self.rule(rule, at: "loadRules.\(id)")
    }
    var uids: Set<String> = []
    for (index, value) in try Self.list(root["tags"] ?? [], at: "tags").enumerated() {
      let tag = try tag(value, at: "tags[\(index)]")
      guard uids.insert(tag.uid).inserted else {
        throw WebTagProfileError(code: .duplicateUID, place: "tags[\(index)].uid")
      }
      tags.append(tag)
    }
  }

  private static func rule(_ value: Value, at place: String) throws(WebTagProfileError) -> [[Condition]] {
    var rule: [[Condition]] = []
    for (index, inner) in try list(value, at: place).enumerated() {
      var conditions: [Condition] = []
      for (number, value) in try list(inner, at: "\(place)[\(index)]").enumerated() {
        conditions.append(try condition(value, at: "\(place)[\(index)][\(number)]"))
      }
      rule.append(conditions)
    }
    return rule
  }

  private static func condition(_ value: Value, at place: String) throws(WebTagProfileError) -> Condition {
    let object = try object(value, at: place)
    try allow(["key", "op", "value", "not"], in: object, at: place)
    let op = try text(object["op"], at: "\(place).op")
    guard Condition.operators.contains(op) else {
      throw WebTagProfileError(code: .unknownOperator, place: "\(place).op")
    }
    let compared = op == "exists" && object["value"] == nil ? "" : try text(object["value"], at: "\(place).value")
    return Condition(
      key: try text(object["key"], at: "\(place).key"), op: op, value: compared,
      isNegated: try flag(object["not"], at: "\(place).not") ?? false)
  }

  private func tag(_ value: Value, at place: String) throws(WebTagProfileError) -> Tag {
    let object = try Self.object(value, at: place)
    try Self.allow(["uid", "kind", "url", "on", "loadRule", "enabled"], in: object, at: place)
    let kind = try Self.text(object["kind"], at: "\(place).kind")
    guard Tag.kinds.contains(kind) else { throw WebTagProfileError(code: .unknownKind, place: "\(place).kind") }
    var types: [String] = []
    guard let on = object["on"] else { throw WebTagProfileError(code: .missingMember, place: "\(place).on") }
    for type in try Self.list(on, at: "\(place).on") { types.append(try Self.text(type, at: "\(place).on")) }
    var rule: String?
    if let named = object["loadRule"], named != .null {
      rule = try Self.text(named, at: "\(place).loadRule")
      guard rule.map({ loadRules[$0] != nil }) ?? true else {
        throw WebTagProfileError(code: .unknownRule, place: "\(place).loadRule")
      }
    }
    let url = try Self.text(object["url"], at: "\(place).url")
    guard let pieces = Self.pieces(url) else { throw WebTagProfileError(code: .badURL, place: "\(place).url") }
    return Tag(
      uid: try Self.text(object["uid"], at: "\(place).uid"), kind: kind, url: pieces, types: types, loadRule: rule,
      isEnabled: try Self.flag(object["enabled"], at: "\(place).enabled") ?? true)
  }

  /// A URL's pieces; nil where scheme or host are no literals, or the whole is no https URL (http on loopback).
  private static func pieces(_ url: String) -> [Tag.Piece]? {
    var pieces: [Tag.Piece] = []
    var plain = ""
    var rest = url[...]
    while let open = rest.firstIndex(of: "{") {
      guard let close = rest[open...].firstIndex(of: "}") else { return nil }
      let key = String(rest[rest.index(after: open)..<close])
      guard !key.isEmpty, !key.contains("{") else { return nil }
      let text = String(rest[..<open])
      if !text.isEmpty { pieces.append(.text(text)) }
      pieces.append(.key(key))
      plain += text + "x"
      rest = rest[rest.index(after: close)...]
    }
    if !rest.isEmpty { pieces.append(.text(String(rest))) }
    plain += rest
    guard let parts = WebURL(plain), parts.isSecure || parts.isLoopback, case .text(let first)? = pieces.first else {
      return nil
    }
    // The first piece holds scheme, host and port, and what ends them.
    guard let authority = first.firstRange(of: "://"),
      pieces.count == 1 || first[authority.upperBound...].contains(where: { $0 == "/" || $0 == "?" || $0 == "#" })
    else { return nil }
    return pieces
  }

  private static func allow(
    _ names: Set<String>, in object: [String: Value], at place: String
  ) throws(WebTagProfileError) {
    guard let unknown = object.keys.filter({ !names.contains($0) }).min() else { return }
    throw WebTagProfileError(code: .unknownMember, place: place.isEmpty ? unknown : "\(place).\(unknown)")
  }

  private static func object(_ value: Value, at place: String) throws(WebTagProfileError) -> [String: Value] {
    guard case .map(let object) = value else { throw WebTagProfileError(code: .wrongType, place: place) }
    return object
  }

  private static func list(_ value: Value, at place: String) throws(WebTagProfileError) -> [Value] {
    guard case .list(let list) = value else { throw WebTagProfileError(code: .wrongType, place: place) }
    return list
  }

  private static func text(_ value: Value?, at place: String) throws(WebTagProfileError) -> String {
    switch value {
    case .string(let text): return text
    case nil: throw WebTagProfileError(code: .missingMember, place: place)
    default: throw WebTagProfileError(code: .wrongType, place: place)
    }
  }

  private static func flag(_ value: Value?, at place: String) throws(WebTagProfileError) -> Bool? {
    switch value {
    case nil: return nil
    case .bool(let flag): return flag
    default: throw WebTagProfileError(code: .wrongType, place: place)
    }
  }
}
