extension HitBuilder {
  /// Takes the campaign out of a URL or a bare query (HQ-124).
  ///
  /// `utm_campaign`, `utm_source` and the like become the campaign's fields, click ids keep their names. The first value
  /// that is not empty counts; `+` and `%XX` are decoded; a fragment is ignored. Where nothing is found, nothing changes.
  public func campaign(from url: String) -> HitBuilder {
    guard let query = Self.query(of: url) else { return self }
    let values = FormFields.firstValues(of: query)
    var found: [String: String] = [:]
    for (name, field) in Self.campaignFields { found[field] = values[name] }
    return replacing([], with: found)
  }

  /// The query of a URL, or the whole of what is none.
  private static func query(of text: String) -> Substring? {
    let text = text.prefix { $0 != "#" }
    let isURL = text.prefix { $0 != "=" }.contains { $0 == "?" || $0 == "/" }
    guard isURL else { return text }
    return text.firstIndex(of: "?").map { text[text.index(after: $0)...] }
  }

  private static let campaignFields = [
    "utm_campaign": "cn", "utm_source": "cs", "utm_medium": "cm", "utm_term": "ck", "utm_content": "cc",
    "utm_id": "ci", "gclid": "gclid", "dclid": "dclid", "aclid": "aclid", "anid": "anid", "gmob_t": "gmob_t",
  ]
}
