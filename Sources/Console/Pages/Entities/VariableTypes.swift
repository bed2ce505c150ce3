/// The types of variables of app containers (CO-205).
enum VariableTypes {
  static func type(_ id: String) -> EntityType? { all.first { $0.id == id } }

  static let all: [EntityType] = common + facts + texts

  private static let input = ParameterField("arg0", "Text", "It may hold references.", isRequired: true)
  private static let fallback = [
    ParameterField("setDefaultValue", "Has a default", "", .flag),
    ParameterField("defaultValue", "Default", "What it is when nothing else fits."),
  ]

  private static let common = [
    EntityType(
      "vc", "Value collection", "A table of names and values that apps read by name, while one of its triggers holds.",
      [
        ParameterField(
          "collection", "Names and values", "Apps read them by name; numbers, true and false are kept as such.",
          .collection, isRequired: true)
      ]),
    EntityType("c", "Constant", "One value.", [ParameterField("value", "Value")]),
    EntityType(
      "v", "Data layer variable", "What the app has put into the data layer under a name.",
      [
        ParameterField("name", "Name in the data layer", "With dots for what is nested: order.id.", isRequired: true),
        ParameterField(
          "dataLayerVersion", "Version", "Kept for other tools; apps read nested names with either.",
          .choice([("2", "2"), ("1", "1")]), standard: "2"),
      ] + fallback),
    EntityType(
      "md", "Event parameter", "A parameter of the event that is being looked at.",
      [ParameterField("key", "Name", "The parameter's name.", isRequired: true)] + fallback),
    EntityType(
      "func", "Function call", "What a function of the app returns.",
      [
        ParameterField(
          "function_call_macro_name", "Function", "The name by which the app registers it.", isRequired: true),
        ParameterField("additional_params", "Parameters", "What the function gets.", .map),
      ]),
    EntityType(
      "smm", "Lookup table", "Looks a text up in a table.",
      [
        ParameterField("input", "What is looked up", "A reference such as {{screen name}}.", isRequired: true),
        ParameterField("map", "Table", "", .records([("key", "Is"), ("value", "Gives")]), isRequired: true),
      ] + fallback),
    EntityType(
      "remm", "RegExp table", "Gives the value of the first pattern that is found in a text.",
      [
        ParameterField("input", "What is looked at", "A reference such as {{screen name}}.", isRequired: true),
        ParameterField("map", "Table", "", .records([("key", "Pattern"), ("value", "Gives")]), isRequired: true),
        ParameterField("ignoreCase", "Upper and lower case are the same", "", .flag),
        ParameterField("fullMatch", "The whole text must match", "", .flag),
      ] + fallback),
    EntityType(
      "r", "Random number", "A whole number, a new one for each event.",
      [ParameterField("min", "From", "0 without this."), ParameterField("max", "To", "2147483647 without this.")]),
    EntityType("e", "Event name", "The name of the event that is being looked at."),
    EntityType("t", "Time", "Milliseconds since 1970."),
  ]

  private static let facts = [
    EntityType(
      "l", "Language", "The language of the device.",
      [
        ParameterField(
          "component", "Which part", "",
          .choice([("language", "Language, such as es"), ("full", "All, such as es-es")]),
          standard: "language")
      ]),
    EntityType("p", "Platform", "Such as iOS."), EntityType("dn", "Device name", "The model of the device."),
    EntityType("ov", "OS version", "Such as 18.2."), EntityType("ai", "App ID", "Such as com.example.shop."),
    EntityType("an", "App name", "As the device shows it."), EntityType("av", "App version", "Such as 3.1."),
    EntityType("rs", "Screen resolution", "Width and height in pixels."),
    EntityType("sv", "SDK version", "The version of the tag manager in the app."),
    EntityType("cid", "Container ID", "The id of this container."),
    EntityType("ctv", "Container version", "The version that is in force in the app."),
    EntityType("aid", "Advertising ID", "Only when the app gives it."),
    EntityType("ate", "Tracking enabled", "Whether the person allows tracking."),
  ]

  private static let texts = [
    EntityType(
      "enc", "Encode", "A text in another form.",
      [
        input,
        ParameterField(
          "input_format", "It is given as", "",
          .choice([("text", "Text"), ("base16", "base16"), ("base64", "base64"), ("base64url", "base64url")]),
          standard: "text"),
        ParameterField(
          "output_format", "It becomes", "",
          .choice([("base16", "base16"), ("base64", "base64"), ("base64url", "base64url")]), standard: "base16"),
        ParameterField("no_padding", "Without padding", "", .flag),
      ]),
    EntityType(
      "hsh", "Hash", "The digest of a text.",
      [
        input,
        ParameterField(
          "algorithm", "Algorithm", "",
          .choice(["SHA-256", "SHA-1", "SHA-384", "SHA-512", "MD5"].map { ($0, $0) }), standard: "SHA-256"),
      ]),
    EntityType(
      "jn", "Join", "Several texts put together.",
      [
        ParameterField("arg0", "Texts", "In their order.", .list, isRequired: true),
        ParameterField("item_separator", "Between them", "Such as a comma."),
        ParameterField(
          "escape", "Escape", "", .choice([("", "Nothing"), ("url", "For addresses"), ("backslash", "By \\")])),
      ]),
    EntityType(
      "reg", "Extract", "What a group of a pattern finds in a text.",
      [
        input, ParameterField("arg1", "Pattern", "With a group in brackets.", isRequired: true),
        ParameterField("group", "Group", "1 without this; 0 is all of it."),
        ParameterField("ignore_case", "Upper and lower case are the same", "", .flag),
      ]),
    EntityType("ls", "Lower case", "A text in lower case.", [input]),
    EntityType("us", "Upper case", "A text in upper case.", [input]),
    EntityType(
      "consent", "Consent", "Whether the person has agreed to a purpose.",
      [ParameterField("type", "Purpose", "Such as ad_storage.", isRequired: true)]),
  ]
}
