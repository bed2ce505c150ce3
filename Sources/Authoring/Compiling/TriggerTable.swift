import TagManager

/// What the types of triggers and conditions mean to an app (CO-204).
enum TriggerTable {
  /// What a type of triggers asks of the event's name.
  enum Event: Sendable, Equatable {
    /// Nothing.
    case any
    /// What the trigger's own conditions on it say.
    case custom
    /// That it is this one.
    case named(String)
  }

  static func event(ofType type: String) -> Event? {
    switch type {
    case "ALWAYS": .any
    case "CUSTOM_EVENT": .custom
    default: names[type].map(Event.named)
    }
  }

  /// How a type of conditions compares; nil for one that only a web page can answer.
  static func function(ofType type: String) -> FunctionName? { functions[type] }

  static let names = [
    "FIREBASE_APP_EXCEPTION": "app_exception", "FIREBASE_APP_UPDATE": "app_update",
    "FIREBASE_CAMPAIGN": "firebase_campaign", "FIREBASE_FIRST_OPEN": "first_open",
    "FIREBASE_IN_APP_PURCHASE": "in_app_purchase", "FIREBASE_NOTIFICATION_DISMISS": "notification_dismiss",
    "FIREBASE_NOTIFICATION_FOREGROUND": "notification_foreground",
    "FIREBASE_NOTIFICATION_OPEN": "notification_open", "FIREBASE_NOTIFICATION_RECEIVE": "notification_receive",
    "FIREBASE_OS_UPDATE": "os_update", "FIREBASE_SESSION_START": "session_start",
    "FIREBASE_USER_ENGAGEMENT": "user_engagement",
  ]

  private static let functions: [String: FunctionName] = [
    "EQUALS": .equals, "CONTAINS": .contains, "STARTS_WITH": .startsWith, "ENDS_WITH": .endsWith,
    "MATCH_REGEX": .matchesRegex, "LESS": .less, "LESS_OR_EQUALS": .lessOrEqual, "GREATER": .greater,
    "GREATER_OR_EQUALS": .greaterOrEqual,
  ]
}

extension FunctionKind {
  /// The function of a type, such as `ua`; nil when no table names it.
  ///
  /// A type that begins with `_` is a function id of the app's own, which it registers (TM-850).
  func function(ofType type: String) -> FunctionName? {
    if let function = table.name(ofID: type.hasPrefix("_") ? type : "__" + type) { return function }
    return type.hasPrefix("_") && self == .tag ? FunctionName(rawValue: type) : nil
  }
}
