import Hits

/// A command that a file maps from events, without a page (WT-530 to WT-532).
///
/// - `commands`: a condition and the names it gives, in the order of the file, those of `all_events` and `all_views` first.
/// - `statics`: data that a condition adds; the event's own data wins.
/// - `mappings`: where data goes, as dotted paths.
struct MappedCommand: Sendable {
  /// Conditions that must all hold.
  struct Condition: Sendable, Equatable {
    enum Term: Sendable, Equatable {
      case equals(key: String, value: String)
      case allLinks
      case allViews
    }

    var terms: [Term]

    func holds(_ data: JSONObject, type: String) -> Bool {
      !terms.isEmpty
        && terms.allSatisfy { term in
          switch term {
          case .equals(let key, let value): data[key].map(MappedCommand.text) == value
          case .allLinks: type == "link"
          case .allViews: type == "view"
          }
        }
    }
  }

  /// Where one value goes.
  struct Mapping: Sendable, Equatable {
    var key: String
    /// The text that the value must be; nil for any value.
    var value: String?
    var paths: [[String]]
  }

  private(set) var config: JSONObject = [:]
  private var commands: [(condition: Condition, names: [String], isGeneral: Bool)] = []
  private var statics: [(condition: Condition, data: JSONObject)] = []
  private var mappings: [Mapping] = []
  private let between: String
  private let equality: String

  /// Reads a file.
  ///
  /// - Throws: `JSONError` for text that is not JSON; nil for one that is no object of objects.
  init?(_ bytes: [UInt8]) throws(JSONError) {
    let root = try JSONDocument(bytes, limits: JSONLimits(bytes: 2 << 20, depth: 64, nodes: 200_000)).root
    guard root.kind == .object else { return nil }
    for part in ["config", "mappings", "commands", "statics"] {
      if let value = root[part], value.kind != .object, value.kind != .null { return nil }
    }
    config = root["config"]?.value.map ?? [:]
    between = Self.delimiter(config["keys_separation_delimiter"], ",")
    equality = Self.delimiter(config["keys_equality_delimiter"], ":")
    for member in Self.members(root, "commands") {
      let condition = self.condition(member.key)
      let isGeneral = condition.terms.contains { $0 == .allLinks || $0 == .allViews }
      let names = (member.value.string ?? "").split(separator: ",").map { $0.trimmingBlanks }.filter { !$0.isEmpty }
      commands.append((condition, names, isGeneral))
    }
    for member in Self.members(root, "statics") {
      if case .map(let data) = member.value.value { statics.append((condition(member.key), data)) }
    }
    for member in Self.members(root, "mappings") {
      let source = pair(member.key)
      let paths = (member.value.string ?? "").split(separator: ",").map { path in
        path.split(separator: ".").map { $0.trimmingBlanks }.filter { !$0.isEmpty }
      }
      mappings.append(Mapping(key: source.key, value: source.value, paths: paths.filter { !$0.isEmpty }))
    }
  }

  /// The payload for an event; nil when no command matches.
  func payload(for data: JSONObject, type: String) -> JSONObject? {
    var data = data
    for entry in statics where entry.condition.holds(data, type: type) {
      data.merge(entry.data) { own, _ in own }
    }
    var names: [String] = []
    for isGeneral in [true, false] {
      for command in commands where command.isGeneral == isGeneral && command.condition.holds(data, type: type) {
        for name in command.names where !names.contains(name) { names.append(name) }
      }
    }
    guard !names.isEmpty else { return nil }
    var payload: JSONObject = [:]
    for mapping in mappings {
      guard let value = data[mapping.key], mapping.value == nil || mapping.value == Self.text(value) else { continue }
      for path in mapping.paths { Self.set(value, at: path[...], in: &payload) }
    }
    payload["command_name"] = .string(names.joined(separator: ","))
    return payload
  }

  private static func members(_ root: JSONElement, _ part: String) -> [JSONElement.Members.Member] {
    root[part].map { Array($0.members) } ?? []
  }

  private static func delimiter(_ value: Value?, _ standard: String) -> String {
    guard let text = value?.string, !text.isEmpty else { return standard }
    return text
  }

  private func condition(_ text: String) -> Condition {
    Condition(
      terms: text.components(between).map { $0.trimmingBlanks }.filter { !$0.isEmpty }.map { term in
        switch term {
        case "all_events": return .allLinks
        case "all_views": return .allViews
        default:
          let pair = pair(term)
          guard let value = pair.value else { return .equals(key: "tealium_event", value: term) }
          return .equals(key: pair.key, value: value)
        }
      })
  }

  private func pair(_ text: String) -> (key: String, value: String?) {
    guard let mark = text.firstRange(of: equality) else { return (text.trimmingBlanks, nil) }
    return (text[..<mark.lowerBound].trimmingBlanks, text[mark.upperBound...].trimmingBlanks)
  }

  static func text(_ value: Value) -> String { value.string ?? value.jsonText }

  /// Puts a value where a path leads, over whatever is in the way; a path that is deeper than events may be leads nowhere.
  private static func set(_ value: Value, at path: ArraySlice<String>, in object: inout JSONObject) {
    guard let name = path.first, path.count <= EventData.deepest else { return }
    if path.count == 1 {
      object[name] = value
      return
    }
    var inner = object[name]?.map ?? [:]
    object[name] = nil
    set(value, at: path.dropFirst(), in: &inner)
    object[name] = .map(inner)
  }
}

extension StringProtocol {
  /// The text without blanks at its ends.
  fileprivate var trimmingBlanks: String {
    var text = self[...]
    while text.first?.isWhitespace == true { text = text.dropFirst() }
    while text.last?.isWhitespace == true { text = text.dropLast() }
    return String(text)
  }

  /// The parts between occurrences of a text.
  fileprivate func components(_ separator: String) -> [Substring] {
    var parts: [Substring] = []
    var rest = Substring(self)
    while let mark = rest.firstRange(of: separator) {
      parts.append(rest[..<mark.lowerBound])
      rest = rest[mark.upperBound...]
    }
    return parts + [rest]
  }
}
