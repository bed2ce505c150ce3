/// A share of a container's installs, in hundredths of a percent (CO-404).
package struct RolloutShare: Sendable, Hashable {
  /// From 0 to 10,000.
  package let hundredths: Int

  /// Takes a percentage with up to two decimals; nil for anything else.
  package init?(percent: Double) {
    let scaled = (percent * 100).rounded()
    guard (0...10_000).contains(scaled), abs(scaled - percent * 100) < 1e-6 else { return nil }
    hundredths = Int(scaled)
  }

  init(hundredths: Int) { self.hundredths = min(max(0, hundredths), 10_000) }

  package static let all = RolloutShare(hundredths: 10_000)

  package var percent: Double { Double(hundredths) / 100 }
  package var isAll: Bool { hundredths == 10_000 }
}
