import Digests
import DurableStore
import Foundation
package import TagManager

/// A private key that vouches for containers (TM-440).
///
/// Its file is what `openssl genpkey -algorithm ed25519` writes, and only its owner may read it (CO-904):
///
///     file   = "-----BEGIN PRIVATE KEY-----" LF base64 LF "-----END PRIVATE KEY-----" LF
///     base64 = PKCS #8 of RFC 8410: 16 bytes that are always the same, and the key of 32 bytes
///
/// Apps know the key by its id, the first 16 hexadecimal digits of the public key's SHA-256.
package struct SigningKey: Sendable, CustomStringConvertible, CustomReflectable {
  /// By what apps know it.
  package let id: String
  /// The 32 bytes that apps check signatures with.
  package let publicKey: [UInt8]
  private let privateKey: [UInt8]

  private static let prefix: [UInt8] = [
    0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
  ]
  private static let begin = "-----BEGIN PRIVATE KEY-----"
  private static let end = "-----END PRIVATE KEY-----"

  /// Reads a key's file.
  ///
  /// - Throws: `signingKey` for a file that is none, or that others may read.
  package init(file: String) throws(ConsoleError) {
    var facts = stat()
    guard stat(file, &facts) == 0 else {
      throw Self.error(errno == ENOENT ? "\(file): there is no such file" : "\(file) cannot be read")
    }
    guard facts.st_mode & 0o077 == 0 else {
      throw Self.error("\(file) can be read by others; protect the signing key with 'chmod 600 \(file)'")
    }
    var bytes: [UInt8] = []
    do throws(StoreError) { bytes = try AtomicFile(path: file).read(limit: 4096) ?? [] } catch {
      // What is longer is none.
      guard error.code == .damaged else {
        throw ConsoleError(code: .signingKey, message: "\(file) cannot be read", cause: error)
      }
    }
    guard let key = Self(pem: String(decoding: bytes, as: UTF8.self)) else {
      throw Self.error("\(file) is no Ed25519 key; 'tagworks key make FILE' makes one")
    }
    self = key
  }

  /// Reads the text of a key's file; nil when it is none.
  package init?(pem: String) {
    let lines = pem.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
    guard lines.count >= 3, lines.first == Self.begin, lines.last == Self.end,
      let content = Data(base64Encoded: lines.dropFirst().dropLast().joined()), content.starts(with: Self.prefix)
    else { return nil }
    self.init(privateKey: Array(content.dropFirst(Self.prefix.count)))
  }

  private init?(privateKey: [UInt8]) {
    guard let publicKey = Ed25519.publicKey(ofPrivate: privateKey) else { return nil }
    self.privateKey = privateKey
    self.publicKey = publicKey
    id = Digest.sha256(publicKey).prefix(8).map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }

  /// Makes a new key in a new file for its owner alone.
  ///
  /// - Throws: `signingKey` when there is such a file, or it cannot be made.
  package static func make(file: String) throws(ConsoleError) -> SigningKey {
    // The system's generator, which is fit for keys.
    let privateKey = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
    let content = Data(prefix + privateKey).base64EncodedString()
    guard let key = SigningKey(privateKey: privateKey) else { throw error("the library makes no Ed25519 key") }
    let isNew: Bool
    do throws(StoreError) {
      isNew = try AtomicFile(path: file).create(with: Array("\(begin)\n\(content)\n\(end)\n".utf8))
    } catch {
      throw ConsoleError(code: .signingKey, message: "\(file) cannot be made", cause: error)
    }
    guard isNew else { throw error("\(file) is there already; a key is never overwritten") }
    return key
  }

  /// Signs what an app gets of a container.
  package func signature(
    id: ContainerID, environment: String, sequence: Int64?, body: [UInt8]
  ) throws(ConsoleError) -> ContainerSignature {
    let message = ContainerSignature.message(id: id, environment: environment, sequence: sequence, body: body)
    guard let bytes = Ed25519.signature(of: message, privateKey: privateKey),
      let signature = ContainerSignature(keyID: self.id, bytes: bytes)
    else { throw Self.error("the library does not sign") }
    return signature
  }

  /// The id alone.
  package var description: String { "signing key \(id)" }

  /// Nothing that could get into a log.
  package var customMirror: Mirror { Mirror(self, children: ["id": id]) }

  private static func error(_ message: String) -> ConsoleError { ConsoleError(code: .signingKey, message: message) }
}
