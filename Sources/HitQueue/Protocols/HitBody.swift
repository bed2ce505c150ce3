import Hits

/// The stored form of a hit: what every request of its life begins with (HQ-305, HQ-612).
///
///     form     = 0x01 "v=1&tid=" property "&cid=" client [ "&uid=" user ] "&t=" kind *( "&" name "=" value )
///     document = 0x02 compact JSON: "cid" "fields" "name" "params" "tid" ["uid"]
///
/// The names of a form are in byte order; a document is a hit of kind custom.
enum HitBody {
  /// Encodes clean fields, in the order of their names, and parameters; `v`, `tid`, `cid`, `uid` and `t` are written from
  /// the arguments.
  static func body(
    of kind: HitKind, property: String, clientID: String, userID: String?, fields: [CleanField],
    parameters: [String: Value] = [:]
  ) -> [UInt8] {
    if case .custom(let name) = kind {
      return document(
        name: CleanText(name).text, property: property, clientID: clientID, userID: userID, fields: fields,
        parameters: parameters)
    }
    return form(
      kind: kind.wireName ?? "", property: property, clientID: clientID, userID: userID, fields: fields)
  }

  static func form(
    kind: String, property: String, clientID: String, userID: String?, fields: [CleanField]
  ) -> [UInt8] {
    var longest = 32 + 3 * (kind.utf8.count + property.utf8.count + clientID.utf8.count + (userID?.utf8.count ?? 0))
    for field in fields { longest += ByteWriter.longest(field) }
    return [UInt8](upTo: longest) { writer in
      writer.put(QueuedHit.formMark)
      writer.put("v", "1")
      writer.put("tid", property)
      writer.put("cid", clientID)
      if let userID { writer.put("uid", userID) }
      writer.put("t", kind)
      // The names are ASCII, for which the order of texts is the order of bytes.
      for field in fields where !isLeading(field) {
        if let value = field.value { writer.put(field.name, value) }
      }
    }
  }

  private static func document(
    name: String, property: String, clientID: String, userID: String?, fields: [CleanField],
    parameters: [String: Value]
  ) -> [UInt8] {
    var others: [String: Value] = [:]
    for field in fields where !isLeading(field) { others[field.name] = field.value.map { .string($0) } }
    let document: Value = [
      "name": .string(name), "tid": .string(property), "cid": .string(clientID),
      "uid": userID.map { .string($0) } ?? .absent, "fields": .map(others), "params": .map(parameters),
    ]
    return [QueuedHit.documentMark] + document.jsonBytes
  }

  /// The names that stand before all others.
  static let leading: Set<String> = ["v", "tid", "cid", "uid", "t"]

  // The same names, told without hashing.
  private static func isLeading(_ field: CleanField) -> Bool {
    guard field.name.utf8.count == 3 || field.name.utf8.count == 1 else { return false }
    let key = field.key
    return key == FieldKey("v") || key == FieldKey("t") || key == FieldKey("tid") || key == FieldKey("cid")
      || key == FieldKey("uid")
  }
}

extension ByteWriter {
  /// The most bytes that a field takes.
  fileprivate static func longest(_ field: CleanField) -> Int {
    2 + 3 * (field.name.utf8.count + (field.value?.utf8.count ?? 0))
  }

  /// Puts a field, after `&` unless only the mark is before it.
  fileprivate mutating func put(_ name: String, _ value: String) {
    if count > 1 { put(UInt8(ascii: "&")) }
    // A name has no byte that would be escaped.
    put(text: name)
    put(UInt8(ascii: "="))
    put(escaped: value)
  }
}
