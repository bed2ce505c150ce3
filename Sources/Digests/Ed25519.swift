#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// Verification of Ed25519 signatures (RFC 8032, pure Ed25519; TM-440).
package enum Ed25519 {
  /// Whether the signature of 64 bytes was made over the message with the private half of a public key of 32 bytes.
  ///
  /// Keys and signatures of other sizes, and keys that are no point of the curve, verify nothing.
  package static func isValid(signature: [UInt8], of message: [UInt8], publicKey: [UInt8]) -> Bool {
    guard signature.count == 64, publicKey.count == 32 else { return false }
    #if canImport(CryptoKit)
      guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: publicKey) else { return false }
      return key.isValidSignature(signature, for: message)
    #else
      guard let key = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, publicKey, publicKey.count) else {
        return false
      }
      defer { EVP_PKEY_free(key) }
      guard let context = EVP_MD_CTX_new() else { return false }
      defer { EVP_MD_CTX_free(context) }
      guard EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1 else { return false }
      return EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    #endif
  }
}
