package import Hits

/// What a stored hit says, read back from its bytes: what a protocol that does not send them as they are begins with.
package struct HitContent: Sendable, Hashable {
  package var kind: HitKind
  package var property: String
  package var clientID: String?
  package var userID: String?
  /// All other fields by wire name.
  package var fields: [String: String]
  /// The free parameters of a custom hit.
  package var parameters: [String: Value]
  /// When the session began, in wall seconds (HQ-213); nil where no session is told.
  package var session: Int64?

  /// The field in which a stored hit keeps its session, for protocols whose traits say that they tell it.
  package static let sessionField = "_sid"

  /// Reads a stored hit; nil for a beacon and for bytes that are no hit.
  package init?(_ hit: QueuedHit) {
    if hit.isForm { self.init(form: FormFields(hit.content)) } else { self.init(document: Array(hit.content)) }
  }

  package init?(form: FormFields) {
    var fields = form.dictionary
    guard let kind = fields["t"].flatMap(HitKind.init(wireName:)), let property = fields["tid"] else { return nil }
    self.kind = kind
    self.property = property
    clientID = fields["cid"]
    userID = fields["uid"]
    for name in HitBody.leading { fields[name] = nil }
    session = fields.removeValue(forKey: Self.sessionField).flatMap { Int64($0) }
    self.fields = fields
    parameters = [:]
  }

  private init?(document bytes: [UInt8]) {
    guard let document = try? Value(json: bytes).map, let name = document["name"]?.string,
      let property = document["tid"]?.string
    else { return nil }
    kind = .custom(name)
    self.property = property
    clientID = document["cid"]?.string
    userID = document["uid"]?.string
    fields = (document["fields"]?.map ?? [:]).compactMapValues(\.string)
    session = fields.removeValue(forKey: Self.sessionField).flatMap { Int64($0) }
    parameters = document["params"]?.map ?? [:]
  }
}
