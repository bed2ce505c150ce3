import Digests
import Hits

/// A short digest that is the same for the same bytes: what a compiled container carries as its fingerprint (CO-300).
package enum ContentFingerprint {
  /// The first 16 bytes of SHA-256, as 32 hexadecimal digits.
  package static func text(of bytes: [UInt8]) -> String {
    HexDigits.text(of: Digest.sha256(bytes).prefix(16))
  }
}
