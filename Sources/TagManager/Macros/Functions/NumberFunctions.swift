import Digests
import Hits

extension MacroFunctions {
  /// Numbers that chance, the clock or a digest gives.
  static let numbers: [MacroFunction] = [
    MacroFunction(.random) { arguments, context in
      let lowest: Int64? = arguments["min"] == nil ? 0 : arguments.int64("min")
      let highest: Int64? = arguments["max"] == nil ? 2_147_483_647 : arguments.int64("max")
      guard let lowest, let highest, lowest <= highest else {
        return .value(.int(context.random.integer(in: 0...2_147_483_647)))
      }
      return .value(.int(context.random.integer(in: lowest...highest)))
    },
    MacroFunction(.time) { _, context in .value(.int(context.time)) },
    MacroFunction(.bucket, requires: ["salt"], isCacheable: true) { arguments, context in
      guard let salt = arguments.text("salt") else { return .missing(.noValue) }
      return .value(.int(Bucket.number(salt: salt, id: arguments.text("id") ?? context.device.installID)))
    },
  ]
}

/// A number from 0 to 9,999 that an id always gets under a salt, evenly spread over ids: for experiments and rollouts
/// (TM-138).
package enum Bucket {
  /// The first 8 bytes of SHA-256 of `salt:id`, big-endian, modulo 10,000.
  package static func number(salt: String, id: String) -> Int64 {
    let digest = Digest.sha256("\(salt):\(id)".utf8)
    let bits = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Int64(bits % 10_000)
  }
}
