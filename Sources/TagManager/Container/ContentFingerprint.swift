import Digests

/// A short digest that is the same for the same bytes: what a compiled container carries as its fingerprint (CO-300).
package enum ContentFingerprint {
  /// The first 16 bytes of SHA-256, as 32 hexadecimal digits.
  package static func text(of bytes: [UInt8]) -> String {
    Digest.sha256(bytes).prefix(16).map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }
}
