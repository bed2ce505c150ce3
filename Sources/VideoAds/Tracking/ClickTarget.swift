/// Where a click leads: which URLs are opened at all (VA-851).
struct ClickTarget: Sendable, Hashable {
  /// Never opened, whatever an app allows.
  static let forbidden: Set<String> = ["javascript", "data", "file", "blob", "about", "vbscript"]
  private static let standard: Set<String> = ["https", "http", "itms-apps", "itms-appss", "market"]

  /// Further schemes that the app allows.
  let schemes: Set<String>

  init(_ settings: AdsSettings) {
    schemes = Self.standard.union(settings.clickSchemes.map { $0.lowercased() }).subtracting(Self.forbidden)
  }

  /// Whether a URL of a document may be opened.
  func allows(_ written: String) -> Bool {
    let reference = URLReference(AdURL.cleaned(written))
    guard let scheme = reference.scheme else { return reference.authority != nil }
    guard schemes.contains(scheme) else { return false }
    return scheme != "http" && scheme != "https" || reference.host?.isEmpty == false
  }

  /// The URL to open, made legal, with its macros expanded; nil when it is never opened.
  func url(_ written: String, expand: (String) -> String) -> String? {
    guard allows(written) else { return nil }
    let clean = AdURL.cleaned(written)
    let absolute = URLReference(clean).scheme == nil ? "https:" + clean : clean
    let legal = AdURL.legal(expand(absolute))
    return legal.utf8.count <= AdURL.longest ? legal : nil
  }
}
