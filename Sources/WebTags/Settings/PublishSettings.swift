import Hits

/// What is published with a page: switches and limits that need no new version of the app (WT-222).
public struct PublishSettings: Sendable, Equatable, Codable {
  /// Whether the library works at all.
  public var isEnabled = true
  /// Whether there is a page.
  public var isTagManagementEnabled = true
  /// Whether events also go to the collect sink.
  public var isCollectEnabled = false
  /// Whether events wait while power is low.
  public var batterySaver = true
  /// Whether events wait for a network that costs nothing.
  public var wifiOnly = false
  /// Days that an event lives; below 0 for ever, 0 in memory only.
  public var expirationDays = -1.0
  /// Events that leave together: 1 for none waiting for others, at most 10.
  public var batchSize = 1
  /// Minutes between two looks for new settings; 0 only at launch and wake.
  public var refreshMinutes = 15.0
  /// Events that may wait: -1 without a limit of its own, 0 for no queue.
  public var queueLimit = -1
  /// What is logged; nil for what the environment says.
  public var logLevel: LogLevel?
  /// All that was published, as it was.
  public var raw: JSONObject = [:]

  /// The defaults.
  public init() {}
}

extension PublishSettings {
  /// The app's own values; which of them count beside published ones is in WT-235.
  public struct Local: Sendable, Equatable {
    /// Whether the library works at all.
    public var isEnabled: Bool?
    /// Whether there is a page.
    public var isTagManagementEnabled: Bool?
    /// Whether events also go to the collect sink.
    public var isCollectEnabled: Bool?
    /// Whether events wait while power is low.
    public var batterySaver: Bool?
    /// Whether events wait for a network that costs nothing.
    public var wifiOnly: Bool?
    /// Days that an event lives.
    public var expirationDays: Double?
    /// Events that leave together.
    public var batchSize: Int?
    /// Minutes between two looks for new settings.
    public var refreshMinutes: Double?
    /// Events that may wait.
    public var queueLimit: Int?
    /// What is logged.
    public var logLevel: LogLevel?

    /// Sets nothing.
    public init() {}
  }

  /// What is in force: an app's own value wins for limits and switches of the device, the published one for battery,
  /// collection and tag management; without published settings the app's own count throughout (WT-235).
  ///
  /// Whoever gives a number, it is held to what it may be.
  static func inForce(published: PublishSettings?, local: Local) -> PublishSettings {
    var settings = published ?? PublishSettings()
    settings.isEnabled = local.isEnabled ?? settings.isEnabled
    settings.wifiOnly = local.wifiOnly ?? settings.wifiOnly
    let defaults = PublishSettings()
    settings.expirationDays =
      SettingValue.days(local.expirationDays ?? settings.expirationDays) ?? defaults.expirationDays
    settings.batchSize = SettingValue.batch(Double(local.batchSize ?? settings.batchSize)) ?? defaults.batchSize
    settings.refreshMinutes =
      SettingValue.minutes(local.refreshMinutes ?? settings.refreshMinutes) ?? defaults.refreshMinutes
    settings.queueLimit = SettingValue.limit(Double(local.queueLimit ?? settings.queueLimit)) ?? defaults.queueLimit
    settings.logLevel = local.logLevel ?? settings.logLevel
    if published == nil {
      settings.batterySaver = local.batterySaver ?? settings.batterySaver
      settings.isCollectEnabled = local.isCollectEnabled ?? settings.isCollectEnabled
      settings.isTagManagementEnabled = local.isTagManagementEnabled ?? settings.isTagManagementEnabled
    }
    return settings
  }
}

/// Why a text gives no publish settings (WT-221).
public struct SettingsRejection: Error, Sendable, Hashable {
  /// What is wrong: an open set.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The name, as it is printed.
    public let rawValue: String

    /// Makes a code of a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// More than 2 MiB.
    public static let tooLarge = Code(rawValue: "tooLarge")
    /// No script assigns an object to `mps`.
    public static let notFound = Code(rawValue: "notFound")
    /// The text ends inside the object.
    public static let truncated = Code(rawValue: "truncated")
    /// The object is not JSON.
    public static let badJSON = Code(rawValue: "badJSON")
  }

  /// What is wrong.
  public var code: Code
  /// A sentence for a log; it holds nothing of the text.
  public var message: String

  /// Makes a rejection.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
