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
      fault.id = members.id?.string.flatMap { HitID($0) }
      fault.property = members.property?.string.map { CleanText($0, limit: 64).text }
      throw fault
    }
  }

  private init(_ members: LineMembers) throws(HitLineFault) {
    guard let id = HitID(try members.id.text("id", bytes: 1...36)) else { throw .bad("id") }
    self.id = id
    property = try members.property.text("property", bytes: 1...64)
    kind = try members.readKind()
    sequence = try members.sequence.whole("seq", atLeast: 1)
    tracker = try members.tracker.optionalText("tracker", bytes: 0...64)
    client = try members.client.optionalText("client", bytes: 0...64)
    user = try members.user.optionalText("user", bytes: 0...256)
    guard client?.isEmpty == false || user?.isEmpty == false else { throw .missing("client") }
    time = try members.time.whole("time")
    guard let age = try members.age.whole("age", atLeast: 0) else { throw .missing("age") }
    self.age = age
    fields = try members.fields.texts("fields")
    parameters = try members.parameters.object("params")
    consent = try members.consent.texts("consent")
    guard consent.values.allSatisfy(["granted", "denied", "pending"].contains) else { throw .bad("consent") }
    library = try members.library.optionalText("lib", bytes: 0...64)
  }
}

extension HitLineFault {
  fileprivate static func missing(_ field: String) -> HitLineFault {
    HitLineFault(code: "MISSING_FIELD", field: field)
  }

  fileprivate static func bad(_ field: String) -> HitLineFault { HitLineFault(code: "BAD_VALUE", field: field) }
}

/// The members of a line, found in one walk over them; one that is null is not there, and of a name that comes twice the
/// last counts.
private struct LineMembers {
  private(set) var id: JSONElement?
  private(set) var sequence: JSONElement?
  private(set) var property: JSONElement?
  private(set) var tracker: JSONElement?
  private(set) var client: JSONElement?
  private(set) var user: JSONElement?
  private(set) var time: JSONElement?
  private(set) var age: JSONElement?
  private(set) var fields: JSONElement?
  private(set) var parameters: JSONElement?
  private(set) var consent: JSONElement?
  private(set) var library: JSONElement?
  private var kind: JSONElement?
  private var name: JSONElement?
  let isObject: Bool

  init(_ root: JSONElement) {
    isObject = root.kind == .object
    for member in root.members {
      let value = member.value.kind == .null ? nil : member.value
      switch member.key {
      case "id": id = value
      case "seq": sequence = value
      case "kind": kind = value
      case "property": property = value
      case "tracker": tracker = value
      case "client": client = value
      case "user": user = value
      case "time": time = value
      case "age": age = value
      case "fields": fields = value
      case "name": name = value
      case "params": parameters = value
      case "consent": consent = value
      case "lib": library = value
      default: break
      }
    }
  }

  func readKind() throws(HitLineFault) -> HitKind {
    let word = try kind.text("kind", bytes: 1...64)
    if word == "custom" {
      let name = try name.text("name", bytes: 1...160)
      guard name.unicodeScalars.count <= 40 else { throw .bad("name") }
      return .custom(name)
    }
    guard let kind = HitKind(wireName: word) else { throw HitLineFault(code: "UNKNOWN_KIND", field: "kind") }
    return kind
  }
}

/// A member with its type; the name is for the fault.
extension JSONElement? {
  fileprivate func optionalText(_ name: String, bytes: ClosedRange<Int>) throws(HitLineFault) -> String? {
    guard let self else { return nil }
    guard let text = self.string, bytes.contains(text.utf8.count) else { throw .bad(name) }
    return text
  }

  fileprivate func text(_ name: String, bytes: ClosedRange<Int>) throws(HitLineFault) -> String {
    guard self?.string != "", let text = try optionalText(name, bytes: bytes) else { throw .missing(name) }
    return text
  }

  fileprivate func whole(_ name: String, atLeast minimum: Int64 = .min) throws(HitLineFault) -> Int64? {
    guard let self else { return nil }
    guard let number = self.int, number >= minimum else { throw .bad(name) }
    return number
  }

  fileprivate func texts(_ name: String) throws(HitLineFault) -> [String: String] {
    guard let self else { return [:] }
    guard self.kind == .object else { throw .bad(name) }
    var texts = [String: String](minimumCapacity: self.members.count)
    for entry in self.members {
      guard let text = entry.value.string else { throw .bad("\(name).\(CleanText(entry.key, limit: 64).text)") }
      texts[entry.key] = text
    }
    return texts
  }

  fileprivate func object(_ name: String) throws(HitLineFault) -> [String: Value] {
    guard let self else { return [:] }
    guard let object = self.value.map else { throw .bad(name) }
    return object
  }
}
