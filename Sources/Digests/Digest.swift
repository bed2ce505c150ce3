#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// A digest function, by the name that standards give it.
package enum Digest: String, Sendable, CaseIterable {
  case md5 = "MD5"
  case sha1 = "SHA-1"
  case sha256 = "SHA-256"
  case sha384 = "SHA-384"
  case sha512 = "SHA-512"

  /// The SHA-256 digest: 32 bytes.
  package static func sha256(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    guard let digest = Digest.sha256.digest(of: bytes) else {
      preconditionFailure("every system has SHA-256; only memory can have run out")
    }
    return digest
  }
}

extension Digest {
  /// The digest of bytes; nil where the system's policy forbids the function, such as MD5 on a FIPS host.
  package func digest(of bytes: some Sequence<UInt8>) -> [UInt8]? {
    if let digest = bytes.withContiguousStorageIfAvailable(digest(ofBuffer:)) { return digest }
    return Array(bytes).withUnsafeBufferPointer(digest(ofBuffer:))
  }

  #if canImport(CryptoKit)
    private func digest(ofBuffer bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
      let bytes = UnsafeRawBufferPointer(bytes)
      return switch self {
      case .md5: Array(Insecure.MD5.hash(data: bytes))
      case .sha1: Array(Insecure.SHA1.hash(data: bytes))
      case .sha256: Array(SHA256.hash(data: bytes))
      case .sha384: Array(SHA384.hash(data: bytes))
      case .sha512: Array(SHA512.hash(data: bytes))
      }
    }
  #else
    private func digest(ofBuffer bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
      var hasDigest = false
      let digest = [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { output, count in
        var written: UInt32 = 0
        hasDigest = EVP_Digest(bytes.baseAddress, bytes.count, output.baseAddress, &written, function, nil) == 1
        count = hasDigest ? Int(written) : 0
      }
      return hasDigest ? digest : nil
    }

    private var function: OpaquePointer? {
      switch self {
      case .md5: EVP_md5()
      case .sha1: EVP_sha1()
      case .sha256: EVP_sha256()
      case .sha384: EVP_sha384()
      case .sha512: EVP_sha512()
      }
    }
  #endif
}
