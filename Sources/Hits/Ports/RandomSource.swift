package import Foundation

/// The port through which engines draw random numbers.
///
/// Tests give a `SeededRandomSource`; apps take the default, the system's generator.
public protocol RandomSource: Sendable {
  /// Draws 64 random bits.
  func next() -> UInt64
}

extension RandomSource {
  /// Draws a whole number from the range, both ends included, each with the same chance.
  public func integer(in range: ClosedRange<Int64>) -> Int64 {
    var generator = Generator(source: self)
    return Int64.random(in: range, using: &generator)
  }

  /// The text of a drawn UUID, in small letters.
  package func uuidText() -> String { uuid().uuidString.lowercased() }

  /// Draws a UUID of version 4: 122 random bits.
  package func uuid() -> UUID {
    let words = (next() & ~0xF000 | 0x4000, next() & ~(3 << 62) | 1 << 63)
    return withUnsafeBytes(of: (words.0.bigEndian, words.1.bigEndian)) { UUID(uuid: $0.load(as: uuid_t.self)) }
  }
}

private struct Generator<Source: RandomSource>: RandomNumberGenerator {
  let source: Source

  mutating func next() -> UInt64 { source.next() }
}

/// The system's random number generator.
public struct SystemRandomSource: RandomSource {
  /// Makes the source; it has no state of its own.
  public init() {}

  /// Draws 64 random bits from the system's generator.
  public func next() -> UInt64 { UInt64.random(in: .min ... .max) }
}

/// A repeatable sequence, for tests and benchmarks (splitmix64).
public final class SeededRandomSource: RandomSource {
  private let state: Locked<UInt64>

  /// Makes a sequence that is the same for the same seed.
  public init(seed: UInt64) { state = Locked(seed) }

  /// Draws the next 64 bits of the sequence.
  public func next() -> UInt64 {
    var bits = state.withLock { state in
      state &+= 0x9E37_79B9_7F4A_7C15
      return state
    }
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}
