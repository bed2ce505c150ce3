#if !canImport(Darwin)
  import CCurl
  import Hits

  /// Whom a transport trusts beyond what libcurl does by itself.
  struct CurlTrust: Sendable {
    var pins: PublicKeyPins
    /// A file of certificates to trust in place of the system's.
    var authorities: String?

    /// Holds the next transfer of a handle to the keys that are pinned for its host.
    ///
    /// - Returns: why it must not be made.
    func hold(_ easy: UnsafeMutableRawPointer, to url: String) -> (code: TransportError.Code, message: String)? {
      guard !pins.isEmpty else { return nil }
      guard let origin = Origin(url: url) else { return (.invalidRequest, "the URL cannot be read") }
      let keys = pins.keys(of: origin.host)
      guard keys == nil || origin.scheme == "https" else {
        return (.keyNotPinned, "\(origin.host) is pinned, and plain HTTP shows no key")
      }
      let text = keys.map { $0.map { "sha256//\($0)" }.joined(separator: ";") }
      guard ccurl_set_str(easy, CURLOPT_PINNEDPUBLICKEY, text) == CURLE_OK else {
        return (.keyNotPinned, "this libcurl cannot check public keys")
      }
      return nil
    }
  }
#endif
