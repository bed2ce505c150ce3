/// Which signatures containers need (TM-441).
///
/// Keys are Ed25519 public keys of 32 bytes, by their names.
public enum SignaturePolicy: Sendable, Hashable {
  /// None is looked at.
  case off
  /// A signature that is there must be right.
  case preferred([String: [UInt8]])
  /// There must be a right one, by a known key.
  case required([String: [UInt8]])
}

/// The optional port that checks Ed25519 signatures (TM-443).
public protocol SignatureVerifier: Sendable {
  /// Whether the signature of 64 bytes was made over the message with the private half of a public key of 32 bytes.
  func isValid(signature: [UInt8], of message: [UInt8], publicKey: [UInt8]) -> Bool
}
