import Hits

/// A hit that is ready but for the client it belongs to, who has no id as long as hits wait for consent (HQ-222).
struct UnsentHit: Sendable {
  /// The row, without its body.
  var row: HitRow
  var content: Content
  /// The percentage of clients whose hits are sent; nil for all.
  var sampleRate: Double?
  /// The language that it will be told in.
  var language: any HitProtocol
  /// Whether the language was asked about it.
  var isChecked = false

  /// What the body is made of.
  enum Content: Sendable {
    /// Clean fields in the order of their names, and parameters, to be told of a client.
    case told(property: String, fields: [CleanField], parameters: [String: Value])
    /// A body that needs no client.
    case document([UInt8])
  }

  /// The client that the hit itself names; nil when it takes the queue's.
  var ownClient: String? {
    if case .told(_, let fields, _) = content { fields.value(named: "cid") } else { "" }
  }

  /// The stored form with a client.
  func body(client: String) -> [UInt8] {
    switch content {
    case .told(let property, let fields, let parameters):
      HitBody.body(
        of: row.kind, property: property, clientID: client, userID: fields.value(named: "uid"), fields: fields,
        parameters: parameters)
    case .document(let body): body
    }
  }
}
