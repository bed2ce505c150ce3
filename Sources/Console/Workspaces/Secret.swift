import Digests
import Foundation
package import Hits

/// A text that lets its bearer in: 256 random bits, shown once and never stored (CO-904).
///
///     secret = kind 43*(letter | digit | "-" | "_")        the bits in base64url without padding
package struct Secret: Sendable, CustomStringConvertible, CustomReflectable {
  /// What it is for, as it can be seen in a file where it does not belong.
  package enum Kind: String, Sendable, CaseIterable {
    case setup = "tws_"
    case access = "twa_"
    case environment = "twe_"
    case preview = "twp_"
    case session = "twb_"
  }

  /// The text to hand out.
  package let text: String

  /// Makes a new one.
  package init(_ kind: Kind, from random: any RandomSource) {
    var bytes: [UInt8] = []
    for _ in 0..<4 { withUnsafeBytes(of: random.next().bigEndian) { bytes += $0 } }
    let base64 = Data(bytes).base64EncodedString()
    text = kind.rawValue + base64.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  /// What is stored of it.
  package var digest: SecretDigest { SecretDigest(of: text) }

  /// No text that could get into a log.
  package var description: String { "***" }

  /// Nothing that could get into a log.
  package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

/// The SHA-256 digest by which a secret is known again.
///
/// A secret of 256 random bits needs no salt and no slow function: there is nothing to guess.
package struct SecretDigest: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  package let bytes: [UInt8]

  /// The digest of a secret's text, or of any other text.
  package init(of text: String) { bytes = Digest.sha256(text.utf8) }

  /// Takes stored bytes.
  init(bytes: [UInt8]) { self.bytes = bytes }

  package var description: String { "***" }

  package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

extension RandomSource {
  /// A new id that can be shown: 16 hexadecimal digits.
  func identifier() -> String { next().padded(to: 16, radix: 16) }
}
