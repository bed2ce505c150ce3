package import Hits

/// What is wrong with a line: a code of HQ-666 and the member it is about.
package struct HitLineFault: Error, Sendable, Hashable {
  package var code: String
  package var field: String?
  /// The id and the property, when the line has them.
  package var id: HitID?
  package var property: String?
}

extension HitLine {
  private static let limits = JSONLimits(bytes: Limits.hit, depth: Limits.depth, nodes: 10_000, textBytes: Limits.hit)

  /// Reads a line; unknown members are ignored.
  package init(_ line: [UInt8]) throws(HitLineFault) {
    guard line.count <= Limits.hit else { throw HitLineFault(code: "HIT_TOO_LARGE") }
    let members: LineMembers
    do throws(JSONError) { members = LineMembers(try JSONDocument(line, limits: Self.limits).root) } catch {
      throw HitLineFault(code: "BAD_JSON")
    }
    guard members.isObject else { throw HitLineFault(code: "BAD_JSON") }
    do throws(HitLineFault) {
      try self.init(members)
    } catch {
      var fault = error
      fault.id = members["id"]?.string.flatMap { HitID($0) }
      fault.property = members["property"]?.string.map { CleanText($0, limit: 64).text }
      throw fault
    }
  }

  private init(_ members: LineMembers) throws(HitLineFault) {
    guard let id = HitID(try members.text("id", bytes: 1...36)) else { throw .bad("id") }
    self.id = id
    property = try members.text("property", bytes: 1...64)
    kind = try members.kind()
    sequence = try members.whole("seq", atLeast: 1)
    tracker = try members.optionalText("tracker", bytes: 0...64)
    client = try members.optionalText("client", bytes: 0...64)
    user = try members.optionalText("user", bytes: 0...256)
    guard client?.isEmpty == false || user?.isEmpty == false else { throw .missing("client") }
    time = try members.whole("time")
    guard let age = try members.whole("age", atLeast: 0) else { throw .missing("age") }
    self.age = age
    fields = try members.texts("fields")
    parameters = try members.object("params")
    consent = try members.texts("consent")
    guard consent.values.allSatisfy(["granted", "denied", "pending"].contains) else { throw .bad("consent") }
    library = try members.optionalText("lib", bytes: 0...64)
  }
}

extension HitLineFault {
  fileprivate static func missing(_ field: String) -> HitLineFault {
    HitLineFault(code: "MISSING_FIELD", field: field)
  }

  fileprivate static func bad(_ field: String) -> HitLineFault { HitLineFault(code: "BAD_VALUE", field: field) }
}

/// The members of a line with their types.
private struct LineMembers {
  private let root: JSONElement

  init(_ root: JSONElement) { self.root = root }

  var isObject: Bool { root.kind == .object }

  subscript(name: String) -> JSONElement? {
    guard let member = root[name], member.kind != .null else { return nil }
    return member
  }

  func optionalText(_ name: String, bytes: ClosedRange<Int>) throws(HitLineFault) -> String? {
    guard let member = self[name] else { return nil }
    guard let text = member.string, bytes.contains(text.utf8.count) else { throw .bad(name) }
    return text
  }

  func text(_ name: String, bytes: ClosedRange<Int>) throws(HitLineFault) -> String {
    guard self[name]?.string != "", let text = try optionalText(name, bytes: bytes) else { throw .missing(name) }
    return text
  }

  func whole(_ name: String, atLeast minimum: Int64 = .min) throws(HitLineFault) -> Int64? {
    guard let member = self[name] else { return nil }
    guard let number = member.int, number >= minimum else { throw .bad(name) }
    return number
  }

  func texts(_ name: String) throws(HitLineFault) -> [String: String] {
    guard let member = self[name] else { return [:] }
    guard member.kind == .object else { throw .bad(name) }
    var texts: [String: String] = [:]
    for entry in member.members {
      guard let text = entry.value.string else { throw .bad("\(name).\(CleanText(entry.key, limit: 64).text)") }
      texts[entry.key] = text
    }
    return texts
  }

  func object(_ name: String) throws(HitLineFault) -> [String: Value] {
    guard let member = self[name] else { return [:] }
    guard let object = member.value.map else { throw .bad(name) }
    return object
  }

  func kind() throws(HitLineFault) -> HitKind {
    let word = try text("kind", bytes: 1...64)
    if word == "custom" {
      let name = try text("name", bytes: 1...160)
      guard name.unicodeScalars.count <= 40 else { throw .bad("name") }
      return .custom(name)
    }
    guard let kind = HitKind(wireName: word) else { throw HitLineFault(code: "UNKNOWN_KIND", field: "kind") }
    return kind
  }
}
