/// The port that tells what runs the app: names, versions, screen, language (TM-1203, HQ-204).
///
/// Every property is cheap and may be read at any time from any thread; what a platform does not know is nil.
public protocol Device: Sendable {
  /// `iOS` (also iPadOS and visionOS), `tvOS`, `macOS`, `watchOS` or `Linux`.
  var platform: String { get }
  /// The system's version, such as `18.2`.
  var osVersion: String { get }
  /// The device model.
  var model: String { get }
  /// The preferred language as a BCP 47 tag, such as `es-ES`.
  var language: String { get }
  /// The screen in pixels; nil without a screen.
  var screen: ScreenSize? { get }
  /// The app's display name.
  var appName: String? { get }
  /// The app's bundle id.
  var appID: String? { get }
  /// The app's short version.
  var appVersion: String? { get }
  /// A random text made once per install, for buckets and rollouts (TM-138).
  var installID: String { get }
  /// The campaign query that the store handed over at install, when there is one.
  var installReferrer: String? { get }
}

/// A screen's size in pixels; its text is `WxH`.
public struct ScreenSize: Sendable, Hashable, CustomStringConvertible {
  /// Pixels from left to right.
  public var width: Int
  /// Pixels from top to bottom.
  public var height: Int

  /// Makes a size in pixels.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The size as `WxH`.
  public var description: String { "\(width)x\(height)" }
}

/// A device of given facts: for tests, for the command line, and as a start for an app's own.
public struct FixedDevice: Device {
  /// The platform's name.
  public var platform: String
  /// The system's version.
  public var osVersion: String
  /// The device model.
  public var model: String
  /// The preferred language, BCP 47.
  public var language: String
  /// The screen in pixels.
  public var screen: ScreenSize?
  /// The app's display name.
  public var appName: String?
  /// The app's bundle id.
  public var appID: String?
  /// The app's short version.
  public var appVersion: String?
  /// The install's random text.
  public var installID: String
  /// The install's campaign query.
  public var installReferrer: String?

  /// Makes a device; without arguments, an English-speaking Linux machine without a screen.
  public init(
    platform: String = "Linux", osVersion: String = "1.0", model: String = "test", language: String = "en-US",
    screen: ScreenSize? = nil, appName: String? = nil, appID: String? = nil, appVersion: String? = nil,
    installID: String = "00000000-0000-4000-8000-000000000000", installReferrer: String? = nil
  ) {
    self.platform = platform
    self.osVersion = osVersion
    self.model = model
    self.language = language
    self.screen = screen
    self.appName = appName
    self.appID = appID
    self.appVersion = appVersion
    self.installID = installID
    self.installReferrer = installReferrer
  }
}
