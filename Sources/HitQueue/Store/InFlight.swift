import DurableStore
import Hits

/// What a lane's request under way carries: `lane.inflight` (HQ-422).
///
///     inflight = request id (16 bytes) *( sequence (8 bytes, big-endian) )
struct InFlight: Sendable, Hashable {
  var request: HitID
  var sequences: [Int64]

  init(request: HitID, sequences: [Int64]) {
    self.request = request
    self.sequences = sequences
  }

  /// Reads the column; nil for bytes that are not of this form.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 16, bytes.count % 8 == 0, let request = HitID(bytes: bytes[..<16]) else { return nil }
    self.request = request
    sequences = stride(from: 16, to: bytes.count, by: 8).map { start in
      bytes[start..<start + 8].reduce(0) { $0 << 8 | Int64($1) }
    }
  }

  var bytes: [UInt8] {
    var bytes = request.bytes
    for sequence in sequences {
      for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: sequence >> shift)) }
    }
    return bytes
  }

  /// The hits in requests of all lanes.
  static func sequences(in connection: Connection) throws(StoreError) -> Set<Int64> {
    let statement = try connection.prepare("SELECT inflight FROM lane WHERE inflight IS NOT NULL")
    return try statement.query { row throws(StoreError) in
      var found: Set<Int64> = []
      while try row.step() { found.formUnion(InFlight(row.blob(at: 0))?.sequences ?? []) }
      return found
    }
  }
}
