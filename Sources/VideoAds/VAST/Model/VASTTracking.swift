extension VAST {
  /// A URL to request at an event.
  public struct Tracking: Sendable, Hashable, Codable {
    /// The event.
    public var event: TrackingEvent
    /// The URL.
    public var url: String
    /// When `progress` is due; nil for other events.
    public var offset: TimeOffset?
    /// Its id.
    public var id: String?
  }

  /// A point of an ad's or content's time.
  public enum TimeOffset: Sendable, Hashable, Codable {
    /// Milliseconds from the start.
    case milliseconds(Int64)
    /// A part of the whole, 0 to 1.
    case fraction(Double)
  }

  /// An event of an ad: an open set, in the spelling of VAST 4 (VA-316).
  public struct TrackingEvent: RawRepresentable, Sendable, Hashable, Codable {
    /// The name.
    public let rawValue: String

    /// Makes an event of a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    init(_ name: String) { rawValue = name }

    /// The creative is seen.
    public static let creativeView = TrackingEvent("creativeView")
    /// The media is ready.
    public static let loaded = TrackingEvent("loaded")
    /// The media starts.
    public static let start = TrackingEvent("start")
    /// A quarter was played.
    public static let firstQuartile = TrackingEvent("firstQuartile")
    /// A half was played.
    public static let midpoint = TrackingEvent("midpoint")
    /// Three quarters were played.
    public static let thirdQuartile = TrackingEvent("thirdQuartile")
    /// A point of time was reached.
    public static let progress = TrackingEvent("progress")
    /// The media ended in full.
    public static let complete = TrackingEvent("complete")
    /// The ad was skipped.
    public static let skip = TrackingEvent("skip")
    /// The ad paused.
    public static let pause = TrackingEvent("pause")
    /// The ad goes on.
    public static let resume = TrackingEvent("resume")
    /// The sound went off.
    public static let mute = TrackingEvent("mute")
    /// The sound came back.
    public static let unmute = TrackingEvent("unmute")
    /// The media went back.
    public static let rewind = TrackingEvent("rewind")
    /// The player fills the screen.
    public static let playerExpand = TrackingEvent("playerExpand")
    /// The player no longer fills the screen.
    public static let playerCollapse = TrackingEvent("playerCollapse")
    /// The creative grew.
    public static let adExpand = TrackingEvent("adExpand")
    /// The creative shrank.
    public static let adCollapse = TrackingEvent("adCollapse")
    /// The person accepted an invitation.
    public static let acceptInvitation = TrackingEvent("acceptInvitation")
    /// The person did something else with the ad.
    public static let otherAdInteraction = TrackingEvent("otherAdInteraction")
    /// The overlay was made small.
    public static let minimize = TrackingEvent("minimize")
    /// The overlay was closed.
    public static let close = TrackingEvent("close")
    /// The linear ad was closed.
    public static let closeLinear = TrackingEvent("closeLinear")
    /// How long the overlay was shown.
    public static let overlayViewDuration = TrackingEvent("overlayViewDuration")
    /// The interactive part started.
    public static let interactiveStart = TrackingEvent("interactiveStart")
    /// The ad was not needed.
    public static let notUsed = TrackingEvent("notUsed")
    /// A verification was not run.
    public static let verificationNotExecuted = TrackingEvent("verificationNotExecuted")
    /// The ad failed: such a tracker is one more `Error` URL of its ad.
    public static let error = TrackingEvent("error")
    /// A break starts.
    public static let breakStart = TrackingEvent("breakStart")
    /// A break ends.
    public static let breakEnd = TrackingEvent("breakEnd")
  }
}

extension VAST.TrackingEvent {
  /// Where a tracker stands: legacy names mean different events there.
  enum Context: Sendable {
    case linear
    case nonLinear
  }

  /// Reads a name as documents write it; unknown ones stay as they are (VA-316).
  static func named(_ name: String, in context: Context) -> Self {
    let table = context == .linear ? linearTable : nonLinearTable
    let bytes = Array(name.utf8)
    if let event = table.value(of: bytes.indices, in: bytes) { return event }
    let folded = bytes.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") && !ASCII.isBlank($0) }
    return table.value(of: folded.indices, in: folded) ?? Self(name)
  }

  private static let standard: [Self] = [
    .creativeView, .loaded, .start, .firstQuartile, .midpoint, .thirdQuartile, .progress, .complete, .skip, .pause,
    .resume, .mute, .unmute, .rewind, .playerExpand, .playerCollapse, .adExpand, .adCollapse, .acceptInvitation,
    .otherAdInteraction, .minimize, .closeLinear, .overlayViewDuration, .interactiveStart, .notUsed,
    .verificationNotExecuted, .error, .breakStart, .breakEnd,
  ]
  private static let misspelled: [(String, Self)] = [
    ("firstQuartil", .firstQuartile), ("thirdQuartil", .thirdQuartile), ("acceptInvitationLinear", .acceptInvitation),
  ]
  private static let linearTable = NameTable(
    standard.map { ($0.rawValue, $0) } + misspelled + [
      ("fullscreen", .playerExpand), ("expand", .playerExpand), ("exitFullscreen", .playerCollapse),
      ("collapse", .playerCollapse), ("close", .closeLinear), ("timeSpentViewing", .progress),
    ])
  private static let nonLinearTable = NameTable(
    standard.map { ($0.rawValue, $0) } + misspelled + [
      ("fullscreen", .adExpand), ("expand", .adExpand), ("exitFullscreen", .adCollapse), ("collapse", .adCollapse),
      ("close", .close),
    ])
}
