import GzipFormat
package import Hits
import TagManager

/// One body with the head of its answers (TM-421).
package struct DeliveryBody: Sendable, Hashable {
  /// How long shared caches may serve it; apps keep none.
  package static let cacheControl = "public, max-age=300, stale-while-revalidate=86400"

  package let form: DeliveryForm
  /// The publisher's digest of the content, without which the validator could not be told.
  package let fingerprint: String
  /// The strong validator with its quotes.
  package let etag: String
  package let plain: [UInt8]
  /// The same in gzip; nil when that is no shorter.
  package let packed: [UInt8]?
  /// The fields that 200 and 304 have alike: `ETag` and `Tagworks-…`.
  package let headers: HTTPHeaders

  init(
    _ bytes: [UInt8], _ form: DeliveryForm, fingerprint: String, version: String, _ seal: DeliverySeal
  ) throws(ConsoleError) {
    self.form = form
    self.fingerprint = fingerprint
    etag = form == .json ? "\"\(fingerprint)\"" : "\"\(fingerprint)-b\""
    plain = bytes
    packed = Gzip.compress(bytes).flatMap { $0.count < bytes.count ? $0 : nil }
    var headers: HTTPHeaders = ["ETag": etag]
    if Self.isPlain(version) { headers.add(version, for: "Tagworks-Version") }
    // The numbers of the publication, also where the form holds what was there before it.
    if let sequence = seal.container.sequence { headers.add(String(sequence), for: "Tagworks-Sequence") }
    if let time = seal.container.publishedAt { headers.add(String(time), for: "Tagworks-Published") }
    if let signature = try seal.header(of: bytes) { headers.add(signature, for: "Tagworks-Signature") }
    self.headers = headers
  }

  /// A version's text is its author's: what has no place in a header stays in the body.
  private static func isPlain(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}
