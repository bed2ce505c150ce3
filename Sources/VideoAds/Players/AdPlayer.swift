/// The port that plays an ad's media (VA-1100).
///
/// A player holds one load a slot. Every event names the token of its load; after `stop` no event of that load follows,
/// and of `ended` and `failed` exactly one comes, last.
@MainActor
public protocol AdPlayer: AnyObject, Sendable {
  /// What it can play.
  var capabilities: AdPlayerCapabilities { get }
  /// Hears what becomes of the loads.
  var onEvent: (@MainActor (AdPlayerToken, AdPlayerEvent) -> Void)? { get set }

  /// Prepares media in a slot, and drops what was there.
  func load(_ media: AdMedia, slot: AdSlot, token: AdPlayerToken)
  /// Plays what the slot holds, at once when it is prepared, else as soon as it is.
  func play(_ slot: AdSlot)
  /// Pauses what the slot plays.
  func pause(_ slot: AdSlot)
  /// Ends the slot's load, silently.
  func stop(_ slot: AdSlot)
  /// Goes to a time in seconds.
  func seek(_ slot: AdSlot, to time: Double)
  /// Sets the linear amplitude, 0 to 1, of all slots.
  func setVolume(_ volume: Float, muted: Bool)
}

/// Makes the player of an ads manager.
@MainActor
public protocol AdPlayerFactory: AnyObject, Sendable {
  /// Makes a player; nil when none can be made.
  func makePlayer() -> (any AdPlayer)?
}

/// Media to play.
public struct AdMedia: Sendable, Hashable {
  /// The URL, made legal.
  public var url: String
  /// Its MIME type.
  public var type: String?
  /// Seconds, as the document states them.
  public var duration: Double?
  /// Its captions, the one nearest to the wanted language first; hidden until captions are turned on (VA-604).
  public var captions: [VAST.CaptionFile] = []

  /// Makes media of a URL.
  public init(url: String, type: String? = nil, duration: Double? = nil, captions: [VAST.CaptionFile] = []) {
    self.url = url
    self.type = type
    self.duration = duration
    self.captions = captions
  }
}

/// A place of a player for one load.
public enum AdSlot: Int, Sendable, Hashable, CaseIterable, Codable {
  /// The first.
  case first
  /// The second, of players that hold two loads.
  case second
}

/// One load of a player: what a player says of an earlier one is ignored (VA-776).
public struct AdPlayerToken: Sendable, Hashable {
  /// Counts the loads of one manager, from 1.
  public var number: Int

  /// Makes a token.
  public init(number: Int) { self.number = number }
}

/// What a player says of a load; times are seconds (VA-1101).
public enum AdPlayerEvent: Sendable, Hashable, Codable {
  /// Prepared: paused, its first frame decoded.
  case ready(duration: Double?, size: AdSize?)
  /// The first frame is on screen, or the first sample of audio is heard; a video without a size shows none.
  case firstFrame(size: AdSize?)
  /// At 4 Hz or more while playing.
  case position(Double)
  /// The duration is known, or another.
  case duration(Double)
  /// Playing waits for media.
  case bufferingBegan
  /// Playing goes on.
  case bufferingEnded
  /// Media up to that time is there.
  case buffered(to: Double)
  /// The end of the media, at a position.
  case ended(position: Double)
  /// It gave up.
  case failed(PlayerFailure)
}

/// Why a player gave up (VA-1102).
public enum PlayerFailure: String, Sendable, Hashable, CaseIterable, Codable {
  /// 404, 403, 410, no such host, nobody listens.
  case notFound
  /// Another answer of the server.
  case server
  /// No answer in time.
  case timedOut
  /// The container or codec is not known.
  case unsupported
  /// The media is broken.
  case decode
  /// A URL that is never read.
  case refusedSource
  /// No way to show it.
  case output
  /// Anything else.
  case other
}
