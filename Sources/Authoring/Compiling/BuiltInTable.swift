import Hits

/// The built-in variables of app containers: what each type is called by default and which macro it becomes (CO-205).
struct BuiltInTable {
  /// One of them.
  struct Row: Sendable {
    let name: String
    /// The type of a variable that gives the same value.
    let variableType: String
    let parameters: [(key: String, text: String)]

    init(_ name: String, _ variableType: String, _ parameters: [(key: String, text: String)] = []) {
      self.name = name
      self.variableType = variableType
      self.parameters = parameters
    }

    /// A parameter of the app's own event.
    fileprivate static func event(_ name: String, _ key: String) -> Row {
      Row(name, "md", [("eventType", "CUSTOM"), ("key", key)])
    }

    /// A parameter of the event that tells of the campaign.
    fileprivate static func campaign(_ name: String, _ key: String) -> Row {
      Row(
        name, "md",
        [("eventType", "SUGGESTED"), ("firebaseCampaignParam", key), ("suggestedEvent", "firebase_campaign")])
    }
  }

  static subscript(_ type: String) -> Row? { rows[type] }

  static let rows: [String: Row] = [
    "EVENT": Row("Event", "e"), "EVENT_NAME": Row("Event Name", "e"),
    "APP_ID": Row("App ID", "ai"), "APP_NAME": Row("App Name", "an"),
    "APP_VERSION_CODE": Row("App Version Code", "av"), "APP_VERSION_NAME": Row("App Version Name", "avn"),
    "LANGUAGE": Row("Language", "l"), "OS_VERSION": Row("OS Version", "ov"), "PLATFORM": Row("Platform", "p"),
    "SDK_VERSION": Row("SDK Version", "sv"), "DEVICE_NAME": Row("Device Name", "dn"),
    "RESOLUTION": Row("Screen Resolution", "rs"), "ADVERTISER_ID": Row("Advertiser ID", "aid"),
    "ADVERTISING_TRACKING_ENABLED": Row("Advertising Tracking Enabled", "ate"),
    "CONTAINER_ID": Row("Container ID", "cid"), "CONTAINER_VERSION": Row("Container Version", "ctv"),
    "RANDOM_NUMBER": Row("Random Number", "r"),
    "FIREBASE_EVENT_PARAMETER_CAMPAIGN": .campaign("Campaign Name", "campaign"),
    "FIREBASE_EVENT_PARAMETER_CAMPAIGN_ACLID": .campaign("Click ID (aclid)", "aclid"),
    "FIREBASE_EVENT_PARAMETER_CAMPAIGN_ANID": .campaign("Ad Network ID (anid)", "anid"),
    "FIREBASE_EVENT_PARAMETER_CAMPAIGN_CLICK_TIMESTAMP": .campaign("Campaign Click Timestamp", "click_timestamp"),
    "FIREBASE_EVENT_PARAMETER_CAMPAIGN_CONTENT": .campaign("Campaign Content", "content"),
    "FIREBASE_EVENT_PARAMETER_CAMPAIGN_CP1": .campaign("Campaign Custom Parameter 1", "cp1"),
    "FIREBASE_EVENT_PARAMETER_CAMPAIGN_GCLID": .campaign("Google Click ID (gclid)", "gclid"),
    "FIREBASE_EVENT_PARAMETER_CAMPAIGN_SOURCE": .campaign("Campaign Source", "source"),
    "FIREBASE_EVENT_PARAMETER_CAMPAIGN_TERM": .campaign("Campaign Search Term", "term"),
    "FIREBASE_EVENT_PARAMETER_CURRENCY": .event("In-app Purchase Currency", "currency"),
    "FIREBASE_EVENT_PARAMETER_DYNAMIC_LINK_ACCEPT_TIME": .event("Dynamic Link Accept Time", "accept_time"),
    "FIREBASE_EVENT_PARAMETER_DYNAMIC_LINK_LINKID": .event("Dynamic Link ID", "link_id"),
    "FIREBASE_EVENT_PARAMETER_NOTIFICATION_MESSAGE_DEVICE_TIME":
      .event("Notification Device Time", "message_device_time"),
    "FIREBASE_EVENT_PARAMETER_NOTIFICATION_MESSAGE_ID": .event("Notification Message ID", "message_id"),
    "FIREBASE_EVENT_PARAMETER_NOTIFICATION_MESSAGE_NAME": .event("Notification Message Name", "message_name"),
    "FIREBASE_EVENT_PARAMETER_NOTIFICATION_MESSAGE_TIME": .event("Notification Message Time", "message_time"),
    "FIREBASE_EVENT_PARAMETER_NOTIFICATION_TOPIC": .event("Notification Message Topic", "topic"),
    "FIREBASE_EVENT_PARAMETER_PREVIOUS_APP_VERSION": .event("Previous Application Version", "previous_app_version"),
    "FIREBASE_EVENT_PARAMETER_PREVIOUS_OS_VERSION": .event("Previous OS Version", "previous_os_version"),
    "FIREBASE_EVENT_PARAMETER_PRICE": .event("In-app Purchase Price", "price"),
    "FIREBASE_EVENT_PARAMETER_PRODUCT_ID": .event("In-app Purchase Product ID", "product_id"),
    "FIREBASE_EVENT_PARAMETER_QUANTITY": .event("In-app Purchase Quantity", "quantity"),
    "FIREBASE_EVENT_PARAMETER_VALUE": .event("In-app Purchase Value", "value"),
  ]
}

extension Workspace {
  /// The built-in variables that are switched on, each with the name it is referred to by.
  ///
  /// Format 2 lists them as entities; format 1.3 lists their types in the container.
  var enabledBuiltIns: [BuiltInVariable] {
    let types = builtInVariables.isEmpty ? container.texts("enabledBuiltInVariable") : []
    let listed = builtInVariables + types.map { BuiltInVariable(fields: ["type": .string($0)]) }
    return listed.map { builtIn in
      guard builtIn.name.isEmpty, let row = BuiltInTable[builtIn.type] else { return builtIn }
      var named = builtIn
      named.name = row.name
      return named
    }
  }
}
