import Hits

/// One hit as Matomo's tracking request, from the `?` on (HQ-640).
struct MatomoQuery {
  let hit: QueuedHit
  let content: HitContent
  /// The item hits that are told with this transaction.
  let items: [HitContent]
  let now: HitTime
  /// The agent of the request, where the hit has none of its own.
  let userAgent: String

  private var fields: [String: String] { content.fields }

  /// The request, encoded as HQ-611.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for (name, value) in parameters { if let value { FormEncoding.append(name, value, to: &bytes) } }
    return [UInt8(ascii: "?")] + bytes
  }

  /// What every request says, then what its kind does.
  var parameters: [(String, String?)] {
    let resolution = fields["sr"]
    return [
      ("idsite", content.property), ("rec", "1"), ("apiv", "1"), ("send_image", "0"), ("rand", hit.id.description),
      ("_id", content.clientID.map(Self.visitor)), ("cdt", hit.occurred(at: now).map { String($0 / 1000) }),
      ("uid", content.userID), ("res", resolution), ("lang", fields["ul"]),
      ("ua", fields["ua"] ?? (userAgent.isEmpty ? nil : userAgent)), ("url", content.address), ("urlref", fields["dr"]),
    ] + dimensions + [("new_visit", fields["sc"] == "start" ? "1" : nil)] + kind
  }

  /// The first 16 hexadecimal digits of a client id; of an id that has fewer, those of its FNV-1a hash.
  static func visitor(_ client: String) -> String {
    let digits = client.lowercased().utf8.filter { $0 != UInt8(ascii: "-") }
    if digits.count >= 16, digits.prefix(16).allSatisfy({ HexDigits.value(of: $0) != nil }) {
      return String(decoding: digits.prefix(16), as: UTF8.self)
    }
    return FNV1a.hash(client.utf8).padded(to: 16, radix: 16)
  }

  private var dimensions: [(String, String?)] {
    fields.compactMap { name, value in ProductFields.index(of: name, after: "cd").map { ($0, value) } }
      .sorted { $0.0 < $1.0 }.map { ("dimension\($0.0)", $0.1) }
  }

  private var kind: [(String, String?)] {
    if content.kind == .transaction || fields["pa"] == "purchase" { return order }
    switch content.kind {
    case .screenView: return [("action_name", fields["cd"])]
    case .pageView: return [("action_name", fields["dt"] ?? fields["cd"])]
    case .event: return event(fields["ec"], fields["ea"], fields["el"], fields["ev"])
    case .timing: return event(fields["utc"], fields["utv"], fields["utl"], fields["utt"])
    case .social:
      let action = [fields["sn"], fields["sa"]].compactMap { $0 }.joined(separator: " ")
      return event("social", action, fields["st"], nil)
    case .exception:
      return [
        ("cra", fields["exd"] ?? "exception"), ("cra_tp", fields["exf"] == "1" ? "fatal" : "handled"), ("ca", "1"),
      ]
    case .item: return event("item", fields["in"], fields["ic"], fields["ip"])
    case .transaction, .custom, .beacon: return []
    }
  }

  private func event(_ category: String?, _ action: String?, _ name: String?, _ value: String?) -> [(String, String?)] {
    [("e_c", category), ("e_a", action), ("e_n", name), ("e_v", value), ("ca", "1")]
  }

  private var order: [(String, String?)] {
    [
      ("idgoal", "0"), ("ec_id", fields["ti"]), ("revenue", fields["tr"] ?? "0"), ("ec_tx", fields["tt"]),
      ("ec_sh", fields["ts"]), ("ec_items", itemList),
    ]
  }

  /// The order's items as a JSON list of sku, name, category, price and quantity; nil when there is none.
  private var itemList: String? {
    let listed =
      items.map { Self.item($0.fields, ["ic", "in", "iv", "ip", "iq"]) }
      + ProductFields(fields).products.map { Self.item($0, ["id", "nm", "ca", "pr", "qt"]) }
    return listed.isEmpty ? nil : Value.list(listed).jsonText
  }

  private static func item(_ fields: [String: String], _ names: [String]) -> Value {
    .list(
      names.enumerated().map { index, name in
        let text = fields[name]
        if index < 3 { return .string(text ?? "") }
        return text.map(Value.init(wireNumber:)) ?? (index == 3 ? 0 : 1)
      })
  }
}
