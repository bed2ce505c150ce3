extension AdSchedule {
  /// Makes a schedule in an app.
  ///
  ///     AdSchedule.Builder().preroll(tag).midroll(at: 600, tag).midroll(every: 900, tag).postroll(tag).build()
  ///
  /// Tags are ad tag URLs; times are seconds of content.
  public struct Builder: Sendable, Hashable {
    private var breaks: [VMAP.AdBreak] = []

    /// Makes one without breaks.
    public init() {}

    /// Adds a break before content.
    public func preroll(_ adTag: String) -> Builder { adding(.start, adTag) }

    /// Adds a break at a time.
    public func midroll(at seconds: Double, _ adTag: String) -> Builder {
      adding(Self.offset(seconds), adTag)
    }

    /// Adds breaks at every multiple of a time of at least a second.
    public func midroll(every seconds: Double, _ adTag: String) -> Builder {
      guard case .time(let period) = Self.offset(seconds), period >= 1_000 else { return self }
      return adding(.time(period), adTag, repeatAfter: period)
    }

    /// Adds a break after content.
    public func postroll(_ adTag: String) -> Builder { adding(.end, adTag) }

    /// The schedule.
    public func build() -> AdSchedule { AdSchedule(breaks) }

    private static func offset(_ seconds: Double) -> VMAP.Offset {
      guard seconds > 0, seconds < 1e9 else { return .start }
      return .time(Int64((seconds * 1_000).rounded()))
    }

    private func adding(_ offset: VMAP.Offset, _ adTag: String, repeatAfter: Int64? = nil) -> Builder {
      var item = VMAP.AdBreak()
      item.offset = offset
      item.types = ["linear", "nonlinear"]
      item.repeatAfter = repeatAfter
      item.source = VMAP.AdSource()
      item.source?.content = .adTag(adTag, template: nil)
      var copy = self
      copy.breaks.append(item)
      return copy
    }
  }
}
