import Foundation

/// International host names in the form of DNS: each label outside ASCII as `xn--` and Punycode (RFC 3492, RFC 5891).
enum ALabel {
  static func host(_ host: String) -> String {
    let normal = host.lowercased().precomposedStringWithCanonicalMapping
    return normal.split(separator: ".", omittingEmptySubsequences: false).map { label in
      label.utf8.allSatisfy { $0 < 0x80 } ? String(label) : "xn--" + punycode(label.unicodeScalars.map(\.value))
    }.joined(separator: ".")
  }

  private static let base: UInt32 = 36
  private static let lowest: UInt32 = 1
  private static let highest: UInt32 = 26
  private static let skew: UInt32 = 38
  private static let damping: UInt32 = 700

  /// The label in Punycode; empty when it is too long to be one.
  private static func punycode(_ scalars: [UInt32]) -> String {
    guard scalars.count <= 63 else { return "" }
    var output = scalars.filter { $0 < 0x80 }.map { UInt8($0) }
    let plain = UInt32(output.count)
    if plain > 0 { output.append(UInt8(ascii: "-")) }
    var code: UInt32 = 0x80
    var delta: UInt32 = 0
    var bias: UInt32 = 72
    var handled = plain
    while handled < scalars.count {
      guard let next = scalars.filter({ $0 >= code }).min() else { break }
      // At most 63 scalars below 0x110000: no product here leaves 32 bits.
      delta += (next - code) * (handled + 1)
      code = next
      for scalar in scalars {
        if scalar < code { delta += 1 }
        guard scalar == code else { continue }
        append(delta, bias: bias, to: &output)
        bias = adapted(delta, count: handled + 1, isFirst: handled == plain)
        delta = 0
        handled += 1
      }
      delta += 1
      code += 1
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func append(_ delta: UInt32, bias: UInt32, to output: inout [UInt8]) {
    var rest = delta
    var weight = base
    while true {
      let threshold = weight <= bias ? lowest : min(weight - bias, highest)
      if rest < threshold { break }
      output.append(digit(threshold + (rest - threshold) % (base - threshold)))
      rest = (rest - threshold) / (base - threshold)
      weight += base
    }
    output.append(digit(rest))
  }

  private static func digit(_ value: UInt32) -> UInt8 { UInt8(value < 26 ? value + 97 : value + 22) }

  private static func adapted(_ delta: UInt32, count: UInt32, isFirst: Bool) -> UInt32 {
    var rest = isFirst ? delta / damping : delta / 2
    rest += rest / count
    var weight: UInt32 = 0
    while rest > (base - lowest) * highest / 2 {
      rest /= base - lowest
      weight += base
    }
    return weight + (base - lowest + 1) * rest / (rest + skew)
  }
}
