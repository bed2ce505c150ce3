import CZlib

/// The format of RFC 1952, in memory.
package enum Gzip {
  /// A body below this many bytes is sent as it is (HQ-602).
  package static let worthwhile = 1024

  /// Compresses at level 6; nil when zlib has no memory for it.
  package static func compress(_ bytes: [UInt8]) -> [UInt8]? {
    guard let length = UInt32(exactly: bytes.count) else { return nil }
    var stream = z_stream()
    guard czlib_deflate_init2(&stream, 6, 15 + 16) == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    guard let capacity = UInt32(exactly: deflateBound(&stream, UInt(length))) else { return nil }
    var status = Z_OK
    let packed = bytes.withUnsafeBufferPointer { source in
      [UInt8](unsafeUninitializedCapacity: Int(capacity)) { target, count in
        // zlib's C signature is not const, but it never writes to its input.
        stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
        stream.avail_in = length
        stream.next_out = target.baseAddress
        stream.avail_out = capacity
        status = deflate(&stream, Z_FINISH)
        count = Int(capacity - stream.avail_out)
      }
    }
    return status == Z_STREAM_END ? packed : nil
  }
}
