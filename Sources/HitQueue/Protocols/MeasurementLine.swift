package import Hits

/// What a collector reads in one Measurement Protocol v1 hit besides its fields.
package enum MeasurementLine {
  /// By what a collector knows a hit again (HQ-710).
  package enum Identity: Sendable, Hashable {
    /// A hit of this library: the id in `z`.
    case own(HitID)
    /// A foreign hit that differs from all others by its `z`: the first 16 bytes of the SHA-256 of these bytes.
    case digest(of: [UInt8])
    /// A foreign hit that may repeat: each arrival is a hit of its own.
    case none
  }

  /// The fields that a client's library writes after all others, and at each try anew (HQ-612).
  package static let written: Set<String> = ["_s", "_v", "ht", "qt", "z"]

  /// The identity of a hit by its fields.
  package static func identity(of fields: FormFields) -> Identity {
    guard let token = fields["z"] else { return .none }
    if fields["_v"]?.hasPrefix("tw") == true, let id = HitID(token) { return .own(id) }
    var others = fields.dictionary
    others["qt"] = nil
    return .digest(of: FormEncoding.encode(sorted: others))
  }
}
