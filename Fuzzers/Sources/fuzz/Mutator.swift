import Decoders

/// Makes inputs from seeds: bytes flipped, cut, doubled, moved and spliced, numbers at their bounds, words of the format,
/// and in half of the inputs parts of the format's structure.
///
/// An input depends on the random numbers and the seeds alone, so a number finds it again.
struct Mutator {
  let seeds: [[UInt8]]
  let words: [[UInt8]]
  let structure: Target.Structure

  private static let longest = 1 << 16

  /// The next input: mostly a changed seed, sometimes noise.
  func input(_ random: inout SplitMix) -> [UInt8] {
    if seeds.isEmpty || random.oneIn(20) { return noise(&random) }
    var bytes = seeds[random.below(seeds.count)]
    // Most seeds are small; a part of a long one reaches its depths as well and costs less.
    if bytes.count > Self.longest { bytes = Array(bytes.prefix(Self.longest)) }
    let times = 1 + random.below(random.oneIn(4) ? 32 : 4)
    switch random.oneIn(2) ? structure : .text {
    case .message: WireMutation.change(&bytes, times: times, &random)
    case .json: for _ in 0..<times { JSONMutation.change(&bytes, &random) }
    case .text: for _ in 0..<times { change(&bytes, &random) }
    }
    return bytes
  }

  private func noise(_ random: inout SplitMix) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0...random.below(random.oneIn(10) ? 2_000 : 60) {
      if random.oneIn(3), !words.isEmpty {
        bytes += words[random.below(words.count)]
      } else {
        bytes.append(UInt8(truncatingIfNeeded: random.next()))
      }
    }
    return bytes
  }

  private func change(_ bytes: inout [UInt8], _ random: inout SplitMix) {
    let at = random.below(bytes.count + 1)
    let end = min(bytes.count, at + 1 + random.below(random.oneIn(4) ? 400 : 12))
    switch random.below(11) {
    case 0 where at < bytes.count: bytes[at] ^= 1 << UInt8(random.below(8))
    case 1 where at < bytes.count: bytes[at] = UInt8(truncatingIfNeeded: random.next())
    case 2: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: at)
    case 3: bytes.removeSubrange(at..<end)
    case 4: bytes.insert(contentsOf: bytes[at..<end], at: random.below(bytes.count + 1))
    case 5:
      bytes.replaceSubrange(
        at..<end, with: WireMutation.varint(random.oneIn(2) ? random.next() : Self.extreme(&random)))
    case 6 where !words.isEmpty: bytes.insert(contentsOf: words[random.below(words.count)], at: at)
    case 7 where !words.isEmpty: bytes.replaceSubrange(at..<end, with: words[random.below(words.count)])
    case 8:
      let other = seeds[random.below(seeds.count)]
      let start = random.below(other.count + 1)
      bytes.replaceSubrange(at..<end, with: other[start..<min(other.count, start + 1 + random.below(200))])
    case 9: bytes.removeSubrange(at...)
    case 10:
      let digits = String(Int64(bitPattern: Self.extreme(&random)))
      bytes.replaceSubrange(at..<min(bytes.count, at + 1 + random.below(3)), with: Array(digits.utf8))
    default: bytes.append(UInt8(truncatingIfNeeded: random.next()))
    }
  }

  private static func extreme(_ random: inout SplitMix) -> UInt64 {
    let numbers: [UInt64] = [
      0, 1, 2, 63, 64, 65, 127, 128, 255, 65_535, 65_536, 1 << 20, 1 << 24, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF,
      1 << 32, 0x7FFF_FFFF_FFFF_FFFF, 0x8000_0000_0000_0000, .max,
    ]
    return numbers[random.below(numbers.count)]
  }
}
