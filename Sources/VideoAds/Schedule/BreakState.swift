/// What has become of a break (VA-513).
///
///     unplaced ─→ unfetched ─→ fetching ─→ available ─→ playing ─→ played
///        │            │            ├─→ failed ←─┘ │         │
///        ├─→ dropped  └────────────┴─→ skipped ←──┤         │
///        │                            discarded ←─┴─────────┘
public enum BreakState: String, Sendable, Hashable, Codable {
  /// Its time is not known.
  case unplaced
  /// Its time is known; nothing was asked for.
  case unfetched
  /// Its documents are on their way.
  case fetching
  /// It has an ad that can play.
  case available
  /// One of its ads was seen.
  case playing
  /// All its ads ended.
  case played
  /// It has no ad, or none of them could be shown.
  case failed
  /// Content went past it.
  case skipped
  /// The app gave it up.
  case discarded
  /// It has no place in content.
  case dropped

  /// Whether nothing changes any more.
  public var isFinal: Bool {
    switch self {
    case .played, .failed, .skipped, .discarded, .dropped: true
    case .unplaced, .unfetched, .fetching, .available, .playing: false
    }
  }

  /// Whether a state may follow.
  func allows(_ next: BreakState) -> Bool {
    switch (self, next) {
    case (.unplaced, .unfetched), (.unplaced, .dropped), (.unfetched, .unplaced), (.unfetched, .dropped): true
    case (.unfetched, .fetching), (.fetching, .available), (.fetching, .failed): true
    case (.unfetched, .skipped), (.fetching, .skipped), (.available, .skipped): true
    case (.available, .playing), (.available, .failed), (.playing, .played): true
    case (.available, .discarded), (.playing, .discarded): true
    // Its ads waited longer than they may and are asked for again (VA-217).
    case (.available, .fetching): true
    default: false
    }
  }
}

/// What has become of an ad of a break (VA-514).
public enum AdState: String, Sendable, Hashable, Codable {
  /// Its document is not known.
  case unresolved
  /// It can play.
  case available
  /// It was seen.
  case playing
  /// It ended.
  case played
  /// The person skipped it.
  case skipped
  /// It could not be shown.
  case failed
  /// It was given up before it ended.
  case discarded

  /// Whether a state may follow.
  func allows(_ next: AdState) -> Bool {
    switch (self, next) {
    case (.unresolved, .available), (.unresolved, .failed), (.unresolved, .discarded): true
    case (.available, .playing), (.available, .failed), (.available, .discarded): true
    case (.playing, .played), (.playing, .skipped), (.playing, .failed), (.playing, .discarded): true
    default: false
    }
  }
}
