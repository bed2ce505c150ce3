import Hits
import TagManager
import Testing

@Suite struct HostileTagTests {
  private static let functions: [FunctionName] = [
    .functionCall, .analytics, .image, .conversion, .dataLayerWrite, .measurementEvent, .http,
  ]

  /// Every parameter that any built-in tag reads.
  private static let keys = [
    "function_call_macro_name", "additional_params", "classPath", "functionArgument", "account", "analytics_fields",
    "fields_to_set", "dimension", "metric", "content_group", "contentGroup", "track_event", "track_transaction",
    "transaction_datalayer_map", "transaction_item_datalayer_map", "enable_ecommerce", "ecommerce_use_data_layer",
    "ecommerce_macro_data", "trackType", "trackingId", "gaSettings", "overrideGaSettings", "fieldsToSet", "url",
    "unrepeatable", "useCacheBuster", "cacheBusterQueryParam", "randomNumber", "conversionId", "customParams",
    "remarketingOnly", "value", "clear_data_layer_prefix", "action", "eventName", "editParamTable", "dropParamTable",
    "mergeEventParameters", "overrideEventName", "method", "headers", "body", "format", "collect_adid",
  ]

  private static let deep = (0..<200).reduce(Value.string("x")) { value, level in
    level % 2 == 0 ? .list([value]) : .map(["k": value])
  }

  private static let values: [Value] = [
    "", "\u{0}\r\n&=?#%", .double(.nan), .double(-.infinity), 1e308, .int(.max), .int(.min), true, nil, .absent, [],
    [:],
    deep, .list((0..<500).map { .int($0) }),
    .map(Dictionary(uniqueKeysWithValues: (0..<500).map { ("k\($0)", .int($0)) })),
    [[1, [2]], ["key": ["value": nil]], .absent, ["key": "k", "value": [[]]]],
    [
      "&t": "event", "&tid": "U", "": 1, "&": 2, "cd0": 3, "promotions": [1, [:]],
      "products": [nil, ["dimension99999999999999999999": 1]],
    ],
    .string(String(repeating: "é", count: 5_000)), "measure", "filter", "TRACK_EVENT", "TRACK_TRANSACTION", "GET",
    "https://h/", "form",
  ]

  @Test("no parameter makes a tag trap, whatever its type and size", arguments: functions)
  func never(function: FunctionName) {
    var random = SplitMix(state: 42)
    for _ in 0..<150 {
      var parameters: [String: Value] = [:]
      for key in Self.keys where random.next() % 3 != 0 { parameters[key] = Self.values.randomElement(using: &random) }
      let rig = TagRig(
        parameters: parameters, update: ["event": Self.deep, "x": .double(.nan)],
        semantics: random.next() % 2 == 0 ? .legacy : .standard,
        dataLayer: [
          "ecommerce": Self.values.randomElement(using: &random) ?? nil, "transactionId": "T",
          "transactionProducts": Self.values.randomElement(using: &random) ?? nil,
        ],
        identifiers: TagRig.Identifiers())
      do throws(TagFailure) {
        for effect in try rig.effects(of: function) {
          if case .send(let hit, _) = effect { #expect(hit.kind != .beacon || WebURL(hit.get("url") ?? "") != nil) }
        }
      } catch {
        #expect(!error.description.isEmpty)
      }
    }
  }

  @Test("TM-850: the registry has every built-in function and no other")
  func registry() {
    for function in Self.functions { #expect(BuiltInTags[function] != nil) }
    #expect(BuiltInTags[.webTag] == nil)
    #expect(BuiltInTags[FunctionName(rawValue: "__html")] == nil)
  }

  private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var bits = state
      bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
      bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
      return bits ^ (bits >> 31)
    }
  }
}
