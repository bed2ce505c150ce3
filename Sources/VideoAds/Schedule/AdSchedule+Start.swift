/// Where content starts, and where it is sought to (VA-534 to VA-537).
extension AdSchedule {
  /// Takes a schedule up that was kept while breaks were under way (VA-514): what was asked for, is asked for again, and
  /// what played has played (VA-535).
  mutating func takeUp() {
    for item in breaks {
      switch item.state {
      case .fetching, .available: reopen(item.id)
      case .playing:
        for ad in item.ads.indices { _ = set(.discarded, ofAd: ad, of: item.id) }
        _ = set(.played, of: item.id)
      case .unplaced, .unfetched, .played, .failed, .skipped, .discarded, .dropped: continue
      }
    }
  }

  /// What a start at a position leaves out, and the break that plays first (VA-536, VA-537).
  mutating func start(at position: Int64, playAdsAfter: Int64?) -> BreakSource.ID? {
    var first: BreakSource.ID?
    let open = breaks.filter { !$0.state.isFinal && $0.state != .unplaced }
    for item in open {
      guard let time = item.time?.milliseconds else { continue }
      if let limit = playAdsAfter, time <= limit {
        _ = set(.skipped, of: item.id)
      } else if time <= position {
        if let first { _ = set(.skipped, of: first) }
        first = item.id
      }
    }
    return first
  }

  /// The breaks that a seek plays, in order (VA-534).
  func breaks(soughtOver range: ClosedRange<Int64>, policy: SeekPolicy) -> [BreakSource.ID] {
    let passed = breaks(after: range.lowerBound, upTo: range.upperBound).filter { item in
      !item.state.isFinal && item.state != .playing
    }
    switch policy {
    case .none: return []
    case .lastBreak: return passed.suffix(1).map(\.id)
    case .all: return passed.map(\.id)
    }
  }
}

/// What a seek over several breaks plays (VA-534).
public enum SeekPolicy: String, Sendable, Hashable, Codable {
  /// The last of them.
  case lastBreak
  /// None.
  case none
  /// All of them, in order.
  case all
}
