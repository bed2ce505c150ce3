import TagManager
import Testing

@Suite("Function tables")
struct FunctionTableTests {
  /// Kind, canonical name, ids of §600.3, §701 and §800.
  static let rows: [(FunctionKind, FunctionName, [String])] = [
    (.macro, .constant, ["_c", "__c"]), (.macro, .dataLayer, ["_v", "__v"]), (.macro, .eventParameter, ["__md"]),
    (.macro, .event, ["_e", "__e"]), (.macro, .functionCall, ["_func", "__func"]), (.macro, .userProperty, ["__fup"]),
    (.macro, .lookupTable, ["__smm"]), (.macro, .regexTable, ["__remm"]), (.macro, .analyticsSettings, ["__gas"]),
    (.macro, .language, ["_l", "__l"]), (.macro, .platform, ["_p", "__p"]), (.macro, .osVersion, ["_ov", "__ov"]),
    (.macro, .sdkVersion, ["_sv", "__sv"]), (.macro, .deviceName, ["_dn", "__dn"]),
    (.macro, .resolution, ["_rs", "__rs"]), (.macro, .appName, ["_an", "__an"]), (.macro, .appID, ["_ai", "__ai"]),
    (.macro, .appVersion, ["_av", "__av"]), (.macro, .appVersionName, ["_avn", "__avn"]),
    (.macro, .containerVersion, ["_ctv", "__ctv"]), (.macro, .containerID, ["__cid"]),
    (.macro, .productVersion, ["_gtmv"]), (.macro, .runtimeVersion, ["_rv"]), (.macro, .random, ["_r", "__r"]),
    (.macro, .time, ["_t", "__t"]), (.macro, .advertiserID, ["_aid"]), (.macro, .adTracking, ["_ate"]),
    (.macro, .deviceID, ["_did"]), (.macro, .adwordsID, ["_awid"]), (.macro, .clickReferrer, ["_awcr"]),
    (.macro, .installReferrer, ["_ir"]), (.macro, .encode, ["_enc"]), (.macro, .hash, ["_hsh", "__hsh"]),
    (.macro, .join, ["_jn"]), (.macro, .regexGroup, ["_reg"]), (.macro, .lowercase, ["_ls"]),
    (.macro, .uppercase, ["_us"]), (.macro, .bucket, ["_bucket", "__bucket"]), (.macro, .consent, ["_consent"]),
    (.predicate, .equals, ["_eq", "__eq"]), (.predicate, .contains, ["_cn"]), (.predicate, .startsWith, ["_sw"]),
    (.predicate, .endsWith, ["_ew"]), (.predicate, .matchesRegex, ["_re"]), (.predicate, .less, ["_lt"]),
    (.predicate, .lessOrEqual, ["_le"]), (.predicate, .greater, ["_gt"]), (.predicate, .greaterOrEqual, ["_ge"]),
    (.tag, .functionCall, ["_func", "__funct"]), (.tag, .analytics, ["_ua", "__ua"]),
    (.tag, .image, ["_img", "__img"]),
    (.tag, .conversion, ["__sp", "__awct", "_conversion"]), (.tag, .dataLayerWrite, ["_dlw"]),
    (.tag, .measurementEvent, ["__fm"]), (.tag, .http, ["_http", "__http"]), (.tag, .webTag, ["_webtag", "__webtag"]),
  ]

  @Test(
    "§600.3, TM-701, §800: each id gives its canonical name, and what an encoder writes reads back", arguments: rows)
  func names(kind: FunctionKind, name: FunctionName, ids: [String]) {
    for id in ids { #expect(kind.table.name(ofID: id) == name) }
    #expect(kind.table.name(ofID: kind.table.binaryID(of: name)) == name)
    #expect(kind.table.name(ofID: kind.table.jsonID(of: name)) == name)
    #expect(kind.table.isKnown(name))
  }

  @Test("TM-153: an id outside the tables has no name; a tag's id is none of a macro")
  func unknown() {
    #expect(FunctionTable.macros.name(ofID: "_ua") == nil)
    #expect(FunctionTable.tags.name(ofID: "_c") == nil)
    #expect(FunctionTable.macros.name(ofID: "") == nil)
    #expect(!FunctionTable.macros.isKnown(FunctionName(rawValue: "_xyz")))
  }

  @Test("TM-701: _css and _um are known but not implemented")
  func known() {
    #expect(FunctionTable.predicates.isKnown(.cssSelector))
    #expect(FunctionName.urlMatches.isUnknown)
  }
}

@Suite("Parameters")
struct ParametersTests {
  @Test("TM-150: a key given twice has its last value, and the order of keys has no meaning")
  func lastWins() {
    let one = Parameters([("b", ValueIndex(1)), ("a", ValueIndex(2)), ("b", ValueIndex(3))])
    let other: Parameters = ["a": ValueIndex(2), "b": ValueIndex(3)]
    #expect(one == other)
    #expect(one["b"] == ValueIndex(3))
    #expect(one["c"] == nil)
    #expect(one.keys == ["a", "b"])
  }

  @Test("Setting nil removes a key; texts that differ in bytes are different keys")
  func removal() {
    var parameters: Parameters = ["é": ValueIndex(1), "e\u{301}": ValueIndex(2)]
    #expect(parameters.count == 2)
    parameters["é"] = nil
    #expect(parameters["e\u{301}"] == ValueIndex(2))
    #expect(parameters["é"] == nil)
  }
}
