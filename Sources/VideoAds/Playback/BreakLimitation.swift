/// Cuts a break to what the request allows (VA-103), and puts overlays behind the ads that stop content (VA-871).
struct BreakLimitation: Sendable {
  let limits: BreakLimits

  init(_ limits: BreakLimits) { self.limits = limits }

  /// The ads that play, in order, and those that are owed 206.
  func apply(
    to ads: [BreakResolution.Found]
  ) -> (kept: [BreakResolution.Found], cut: [BreakResolution.Found]) {
    let ordered = ads.filter(\.ad.isLinear) + ads.filter { !$0.ad.isLinear }
    var kept = ordered.count
    if let most = limits.maxAds { kept = min(kept, max(0, most)) }
    if let longest = limits.maxDuration, longest >= 0, longest < 1e9 {
      var left = Int64((longest * 1_000).rounded())
      for (index, found) in ordered.prefix(kept).enumerated() {
        left -= found.ad.linear?.duration ?? 0
        if left < 0 {
          kept = index
          break
        }
      }
    }
    return (Array(ordered.prefix(kept)), Array(ordered.dropFirst(kept)))
  }

  /// Why the size of an ad's media keeps it from playing (203).
  func objection(to files: [VAST.MediaFile]) -> VASTErrorCode? {
    guard let size = limits.exactSize else { return nil }
    let hasSize = files.contains { Double($0.width ?? 0) == size.width && Double($0.height ?? 0) == size.height }
    return hasSize ? nil : .sizeMismatch
  }

  /// Whether a media duration in milliseconds is over the limit of one ad (202).
  func isTooLong(_ duration: Int64) -> Bool {
    limits.maxAdLength.map { Double(duration) > $0 * 1_000 } ?? false
  }
}
