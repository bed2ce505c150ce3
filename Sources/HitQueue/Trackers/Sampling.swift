/// Which clients a sample takes: the same client gets the same answer, in every process and always (HQ-215).
///
/// A client's place is the splitmix64 finaliser of the FNV-1a hash (64 bits) of its id's text, as a part of 2^64; it is in
/// a sample of `rate` percent when its place is below the rate.
enum Sampling {
  /// Whether a client is in a sample of so many percent.
  static func takes(clientID: String, rate: Double) -> Bool {
    Double(place(of: clientID)) / 0x1p64 * 100 < rate
  }

  static func place(of clientID: String) -> UInt64 {
    var hash = FNV1a.hash(clientID.utf8)
    hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
    hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
    return hash ^ (hash >> 31)
  }
}
