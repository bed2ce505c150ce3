package import Hits

/// What a pattern is compiled with.
///
/// Patterns that are canonically equivalent, but differ in their scalars, are different patterns.
package struct RegexKey: Sendable, Hashable {
  package let pattern: String
  package let ignoresCase: Bool
  package let isAnchored: Bool

  package init(_ pattern: String, ignoresCase: Bool = false, isAnchored: Bool = false) {
    self.pattern = pattern
    self.ignoresCase = ignoresCase
    self.isAnchored = isAnchored
  }

  package static func == (left: RegexKey, right: RegexKey) -> Bool {
    left.ignoresCase == right.ignoresCase && left.isAnchored == right.isAnchored
      && left.pattern.hasSameScalars(as: right.pattern)
  }

  package func hash(into hasher: inout Hasher) {
    var pattern = pattern
    pattern.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

/// The compiled patterns of one container generation, and the searches with them (TM-705).
///
/// Constant patterns are compiled when it is made; any other is kept in one of 64 slots, the least recently used giving
/// way. One cache serves all threads.
package final class RegexCache: Sendable {
  package typealias Compiled = Result<RegularExpression, RegexFault>

  private struct Slot {
    var compiled: Compiled
    var lastUse: UInt64
  }

  private struct Slots {
    var slots: [RegexKey: Slot] = [:]
    var uses: UInt64 = 0
  }

  private static let slotCount = 64

  /// The constant patterns that cannot be used, in the order given, for the load's diagnostics.
  package let faults: [(key: RegexKey, fault: RegexFault)]
  private let constants: [RegexKey: Compiled]
  private let slots = Locked(Slots())
  let clock: any HitClock

  /// Compiles the constant patterns; the clock measures the budget of searches.
  package init(constants keys: [RegexKey] = [], clock: any HitClock) {
    var constants: [RegexKey: Compiled] = [:]
    var faults: [(key: RegexKey, fault: RegexFault)] = []
    for key in keys where constants[key] == nil {
      let compiled = Self.compile(key)
      constants[key] = compiled
      if case .failure(let fault) = compiled { faults.append((key, fault)) }
    }
    self.constants = constants
    self.faults = faults
    self.clock = clock
  }

  /// Whether a pattern is found in the text.
  package func isFound(_ key: RegexKey, in text: String) throws(RegexFault) -> Bool {
    try compiled(key).get().isFound(in: text, clock: clock)
  }

  /// A group of a pattern's first match in the text; nil when there is no match or no such group in it.
  package func group(_ group: Int, of key: RegexKey, in text: String) throws(RegexFault) -> String? {
    try compiled(key).get().group(group, in: text, clock: clock)
  }

  /// The text with every match of a pattern replaced.
  package func replacing(
    _ key: RegexKey, in text: String, with template: String
  ) throws(RegexFault) -> String {
    try compiled(key).get().replacing(in: text, with: ReplacementTemplate(template), clock: clock)
  }

  /// A pattern, compiled now or before, or why it cannot be.
  package func compiled(_ key: RegexKey) -> Compiled {
    if let compiled = constants[key] { return compiled }
    let kept = slots.withLock { slots -> Compiled? in
      slots.uses += 1
      slots.slots[key]?.lastUse = slots.uses
      return slots.slots[key]?.compiled
    }
    if let kept { return kept }
    let compiled = Self.compile(key)
    slots.withLock { slots in
      if slots.slots.count >= Self.slotCount, let oldest = slots.slots.min(by: { $0.value.lastUse < $1.value.lastUse })
      {
        slots.slots[oldest.key] = nil
      }
      slots.slots[key] = Slot(compiled: compiled, lastUse: slots.uses)
    }
    return compiled
  }

  private static func compile(_ key: RegexKey) -> Compiled {
    Result { () throws(RegexFault) in
      try RegularExpression(key.pattern, ignoresCase: key.ignoresCase, isAnchored: key.isAnchored)
    }
  }
}
