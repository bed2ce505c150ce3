/// The functions that give macros their values (§600.3).
extension FunctionName {
  /// A configured value.
  public static let constant = FunctionName(rawValue: "const")
  /// The value at a dotted path of the data layer.
  public static let dataLayer = FunctionName(rawValue: "dataLayer")
  /// A value of the update that made the event.
  public static let eventParameter = FunctionName(rawValue: "eventParameter")
  /// The event's name.
  public static let event = FunctionName(rawValue: "event")
  /// What a handler of the app returns (TM-660); as a tag, the call of a handler (TM-820).
  public static let functionCall = FunctionName(rawValue: "functionCall")
  /// A value below `user` in the data layer.
  public static let userProperty = FunctionName(rawValue: "userProperty")
  /// The value of the last entry whose key equals the input.
  public static let lookupTable = FunctionName(rawValue: "lookupTable")
  /// The value of the first entry whose pattern is found in the input.
  public static let regexTable = FunctionName(rawValue: "regexTable")
  /// The parameters themselves, for analytics tags to build on.
  public static let analyticsSettings = FunctionName(rawValue: "analyticsSettings")
  /// The device's language.
  public static let language = FunctionName(rawValue: "language")
  /// The platform's name.
  public static let platform = FunctionName(rawValue: "platform")
  /// The system's version.
  public static let osVersion = FunctionName(rawValue: "osVersion")
  /// The major number of the system's version.
  public static let sdkVersion = FunctionName(rawValue: "sdkVersion")
  /// The device model.
  public static let deviceName = FunctionName(rawValue: "deviceName")
  /// The screen in pixels.
  public static let resolution = FunctionName(rawValue: "resolution")
  /// The app's display name.
  public static let appName = FunctionName(rawValue: "appName")
  /// The app's bundle id.
  public static let appID = FunctionName(rawValue: "appID")
  /// The app's short version.
  public static let appVersion = FunctionName(rawValue: "appVersion")
  /// The app's short version.
  public static let appVersionName = FunctionName(rawValue: "appVersionName")
  /// The container's version.
  public static let containerVersion = FunctionName(rawValue: "containerVersion")
  /// The container's id.
  public static let containerID = FunctionName(rawValue: "containerID")
  /// Tagworks' version.
  public static let productVersion = FunctionName(rawValue: "productVersion")
  /// The number that rules compare to tell runtimes apart.
  public static let runtimeVersion = FunctionName(rawValue: "runtimeVersion")
  /// A whole random number.
  public static let random = FunctionName(rawValue: "random")
  /// The time in milliseconds.
  public static let time = FunctionName(rawValue: "time")
  /// The advertising id, if the app gives one.
  public static let advertiserID = FunctionName(rawValue: "advertiserID")
  /// Whether the person allows ad tracking.
  public static let adTracking = FunctionName(rawValue: "adTracking")
  /// The device id, if the app gives one.
  public static let deviceID = FunctionName(rawValue: "deviceID")
  /// The ad network's id, if the app gives one.
  public static let adwordsID = FunctionName(rawValue: "adwordsID")
  /// The click string of a conversion id (TM-546).
  public static let clickReferrer = FunctionName(rawValue: "clickReferrer")
  /// The campaign query that the store handed over at install.
  public static let installReferrer = FunctionName(rawValue: "installReferrer")
  /// Text recoded to base 16 or base 64.
  public static let encode = FunctionName(rawValue: "encode")
  /// The digest of a text.
  public static let hash = FunctionName(rawValue: "hash")
  /// A list or map as one text.
  public static let join = FunctionName(rawValue: "join")
  /// A group of a pattern's first match.
  public static let regexGroup = FunctionName(rawValue: "regexGroup")
  /// The text in lower case.
  public static let lowercase = FunctionName(rawValue: "lowercase")
  /// The text in upper case.
  public static let uppercase = FunctionName(rawValue: "uppercase")
  /// A number from 0 to 9,999 that is the same for an install and a salt.
  public static let bucket = FunctionName(rawValue: "bucket")
  /// Whether a consent type is granted.
  public static let consent = FunctionName(rawValue: "consent")
}

extension FunctionTable {
  /// The functions of macros.
  package static let macros = FunctionTable([
    Entry(.constant, binary: "_c", json: "__c"),
    Entry(.dataLayer, binary: "_v", json: "__v"),
    Entry(.eventParameter, json: "__md"),
    Entry(.event, binary: "_e", json: "__e"),
    Entry(.functionCall, binary: "_func"),
    Entry(.userProperty, json: "__fup"),
    Entry(.lookupTable, json: "__smm"),
    Entry(.regexTable, json: "__remm"),
    Entry(.analyticsSettings, json: "__gas"),
    Entry(.language, binary: "_l", json: "__l"),
    Entry(.platform, binary: "_p", json: "__p"),
    Entry(.osVersion, binary: "_ov", json: "__ov"),
    Entry(.sdkVersion, binary: "_sv", json: "__sv"),
    Entry(.deviceName, binary: "_dn", json: "__dn"),
    Entry(.resolution, binary: "_rs", json: "__rs"),
    Entry(.appName, binary: "_an", json: "__an"),
    Entry(.appID, binary: "_ai", json: "__ai"),
    Entry(.appVersion, binary: "_av", json: "__av"),
    Entry(.appVersionName, binary: "_avn", json: "__avn"),
    Entry(.containerVersion, binary: "_ctv", json: "__ctv"),
    Entry(.containerID, json: "__cid"),
    Entry(.productVersion, binary: "_gtmv"),
    Entry(.runtimeVersion, binary: "_rv"),
    Entry(.random, binary: "_r", json: "__r"),
    Entry(.time, binary: "_t"),
    Entry(.advertiserID, binary: "_aid"),
    Entry(.adTracking, binary: "_ate"),
    Entry(.deviceID, binary: "_did"),
    Entry(.adwordsID, binary: "_awid"),
    Entry(.clickReferrer, binary: "_awcr"),
    Entry(.installReferrer, binary: "_ir"),
    Entry(.encode, binary: "_enc"),
    Entry(.hash, binary: "_hsh"),
    Entry(.join, binary: "_jn"),
    Entry(.regexGroup, binary: "_reg"),
    Entry(.lowercase, binary: "_ls"),
    Entry(.uppercase, binary: "_us"),
    Entry(.bucket, binary: "_bucket"),
    Entry(.consent, binary: "_consent"),
  ])
}
