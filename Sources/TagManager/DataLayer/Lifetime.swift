package import Hits

/// How long an update wants to be kept: `(\d+)\s*([smhd]?)`, without unit in milliseconds (TM-540).
package enum Lifetime: Sendable, Hashable {
  /// The update says nothing.
  case none
  case milliseconds(Int64)
  /// Not of the grammar, zero, or more than ten years: the update is not kept, with a warning.
  case invalid

  /// Ten years of 365 days.
  private static let longest: Int64 = 10 * 365 * 86_400_000

  /// Reads `gtm.lifetime` of an update, nested or as a dotted top-level key.
  package init(of update: [String: Value]) {
    let nested = update["gtm"]?.map?["lifetime"]
    guard let value = update["gtm.lifetime"] ?? nested, !value.isAbsent else {
      self = .none
      return
    }
    self = Self.milliseconds(in: value.text(.standard)).map(Lifetime.milliseconds) ?? .invalid
  }

  private static func milliseconds(in text: String) -> Int64? {
    let digits = text.utf8.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    guard let number = Int64(Substring(digits)) else { return nil }
    let unit = text.utf8.dropFirst(digits.count).drop { [0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x20].contains($0) }
    let factor: Int64
    switch (unit.count, unit.first) {
    case (0, _): factor = 1
    case (1, UInt8(ascii: "s")): factor = 1_000
    case (1, UInt8(ascii: "m")): factor = 60_000
    case (1, UInt8(ascii: "h")): factor = 3_600_000
    case (1, UInt8(ascii: "d")): factor = 86_400_000
    default: return nil
    }
    let (product, isOverflow) = number.multipliedReportingOverflow(by: factor)
    return !isOverflow && (1...longest).contains(product) ? product : nil
  }
}
