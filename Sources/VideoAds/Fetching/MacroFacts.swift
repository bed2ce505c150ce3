import Hits

/// All that macros can tell (vast-macros.tsv), at one moment.
struct MacroFacts: Sendable {
  var time: HitTime
  var settings: AdsSettings
  var request: RequestFacts
  var privacy = PrivacySignals()
  var app = App()
  var player = Player()
  /// The display container; nil without one.
  var container: Container?
  var content = Content()
  /// The ad that a tracker belongs to; nil in requests.
  var ad: Ad?
  /// Categories blocked by the wrappers above a request.
  var blockedCategories: [String] = []

  struct App: Sendable {
    /// The bundle's identifier; nil where there is no app.
    var bundleID: String?
    var hasVerificationHost = false
  }

  struct Player: Sendable {
    /// MIME types it plays, in its order.
    var mimeTypes: [String] = []
    /// Of skip, mute, autoplay, mautoplay, fullscreen, icon.
    var capabilities: [String] = []
    var isMuted = false
  }

  struct Container: Sendable {
    var size: AdSize
    var isFullscreen = false
    /// 0 no click-through, 1 whole area, 2 button, 3 with confirmation.
    var clickType = 1
  }

  /// The content, frozen while ads play (VA-814).
  struct Content: Sendable {
    /// Milliseconds; nil without a playhead.
    var position: Int64?
    var breakPosition: BreakPosition?
  }

  struct Ad: Sendable {
    var kind: VAST.Ad.Kind = .video
    var universalIDs: [VAST.UniversalAdID] = []
    var servingID: String?
    /// The document's sequence after the merge (VA-432).
    var podSequence: Int?
    var assetURL: String?
    /// Milliseconds; nil before the first frame.
    var position: Int64?
    /// How many ads of the request have started, this one included.
    var startedCount = 0
    var isSkippable = false
    var clickPoint: (x: Int, y: Int)?
  }
}

/// What kind of URL is being expanded: a macro used outside of its kinds counts as unknown (VA-811).
enum MacroScope: Sendable, Hashable {
  case request
  case tracking
  case clickTracking
  case error(Int)
  case verificationNotExecuted(reason: Int)
  case playlistError(VMAPErrorCode)

  var isRequest: Bool { self == .request }
}

/// The value of a macro.
enum MacroValue: Sendable, Hashable {
  /// Encoded as a whole.
  case text(String)
  /// Encoded item by item, joined by raw commas; empty counts as unknown.
  case list([String])
  /// Not known to us.
  case unknown
  /// Known, and withheld for privacy.
  case withheld
  /// Without a meaning here.
  case notApplicable
  /// The macro stays as it is written.
  case untouched

  static func number(_ value: Int?) -> MacroValue { value.map { .text(String($0)) } ?? .unknown }

  static func optional(_ value: String?) -> MacroValue { value.map { .text($0) } ?? .unknown }
}
