#if canImport(CryptoKit)
  import CryptoKit

  /// A private key of Ed25519, made for one test.
  struct SigningKey: Sendable {
    private let key = Curve25519.Signing.PrivateKey()

    var publicKey: [UInt8] { Array(key.publicKey.rawRepresentation) }

    func signature(of message: [UInt8]) throws -> [UInt8] { Array(try key.signature(for: message)) }
  }
#else
  import CCrypto

  /// A private key of Ed25519, made for one test.
  struct SigningKey: @unchecked Sendable {
    // OpenSSL's keys may be used by several threads; nothing changes this one.
    private let key: OpaquePointer?

    init() {
      let context = EVP_PKEY_CTX_new_id(EVP_PKEY_ED25519, nil)
      defer { EVP_PKEY_CTX_free(context) }
      var key: OpaquePointer?
      EVP_PKEY_keygen_init(context)
      EVP_PKEY_keygen(context, &key)
      self.key = key
    }

    var publicKey: [UInt8] {
      var bytes = [UInt8](repeating: 0, count: 32)
      var count = bytes.count
      EVP_PKEY_get_raw_public_key(key, &bytes, &count)
      return bytes
    }

    func signature(of message: [UInt8]) throws -> [UInt8] {
      let context = EVP_MD_CTX_new()
      defer { EVP_MD_CTX_free(context) }
      var bytes = [UInt8](repeating: 0, count: 64)
      var count = bytes.count
      EVP_DigestSignInit(context, nil, nil, nil, key)
      EVP_DigestSign(context, &bytes, &count, message, message.count)
      return bytes
    }
  }
#endif
