import Hits

extension HitContent {
  /// The address of what was looked at: the page's, or `app://<app id>/<screen name>` (HQ-631, HQ-640).
  var address: String {
    if let location = fields["dl"] { return location }
    if let host = fields["dh"], let path = fields["dp"] { return "https://\(host)\(path)" }
    return "app://\(fields["aid"] ?? property)/\(fields["cd"].map(URIEscape.hit.escape) ?? "")"
  }
}
