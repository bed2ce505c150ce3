import Hits

/// The stored form of a hit: what every request of its life begins with (HQ-305, HQ-612).
///
///     form     = 0x01 "v=1&tid=" property "&cid=" client [ "&uid=" user ] "&t=" kind *( "&" name "=" value )
///     document = 0x02 compact JSON: "cid" "fields" "name" "params" "tid" ["uid"]
///
/// The names of a form are in byte order; a document is a hit of kind custom.
enum HitBody {
  /// Encodes clean fields and parameters; `v`, `tid`, `cid` and `t` are written from the arguments.
  static func body(
    of kind: HitKind, property: String, clientID: String, fields: [String: String], parameters: [String: Value] = [:]
  ) -> [UInt8] {
    if case .custom(let name) = kind {
      return document(
        name: CleanText(name).text, property: property, clientID: clientID, fields: fields, parameters: parameters)
    }
    return form(kind: kind.wireName ?? "", property: property, clientID: clientID, fields: fields)
  }

  static func form(
    kind: String, property: String, clientID: String, fields: [String: String]
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(512)
    bytes.append(QueuedHit.formMark)
    bytes += "v=1&tid=".utf8
    URIEscape.hit.append(property, to: &bytes)
    FormEncoding.append("cid", fields["cid"] ?? clientID, to: &bytes)
    if let user = fields["uid"] { FormEncoding.append("uid", user, to: &bytes) }
    FormEncoding.append("t", kind, to: &bytes)
    // The names are ASCII, for which the order of texts is the order of bytes.
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) where !leading.contains(name) {
      FormEncoding.append(name, value, to: &bytes)
    }
    return bytes
  }

  private static func document(
    name: String, property: String, clientID: String, fields: [String: String], parameters: [String: Value]
  ) -> [UInt8] {
    let others = fields.filter { !leading.contains($0.key) }
    let document: Value = [
      "name": .string(name), "tid": .string(property), "cid": .string(fields["cid"] ?? clientID),
      "uid": fields["uid"].map { .string($0) } ?? .absent, "fields": .map(others.mapValues { .string($0) }),
      "params": .map(parameters),
    ]
    return [QueuedHit.documentMark] + document.jsonBytes
  }

  /// The names that stand before all others.
  static let leading: Set<String> = ["v", "tid", "cid", "uid", "t"]
}
