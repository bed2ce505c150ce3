/// The value of `[ERRORCODE]` in VAST: why an ad or a document did not play (vast-errors.tsv).
public struct VASTErrorCode: Error, RawRepresentable, Sendable, Hashable, Codable {
  /// The number.
  public let rawValue: Int

  /// Makes a code of its number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// XML could not be read.
  public static let malformed = VASTErrorCode(rawValue: 100)
  /// A required structure is missing.
  public static let invalidStructure = VASTErrorCode(rawValue: 101)
  /// The version is not supported.
  public static let unsupportedVersion = VASTErrorCode(rawValue: 102)
  /// The kind of ad was not asked for or cannot play here.
  public static let unexpectedAdType = VASTErrorCode(rawValue: 200)
  /// The ad is an overlay where a linear one was asked for, or the reverse.
  public static let unexpectedLinearity = VASTErrorCode(rawValue: 201)
  /// The media's duration is not the one announced.
  public static let durationMismatch = VASTErrorCode(rawValue: 202)
  /// No media has the size asked for.
  public static let sizeMismatch = VASTErrorCode(rawValue: 203)
  /// The ad states no category, and one is required.
  public static let categoryMissing = VASTErrorCode(rawValue: 204)
  /// The ad's category is blocked.
  public static let categoryBlocked = VASTErrorCode(rawValue: 205)
  /// The break was cut before the ad.
  public static let breakShortened = VASTErrorCode(rawValue: 206)
  /// A wrapper failed otherwise.
  public static let wrapperFailed = VASTErrorCode(rawValue: 300)
  /// A wrapper's answer did not come.
  public static let wrapperUnavailable = VASTErrorCode(rawValue: 301)
  /// There are too many wrappers, or they run in a circle.
  public static let tooManyWrappers = VASTErrorCode(rawValue: 302)
  /// There is no ad.
  public static let noAds = VASTErrorCode(rawValue: 303)
  /// The ad came too late to be shown.
  public static let displayTimeout = VASTErrorCode(rawValue: 304)
  /// Playing failed otherwise.
  public static let playbackFailed = VASTErrorCode(rawValue: 400)
  /// The media is not there.
  public static let mediaNotFound = VASTErrorCode(rawValue: 401)
  /// The media did not come in time.
  public static let mediaTimeout = VASTErrorCode(rawValue: 402)
  /// No media file can be played here.
  public static let noPlayableMedia = VASTErrorCode(rawValue: 403)
  /// The media could not be shown.
  public static let mediaNotDisplayable = VASTErrorCode(rawValue: 405)
  /// The ad's condition was not met.
  public static let conditionalRejected = VASTErrorCode(rawValue: 408)
  /// The ad's interactive part was not run.
  public static let interactiveNotExecuted = VASTErrorCode(rawValue: 409)
  /// The ad's verification was not run.
  public static let verificationNotExecuted = VASTErrorCode(rawValue: 410)
  /// An overlay failed otherwise.
  public static let nonLinearFailed = VASTErrorCode(rawValue: 500)
  /// An overlay does not fit.
  public static let nonLinearDoesNotFit = VASTErrorCode(rawValue: 501)
  /// An overlay's resource could not be fetched.
  public static let nonLinearUnavailable = VASTErrorCode(rawValue: 502)
  /// An overlay's resource cannot be shown here.
  public static let nonLinearUnsupported = VASTErrorCode(rawValue: 503)
  /// A companion failed otherwise.
  public static let companionFailed = VASTErrorCode(rawValue: 600)
  /// No companion fits.
  public static let companionDoesNotFit = VASTErrorCode(rawValue: 601)
  /// A required companion could not be shown.
  public static let companionRequired = VASTErrorCode(rawValue: 602)
  /// A companion's resource could not be fetched.
  public static let companionUnavailable = VASTErrorCode(rawValue: 603)
  /// A companion's resource cannot be shown here.
  public static let companionUnsupported = VASTErrorCode(rawValue: 604)
  /// Anything else.
  public static let undefined = VASTErrorCode(rawValue: 900)
}
