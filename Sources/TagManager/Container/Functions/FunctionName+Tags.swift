/// The functions of tags, `functionCall` besides (§800).
extension FunctionName {
  /// A measurement hit (TM-830, TM-831).
  public static let analytics = FunctionName(rawValue: "analytics")
  /// One request of a URL, whose answer is ignored (TM-840).
  public static let image = FunctionName(rawValue: "image")
  /// A conversion report (TM-842).
  public static let conversion = FunctionName(rawValue: "conversion")
  /// Pushes maps into the data layer.
  public static let dataLayerWrite = FunctionName(rawValue: "dataLayerWrite")
  /// An event for measurement by name (TM-845).
  public static let measurementEvent = FunctionName(rawValue: "measurementEvent")
  /// A request of any method (TM-846).
  public static let http = FunctionName(rawValue: "http")
  /// An event into a hidden page.
  public static let webTag = FunctionName(rawValue: "webTag")
}

extension FunctionTable {
  /// The functions of tags.
  package static let tags = FunctionTable([
    Entry(.functionCall, binary: "_func", json: "__funct"),
    Entry(.analytics, binary: "_ua", json: "__ua"),
    Entry(.image, binary: "_img", json: "__img"),
    Entry(.conversion, binary: "_conversion", json: "__awct", others: ["__sp"]),
    Entry(.dataLayerWrite, binary: "_dlw"),
    Entry(.measurementEvent, json: "__fm"),
    Entry(.http, binary: "_http", json: "__http"),
    Entry(.webTag, binary: "_webtag", json: "__webtag"),
  ])
}
