/// Names of events, parameters and user properties: a letter, then letters, digits and `_` (HQ-634, HQ-636).
enum GA4Name {
  static func isLetter(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 }

  static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

  private static func isPart(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "_") }

  /// Whether the characters are those of a name, whatever its length.
  static func isWellFormed(_ name: String) -> Bool {
    guard let first = name.utf8.first, isLetter(first) else { return false }
    return name.utf8.allSatisfy(isPart)
  }

  /// Makes a name of any text: lower case; each run of other characters becomes `_`; outer `_` go; what does not begin
  /// with a letter gets `e_`.
  static func repaired(_ text: String) -> String {
    var bytes: [UInt8] = []
    var isInRun = false
    for byte in text.lowercased().utf8 {
      if isPart(byte) { bytes.append(byte) } else if !isInRun { bytes.append(UInt8(ascii: "_")) }
      isInRun = !isPart(byte)
    }
    let isMark: (UInt8) -> Bool = { $0 == UInt8(ascii: "_") }
    bytes = Array(bytes.drop(while: isMark))
    while let last = bytes.last, isMark(last) { bytes.removeLast() }
    guard let first = bytes.first else { return "" }
    return (isLetter(first) ? "" : "e_") + String(decoding: bytes, as: UTF8.self)
  }

  /// An event's name made of an event action (HQ-636).
  static func event(ofAction text: String, isApp: Bool) -> String {
    let name = repaired(text)
    return name.isEmpty ? "event" : allowed(name, isApp: isApp)
  }

  /// An event's name as it may be sent: one that is well formed keeps its case.
  static func event(_ name: String, isApp: Bool) -> String {
    isWellFormed(name) ? allowed(name, isApp: isApp) : event(ofAction: name, isApp: isApp)
  }

  private static func allowed(_ name: String, isApp: Bool) -> String {
    String((isReservedEvent(name, isApp: isApp) ? "tw_" + name : name).prefix(GA4Limits.name))
  }

  /// Whether an event's name is one that only Google sends; `screen_view` and `ad_impression` are an app's to send.
  static func isReservedEvent(_ name: String, isApp: Bool) -> Bool {
    let lower = name.lowercased()
    if lower == "ad_impression" || lower == "screen_view" { return !isApp }
    return hasReservedPrefix(lower) || lower.hasPrefix("gtag.") || reservedEvents.contains(lower)
  }

  static func isReservedParameter(_ name: String) -> Bool {
    hasReservedPrefix(name.lowercased()) || name == "firebase_conversion" || name == "user_properties"
  }

  static func isReservedUserProperty(_ name: String) -> Bool {
    let lower = name.lowercased()
    return hasReservedPrefix(lower) || reservedUserProperties.contains(lower)
  }

  private static func hasReservedPrefix(_ lower: String) -> Bool {
    ["_", "firebase_", "ga_", "google_"].contains { lower.hasPrefix($0) }
  }

  private static let reservedEvents: Set<String> = [
    "ad_activeview", "ad_click", "ad_exposure", "ad_query", "adunit_exposure", "app_clear_data", "app_install",
    "app_remove", "app_store_refund", "app_store_subscription_cancel", "app_store_subscription_convert",
    "app_store_subscription_renew", "app_update", "error", "first_open", "first_visit", "in_app_purchase",
    "notification_dismiss", "notification_foreground", "notification_open", "notification_receive", "os_update",
    "session_start", "user_engagement",
  ]

  private static let reservedUserProperties: Set<String> = [
    "first_open_time", "first_visit_time", "last_deep_link_referrer", "user_id", "first_open_after_install",
  ]
}
