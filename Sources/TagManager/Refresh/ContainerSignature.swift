import Foundation

/// One signature of a container's body (TM-440).
///
///     header     = signature *( "," signature )
///     signature  = "v1;" key id ";" base64 of 64 bytes
///     key id     = 1 to 32 letters, digits, "_" or "-"
///     message    = "tagworks-container-v1" LF id LF environment LF sequence LF body
package struct ContainerSignature: Sendable, Hashable {
  package var keyID: String
  package var bytes: [UInt8]

  /// The signature in base64, as the saved file keeps it.
  var base64: String { Data(bytes).base64EncodedString() }

  package init?(keyID: String, bytes: [UInt8]) {
    guard Self.isKeyID(keyID), bytes.count == 64 else { return nil }
    self.keyID = keyID
    self.bytes = bytes
  }

  init?(keyID: String, base64: String) {
    guard let data = Data(base64Encoded: base64) else { return nil }
    self.init(keyID: keyID, bytes: Array(data))
  }

  /// One signature as it stands in the header.
  package var headerText: String { "v1;\(keyID);\(base64)" }

  private static func isKeyID(_ text: String) -> Bool {
    (1...32).contains(text.utf8.count) && ContainerID("x" + text).isValid
  }

  /// Reads a header; nil when any of it is not of the grammar.
  static func all(inHeader text: String) -> [ContainerSignature]? {
    var all: [ContainerSignature] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let fields = part.trimmingCharacters(in: .whitespaces).split(separator: ";", omittingEmptySubsequences: false)
      guard fields.count == 3, fields[0] == "v1",
        let signature = ContainerSignature(keyID: String(fields[1]), base64: String(fields[2]))
      else { return nil }
      all.append(signature)
    }
    return all
  }

  /// What is signed.
  package static func message(id: ContainerID, environment: String, sequence: Int64?, body: [UInt8]) -> [UInt8] {
    Array("tagworks-container-v1\n\(id)\n\(environment)\n\(sequence ?? 0)\n".utf8) + body
  }
}

/// Decides whether a body's signatures are enough (TM-441).
struct SignatureCheck: Sendable {
  let policy: SignaturePolicy
  let verifier: (any SignatureVerifier)?

  enum Verdict: Sendable, Equatable {
    /// The signature that is right; nil where none is looked at.
    case accepted(ContainerSignature?)
    /// Accepted, but nothing vouches for it.
    case missing
    case refused(String)
  }

  /// Judges the signatures of a header, or those kept in a saved file; nil when there are none.
  func judge(
    _ signatures: [ContainerSignature]?, isReadable: Bool = true, message: @autoclosure () -> [UInt8]
  ) -> Verdict {
    let keys: [String: [UInt8]]
    let isRequired: Bool
    switch policy {
    case .off: return .accepted(nil)
    case .preferred(let known): (keys, isRequired) = (known, false)
    case .required(let known): (keys, isRequired) = (known, true)
    }
    guard isReadable else { return .refused("The signature cannot be read.") }
    guard let signatures else { return isRequired ? .refused("There is no signature.") : .missing }
    let known = signatures.filter { keys[$0.keyID] != nil }
    guard !known.isEmpty else { return isRequired ? .refused("No known key has signed.") : .missing }
    guard let verifier else { return .refused("There is nothing to check signatures with.") }
    let message = message()
    for signature in known {
      guard let key = keys[signature.keyID] else { continue }
      if verifier.isValid(signature: signature.bytes, of: message, publicKey: key) { return .accepted(signature) }
    }
    return .refused("The signature does not fit the content.")
  }
}
