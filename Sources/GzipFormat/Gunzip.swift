import CZlib

/// Why bytes cannot be unpacked.
package enum GunzipError: Error {
  /// Not gzip, not whole, or followed by something else.
  case broken
  /// More than the limit.
  case tooLarge
}

/// Unpacks RFC 1952, one member or several, and never more than a limit: what a small body can become has no bound.
package enum Gunzip {
  private static let piece = 64 << 10

  /// The bytes that were packed; at most `limit` of them.
  package static func unpack(_ packed: [UInt8], limit: Int) throws(GunzipError) -> [UInt8] {
    var stream = z_stream()
    guard let length = UInt32(exactly: packed.count), czlib_inflate_init2(&stream, 15 + 16) == Z_OK else {
      throw .broken
    }
    defer { inflateEnd(&stream) }
    var unpacked: [UInt8] = []
    var failure: GunzipError?
    packed.withUnsafeBufferPointer { source in
      // zlib's C signature is not const, but it never writes to its input.
      stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
      stream.avail_in = length
      failure = inflateAll(&stream, into: &unpacked, limit: limit)
    }
    if let failure { throw failure }
    return unpacked
  }

  private static func inflateAll(_ stream: inout z_stream, into unpacked: inout [UInt8], limit: Int) -> GunzipError? {
    while true {
      var status = Z_OK
      // One byte more than allowed is enough to know.
      let room = min(piece, limit + 1 - unpacked.count)
      unpacked += [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
        stream.next_out = buffer.baseAddress
        stream.avail_out = UInt32(room)
        status = inflate(&stream, Z_NO_FLUSH)
        count = room - Int(stream.avail_out)
      }
      if unpacked.count > limit { return .tooLarge }
      switch status {
      case Z_STREAM_END:
        if stream.avail_in == 0 { return nil }
        guard inflateReset(&stream) == Z_OK else { return .broken }
      case Z_OK where stream.avail_in > 0 || stream.avail_out == 0: break
      default: return .broken
      }
    }
  }
}
