#if !canImport(Darwin)
  import CCurl

  extension Origin {
    /// Reads a URL as libcurl does: the same eyes as those that will connect.
    init?(url: String) {
      guard let parts = curl_url() else { return nil }
      defer { curl_url_cleanup(parts) }
      guard curl_url_set(parts, CURLUPART_URL, url, UInt32(CURLU_NON_SUPPORT_SCHEME)) == CURLUE_OK else { return nil }
      func part(_ name: CURLUPart) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(parts, name, &text, UInt32(CURLU_DEFAULT_PORT)) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
      }
      guard let scheme = part(CURLUPART_SCHEME) else { return nil }
      self.init(
        scheme: scheme, host: part(CURLUPART_HOST) ?? "", port: part(CURLUPART_PORT).flatMap { Int($0) } ?? 0)
    }
  }
#endif
