import Hits

/// The stored form of a hit that has fields: what every request of its life begins with (HQ-305, HQ-612).
///
///     0x01 "v=1&tid=" property "&cid=" client [ "&uid=" user ] "&t=" kind *( "&" name "=" value )   names in byte order
enum HitBody {
  /// Encodes clean fields; `v`, `tid`, `cid` and `t` are written from the arguments.
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

  private static let leading: Set<String> = ["v", "tid", "cid", "uid", "t"]
}
