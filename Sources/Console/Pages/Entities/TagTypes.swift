/// The types of tags of app containers (CO-203).
enum TagTypes {
  static func type(_ id: String) -> EntityType? { all.first { $0.id == id } }

  static let all: [EntityType] = [analytics, event, function, image, http, conversion, webTag, push]

  private static let names = (key: "key", label: "Name")

  private static let analytics = EntityType(
    "ua", "Analytics hit", "Sends a hit of Universal Analytics, such as a screen view or an event.",
    [
      ParameterField(
        "trackingId", "Tracking ID", "The property that gets the hit, such as UA-12345-1.", isRequired: true,
        unless: "gaSettings"),
      ParameterField("gaSettings", "Settings", "A variable with settings that tags share, such as {{Settings}}."),
      ParameterField("overrideGaSettings", "Fields of this tag override those of the settings", "", .flag),
      ParameterField(
        "trackType", "What it sends", "",
        .choice([
          ("TRACK_SCREENVIEW", "Screen view"), ("TRACK_EVENT", "Event"), ("TRACK_TRANSACTION", "Transaction"),
          ("TRACK_SOCIAL", "Social"), ("TRACK_TIMING", "Timing"), ("TRACK_EXCEPTION", "Exception"),
        ]), standard: "TRACK_SCREENVIEW"),
      ParameterField("eventCategory", "Event category", "For events: the group, such as Product."),
      ParameterField("eventAction", "Event action", "For events: what happened, such as purchase."),
      ParameterField("eventLabel", "Event label"), ParameterField("eventValue", "Event value", "A whole number."),
      ParameterField(
        "nonInteraction", "Non-interaction hit",
        "It is nothing that a person did, and does not count for the bounce rate.", .flag),
      ParameterField(
        "fieldsToSet", "Fields to set", "Names such as screenName, or of the protocol such as &cd.",
        .records([("fieldName", "Field"), ("value", "Value")])),
      ParameterField("dimension", "Custom dimensions", "", .records([("index", "Index"), ("dimension", "Value")])),
      ParameterField("metric", "Custom metrics", "", .records([("index", "Index"), ("metric", "Value")])),
    ])

  private static let event = EntityType(
    "fm", "Event of Google Analytics 4", "Sends an event by a name of its own, or changes one on its way.",
    [
      ParameterField(
        "action", "What it does", "",
        .choice([
          ("measure", "Sends another event"), ("filter", "Sends the app's event, changed"),
          ("block", "Holds the app's event back"),
        ]), standard: "measure"),
      ParameterField("eventName", "Event name", "For another event."),
      ParameterField("overrideEventName", "New name", "For a changed event; its own without this."),
      ParameterField("mergeEventParameters", "With the parameters of the app's event", "", .flag),
      ParameterField(
        "editParamTable", "Parameters", "", .records([("editParamKey", "Name"), ("editParamValue", "Value")])),
      ParameterField("dropParamTable", "Parameters to leave out", "", .records([("dropParamKey", "Name")])),
    ])

  private static let function = EntityType(
    "func", "Function call", "Calls a function that the app has registered.",
    [
      ParameterField(
        "function_call_macro_name", "Function", "The name by which the app registers it.", isRequired: true),
      ParameterField("additional_params", "Parameters", "What the function gets.", .map),
    ])

  private static let image = EntityType(
    "img", "Custom image", "Requests a picture, as measuring pixels ask for.",
    [
      ParameterField("url", "Address", "With https://; it may hold references.", isRequired: true),
      ParameterField("additional_params", "Query parameters", "Added to the address, escaped.", .entries),
      ParameterField("useCacheBuster", "A number that is new each time", "So that nothing on the way answers.", .flag),
      ParameterField("cacheBusterQueryParam", "Name of that number", "gtmcb without this."),
      ParameterField("randomNumber", "Where the number comes from", "A variable such as {{random number}}."),
    ])

  private static let http = EntityType(
    "http", "HTTP request", "Sends a request to a server of yours.",
    [
      ParameterField("url", "Address", "With https://; it may hold references.", isRequired: true),
      ParameterField(
        "method", "Method", "", .choice([("POST", "POST"), ("GET", "GET"), ("PUT", "PUT")]), standard: "POST"),
      ParameterField(
        "format", "Form of the body", "", .choice([("json", "JSON"), ("form", "Form fields")]), standard: "json"),
      ParameterField("body", "Body", "What is sent.", .map), ParameterField("headers", "Header fields", "", .map),
    ])

  private static let conversion = EntityType(
    "awct", "Conversion pixel", "Tells an advertising network of a conversion.",
    [
      ParameterField("conversionId", "Conversion ID", "The number that the network gives.", isRequired: true),
      ParameterField("conversionLabel", "Label", "What tells conversions apart."),
      ParameterField("conversionValue", "Value", "What it is worth."),
      ParameterField("currencyCode", "Currency", "Such as EUR."), ParameterField("orderId", "Order ID"),
      ParameterField("screenName", "Screen name"),
      ParameterField("remarketingOnly", "Only for remarketing", "", .flag),
      ParameterField("customParams", "Custom parameters", "", .records([names, ("value", "Value")])),
    ])

  private static let webTag = EntityType(
    "webtag", "Web tag", "Hands an event to the page of a universal tag.",
    [
      ParameterField("title", "Event", "The event's title; the app's own event without this."),
      ParameterField("type", "Kind", "Such as view or link."), ParameterField("data", "Data", "", .map),
      ParameterField("instance", "Instance", "Of several pages, which one."),
      ParameterField("tagIDs", "Tags of the page", "Only these, by number.", .list),
    ])

  private static let push = EntityType(
    "dlw", "Value push", "Writes values into the data layer.",
    [
      ParameterField("value", "Values", "Names with dots are paths, such as order.id.", .entries),
      ParameterField("clear_data_layer_prefix", "Clear first", "Everything below this name is removed before."),
    ])
}
