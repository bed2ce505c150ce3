#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// Ed25519 signatures (RFC 8032, pure Ed25519; TM-440).
package enum Ed25519 {
  /// The public key of 32 bytes that belongs to a private one of 32 bytes; nil for another size.
  package static func publicKey(ofPrivate privateKey: [UInt8]) -> [UInt8]? {
    guard privateKey.count == 32 else { return nil }
    #if canImport(CryptoKit)
      // The platform takes any 32 bytes.
      guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: privateKey) else { return nil }
      return Array(key.publicKey.rawRepresentation)
    #else
      guard let key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, privateKey, privateKey.count) else {
        return nil
      }
      defer { EVP_PKEY_free(key) }
      var bytes = [UInt8](repeating: 0, count: 32)
      var count = bytes.count
      guard EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1, count == 32 else { return nil }
      return bytes
    #endif
  }

  /// The signature of 64 bytes over a message; nil for a private key that has not 32 bytes.
  package static func signature(of message: [UInt8], privateKey: [UInt8]) -> [UInt8]? {
    guard privateKey.count == 32 else { return nil }
    #if canImport(CryptoKit)
      guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: privateKey),
        let signature = try? key.signature(for: message)
      else { return nil }
      return Array(signature)
    #else
      guard let key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, privateKey, privateKey.count) else {
        return nil
      }
      defer { EVP_PKEY_free(key) }
      guard let context = EVP_MD_CTX_new() else { return nil }
      defer { EVP_MD_CTX_free(context) }
      var bytes = [UInt8](repeating: 0, count: 64)
      var count = bytes.count
      guard EVP_DigestSignInit(context, nil, nil, nil, key) == 1,
        EVP_DigestSign(context, &bytes, &count, message, message.count) == 1, count == 64
      else { return nil }
      return bytes
    #endif
  }

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
