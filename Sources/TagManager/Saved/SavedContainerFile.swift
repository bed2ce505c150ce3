import Digests
import Hits

/// The file format of saved containers, version 1 (TM-211).
///
///     offset    size   content
///     0         8      ASCII TWSAVED1, the last digit being the version
///     8         4      header length H, at most 65,536, little-endian
///     12        H      header: a JSON object, UTF-8
///     12+H      N      payload
///     12+H+N    32     SHA-256 of all bytes before
enum SavedContainerFile {
  static let headerLimit = 65_536
  private static let magic = Array("TWSAVED".utf8)
  private static let version = UInt8(ascii: "1")
  private static let digestLength = 32

  /// The most bytes that a file with a payload of a size has.
  static func limit(ofPayload bytes: Int) -> Int { 12 + headerLimit + bytes + digestLength }

  /// Why bytes are no saved container.
  enum Fault: Error, Equatable {
    /// Another version of the format, which another version of the app may read.
    case formatUnknown
    /// Anything else, with what is wrong.
    case corrupt(String)
  }

  /// The bytes of a file.
  ///
  /// - Throws: `corrupt` for a header beyond its limit, as a server with very long texts can make.
  static func encode(_ saved: SavedContainer) throws(Fault) -> [UInt8] {
    let header = saved.header.json(payloadLength: saved.payload.count).jsonBytes
    guard header.count <= headerLimit else { throw .corrupt("its header is too long") }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(12 + header.count + saved.payload.count + digestLength)
    bytes += magic
    bytes.append(version)
    withUnsafeBytes(of: UInt32(clamping: header.count).littleEndian) { bytes += $0 }
    bytes += header
    bytes += saved.payload
    return bytes + Digest.sha256(bytes)
  }

  /// Reads a file's bytes.
  static func decode(_ bytes: [UInt8]) throws(Fault) -> SavedContainer {
    guard bytes.starts(with: magic), bytes.count > magic.count else { throw .corrupt("it does not begin as one") }
    guard bytes[magic.count] == version else {
      // Any other digit is a version; anything else is damage.
      guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[magic.count] else { throw .corrupt("it has no version") }
      throw .formatUnknown
    }
    guard bytes.count >= 12 + digestLength else { throw .corrupt("it is cut") }
    let content = bytes.dropLast(digestLength)
    guard Digest.sha256(content).elementsEqual(bytes.suffix(digestLength)) else {
      throw .corrupt("its digest is wrong")
    }
    let headerLength = (0..<4).reduce(0) { $0 | Int(bytes[8 + $1]) << (8 * $1) }
    guard headerLength <= headerLimit, 12 + headerLength <= content.count else {
      throw .corrupt("its header is too long")
    }
    let payload = content.dropFirst(12 + headerLength)
    let header = try header(Array(content[12..<12 + headerLength]), payloadLength: payload.count)
    return SavedContainer(header: header, payload: Array(payload))
  }

  private static func header(_ json: [UInt8], payloadLength: Int) throws(Fault) -> SavedContainer.Header {
    let root: JSONElement
    do throws(JSONError) { root = try JSONDocument(json).root } catch { throw .corrupt("its header is no JSON") }
    guard let header = SavedContainer.Header(root) else { throw .corrupt("its header lacks something") }
    guard root["length"]?.int == Int64(payloadLength) else { throw .corrupt("its length is wrong") }
    return header
  }
}

extension SavedContainer.Header {
  fileprivate func json(payloadLength: Int) -> Value {
    [
      "id": .string(id), "environment": .string(environment), "form": .string(form.rawValue),
      "length": .int(Int64(payloadLength)), "fetchedAt": .int(fetchedAt), "etag": Value(etag),
      "fingerprint": Value(fingerprint), "version": .string(version), "sequence": sequence.map(Value.int) ?? .null,
      "publishedAt": publishedAt.map(Value.int) ?? .null, "origin": Value(origin), "signature": Value(signature),
      "keyID": Value(keyID), "defaultDigest": Value(defaultDigest), "sdk": Value(sdk),
    ]
  }

  /// Reads a header; nil when it lacks what it must have.
  fileprivate init?(_ root: JSONElement) {
    guard let id = root["id"]?.string, let environment = root["environment"]?.string,
      let form = root["form"]?.string.flatMap(SavedContainer.Form.init), let fetchedAt = root["fetchedAt"]?.int
    else { return nil }
    self.init(
      id: id, environment: environment, form: form, fetchedAt: fetchedAt, etag: root["etag"]?.string,
      fingerprint: root["fingerprint"]?.string, version: root["version"]?.string ?? "",
      sequence: root["sequence"]?.int, publishedAt: root["publishedAt"]?.int, origin: root["origin"]?.string,
      signature: root["signature"]?.string, keyID: root["keyID"]?.string,
      defaultDigest: root["defaultDigest"]?.string, sdk: root["sdk"]?.string)
  }
}

extension Value {
  fileprivate init(_ text: String?) { self = text.map(Value.string) ?? .null }
}
