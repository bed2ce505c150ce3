import Digests
import TagManager

/// Checks container signatures with the platform's own library (TM-443).
struct Ed25519Verifier: SignatureVerifier {
  init() {}

  func isValid(signature: [UInt8], of message: [UInt8], publicKey: [UInt8]) -> Bool {
    Ed25519.isValid(signature: signature, of: message, publicKey: publicKey)
  }
}
