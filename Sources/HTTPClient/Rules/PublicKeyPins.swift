import Foundation
public import Hits

/// The public keys that the servers of some hosts must have, whatever certificates hold them (WT-821).
///
///     let pins = try PublicKeyPins(["tags.example.com": [key, spareKey]])
///     let transport = PlatformTransport(pins: pins)
///
/// A key is written as the SHA-256 digest of its `SubjectPublicKeyInfo` in base64, with or without `sha256/` before it:
///
///     openssl pkey -in key.pem -pubout -outform DER | openssl dgst -sha256 -binary | base64
///
/// Certificates are checked as they are without pins; a pin only takes away. A server of a pinned host with another key,
/// and plain HTTP to such a host, fail as `keyNotPinned`, in redirects too. The hosts below a pinned one are not pinned.
public struct PublicKeyPins: Sendable, Hashable {
  /// No host is pinned.
  public static let none = PublicKeyPins(keys: [:])

  private let keys: [String: [String]]

  private init(keys: [String: [String]]) { self.keys = keys }

  /// Makes pins from hosts and their keys; a second key of a host is for the day on which the first is lost.
  ///
  /// - Throws: `invalidRequest` for a host without a key, an empty host, and a key that is not the base64 of 32 bytes.
  public init(_ keys: [String: [String]]) throws(TransportError) {
    var read: [String: [String]] = [:]
    for (host, texts) in keys {
      let name = Self.name(host)
      guard !name.isEmpty, !texts.isEmpty else { throw Self.invalid("a pin needs a host and a key") }
      for text in texts {
        let digits = text.hasPrefix("sha256/") ? String(text.dropFirst(7)) : text
        guard let bytes = Data(base64Encoded: digits), bytes.count == 32 else {
          throw Self.invalid("a key pinned for \(name) is not the base64 of 32 bytes")
        }
        read[name, default: []].append(digits)
      }
    }
    self.keys = read
  }

  var isEmpty: Bool { keys.isEmpty }

  /// The keys of a host in base64, or nil where it is not pinned.
  func keys(of host: String) -> [String]? { keys[Self.name(host)] }

  /// One name for a host, however it is written: the dot at the end of a full name makes no other host.
  private static func name(_ host: String) -> String {
    let host = host.lowercased()
    return host.hasSuffix(".") ? String(host.dropLast()) : host
  }

  private static func invalid(_ message: String) -> TransportError {
    TransportError(phase: .notSent, code: .invalidRequest, message: message)
  }
}
