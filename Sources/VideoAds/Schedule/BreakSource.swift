/// One AdBreak of a playlist, or one repetition of it: where ads of a break come from, and what is tracked for them.
public struct BreakSource: Sendable, Hashable, Codable {
  /// Its place in the playlist, and the number of the repetition.
  public struct ID: Sendable, Hashable, Codable {
    /// The AdBreak, from 0.
    public var index: Int
    /// The repetition; 0 for the break itself (VA-540).
    public var repetition = 0
  }

  /// Which it is.
  public var id: ID
  /// What the playlist states.
  public var adBreak: VMAP.AdBreak

  /// What the ad tag tells for information.
  public var gam: GAMBreakInfo? {
    adTag.flatMap { GAMBreakInfo(adTag: $0) }
  }

  /// The URL that its ads come from, as the playlist writes it; nil when they are in the playlist itself.
  var adTag: String? { if case .adTag(let url, _) = adBreak.source?.content { url } else { nil } }

  /// Whether its ads come from a URL.
  var isFetched: Bool { adTag != nil }

  /// Whether its ads are bumpers: they count for nothing, and play only beside others unless it is said otherwise
  /// (VA-508).
  public var isBumper: Bool { gam?.bumper != nil || bumperExtension != nil }

  /// Whether a bumper plays only beside another ad.
  var isSuppressedAlone: Bool {
    let attribute = bumperExtension?.element.attributes.first { $0.name.lowercased() == "suppress_bumper" }
    return attribute.flatMap { DocumentValue.boolean($0.value) } ?? true
  }

  private var bumperExtension: VAST.Extension? {
    adBreak.extensions.first { $0.type?.lowercased() == "bumper" }
  }

  /// Why it can have no ad, which is known before anything is fetched (VA-504, VA-505).
  func rejection(allowNonLinear: Bool) -> VMAPErrorCode? {
    if let code = adBreak.rejection { return code }
    let isPlayable = adBreak.types.contains("linear") || allowNonLinear && adBreak.types.contains("nonlinear")
    guard isPlayable else { return .unsupportedBreakType }
    switch adBreak.source?.content {
    case .custom: return .unsupportedTemplate
    case .unreadable: return .unreadableData
    case .adTag(_, let template?):
      let known = ["vast", "vast1", "vast2", "vast3", "vast4"]
      return known.contains(template.lowercased()) ? nil : .unsupportedTemplate
    default: return nil
    }
  }

  /// When it plays; nil while that cannot be known.
  ///
  /// - Throws: when it has no place in content (VA-502).
  func time(duration: Int64?, opportunities: [Int64]) throws(OutsideContent) -> BreakTime? {
    let first: Int64
    switch adBreak.offset {
    case nil: throw OutsideContent()
    case .start: first = 0
    case .end: return .postroll
    case .time(let time): first = time
    case .fraction(let fraction):
      guard let duration else { return nil }
      first = Int64((Double(duration) * fraction).rounded())
    case .opportunity(let number):
      if opportunities.isEmpty { return nil }
      guard opportunities.indices.contains(number - 1) else { throw OutsideContent() }
      first = opportunities[number - 1]
    }
    let (delay, isHuge) = (adBreak.repeatAfter ?? 0).multipliedReportingOverflow(by: Int64(id.repetition))
    let time = max(0, first) &+ delay
    guard !isHuge, time >= 0, duration.map({ time <= $0 }) ?? true else { throw OutsideContent() }
    return time == 0 ? .preroll : .midroll(time)
  }

  struct OutsideContent: Error {}
}

/// What a GAM ad tag tells of its break; nothing of it overrides the playlist (VA-507).
public struct GAMBreakInfo: Sendable, Hashable, Codable {
  /// The pod's number.
  public var pod: Int?
  /// The place in the pod.
  public var ppos: Int?
  /// preroll, midroll or postroll.
  public var vpos: String?
  /// The mid-roll's number.
  public var mridx: Int?
  /// The cue point in milliseconds.
  public var cue: Int64?
  /// Whether it is the last in the pod.
  public var lip: Bool?
  /// `before` or `after`, when its ads are bumpers.
  public var bumper: String?
  /// The shortest ad in milliseconds.
  public var minAdDuration: Int64?
  /// The longest ad in milliseconds.
  public var maxAdDuration: Int64?
  /// The pod's shortest duration in milliseconds.
  public var pmnd: Int64?
  /// The pod's longest duration in milliseconds.
  public var pmxd: Int64?
  /// The most ads of the pod.
  public var pmad: Int?

  /// Reads an ad tag; nil when it tells nothing.
  init?(adTag: String) {
    var values: [Substring: String] = [:]
    for item in (URLReference(adTag).query ?? "").split(separator: "&") {
      let pair = item.split(separator: "=", maxSplits: 1)
      if pair.count == 2, values[pair[0]] == nil { values[pair[0]] = String(pair[1]) }
    }
    pod = values["pod"].flatMap { Int($0) }
    ppos = values["ppos"].flatMap { Int($0) }
    vpos = values["vpos"]
    mridx = values["mridx"].flatMap { Int($0) }
    cue = values["cue"].flatMap { Int64($0) }
    lip = values["lip"].map { $0 == "true" || $0 == "1" }
    bumper = values["bumper"]
    minAdDuration = values["min_ad_duration"].flatMap { Int64($0) }
    maxAdDuration = values["max_ad_duration"].flatMap { Int64($0) }
    pmnd = values["pmnd"].flatMap { Int64($0) }
    pmxd = values["pmxd"].flatMap { Int64($0) }
    pmad = values["pmad"].flatMap { Int($0) }
    if values.keys.allSatisfy({ !Self.names.contains($0) }) { return nil }
  }

  private static let names: Set<Substring> = [
    "pod", "ppos", "vpos", "mridx", "cue", "lip", "bumper", "min_ad_duration", "max_ad_duration", "pmnd", "pmxd",
    "pmad",
  ]
}
