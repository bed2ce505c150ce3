import Hits
import TagManager
import Testing

@Suite struct AnalyticsTagTests {
  private func hit(_ parameters: [String: Value], _ semantics: CompiledContainer.Semantics = .standard) throws
    -> HitBuilder
  {
    let hits = try TagRig(parameters: parameters, semantics: semantics).hits(of: .analytics)
    return try #require(hits.first)
  }

  @Test("F5: appview becomes screenview; false flags and missing labels are left out")
  func screenView() throws {
    let fields: Value = ["&tid": "UA-1-1", "&t": "appview", "&ni": false, "&aip": false, "&el": .absent, "&cd": "Home"]
    let effects = try TagRig(parameters: ["analytics_fields": fields], semantics: .legacy).effects(of: .analytics)
    #expect(
      effects == [
        .send(HitBuilder(kind: .screenView, fields: ["tid": "UA-1-1", "cd": "Home"]), tracker: "UA-1-1")
      ])
    #expect(HitKind.screenView.wireName == "screenview")
  }

  @Test("TM-830: the single parameters of the binary form become fields")
  func binaryParameters() throws {
    let event = try hit(
      [
        "account": "UA-1-1", "track_event": true, "event_category": "Screens", "event_action": "Close",
        "event_label": "Main", "event_value": 3, "noninteraction": true, "content_description": "Main screen",
        "app_name": "App", "app_version": "1.4", "anonymize_ip": true, "dimension": ["1": "a", "200": "b"],
        "metric": ["2": 1.5], "content_group": ["10": "g"], "fields_to_set": ["&el": "Last", "screenName": "Named"],
        "analytics_pass_through": true,
      ], .legacy)
    #expect(event.kind == .event)
    #expect(
      event.fields == [
        "tid": "UA-1-1", "ec": "Screens", "ea": "Close", "el": "Last", "ev": "3", "ni": "1", "cd": "Named", "an": "App",
        "av": "1.4", "aip": "1", "cd1": "a", "cd200": "b", "cm2": "1.5", "cg10": "g",
      ])
  }

  @Test(
    "TM-830: the hit type follows the track parameters, TM-847: the kind follows the hit type",
    arguments: [
      ("track_appview", HitKind.screenView), ("track_event", .event), ("track_exception", .exception),
      ("track_social", .social), ("track_timing", .timing), ("track_data", .custom("data")),
    ])
  func binaryTypes(parameter: String, kind: HitKind) throws {
    #expect(try hit(["account": "UA-1-1", parameter: true]).kind == kind)
  }

  @Test("TM-830: analytics_fields win over the single parameters, fields_to_set over both")
  func binaryOrder() throws {
    let event = try hit([
      "account": "UA-1-1", "track_appview": true, "event_category": "a", "event_action": "a", "event_label": "a",
      "noninteraction": true,
      "analytics_fields": ["&tid": "UA-2-2", "&t": "event", "&ea": "b", "el": "b", "&ni": false],
      "fields_to_set": ["&el": "c", "&ea": ""],
    ])
    #expect(event.kind == .event)
    #expect(event.fields == ["tid": "UA-2-2", "ec": "a", "ea": "b", "el": "c"])
  }

  @Test("TM-830: exceptions, socials and timings of the binary form")
  func binaryOthers() throws {
    let exception = try hit([
      "account": "U", "track_exception": true, "exception_description": "d", "exception_fatal": true,
    ])
    #expect(exception.fields == ["tid": "U", "exd": "d", "exf": "1"])
    let social = try hit([
      "account": "U", "track_social": true, "social_network": "n", "social_action": "a", "social_action_target": "t",
    ])
    #expect(social.fields == ["tid": "U", "sn": "n", "sa": "a", "st": "t"])
    let timing = try hit([
      "account": "U", "track_timing": true, "timing_category": "c", "timing_var": "v", "timing_value": 20,
      "timing_label": "l",
    ])
    #expect(timing.fields == ["tid": "U", "utc": "c", "utv": "v", "utt": "20", "utl": "l"])
  }

  @Test("TM-831: the JSON form with its tables and field names")
  func compiled() throws {
    let event = try hit([
      "trackType": "TRACK_EVENT", "trackingId": "UA-1-1", "eventCategory": "c", "eventAction": "a", "eventLabel": "l",
      "eventValue": "1", "nonInteraction": true, "trackTypeIsEvent": true,
      "fieldsToSet": [
        ["fieldName": "screenName", "value": "s"], ["fieldName": "userId", "value": "u"],
        ["fieldName": "clientId", "value": "x"], ["fieldName": "page", "value": "/p"],
        ["fieldName": "title", "value": "t"], ["fieldName": "location", "value": "https://h/"],
        ["fieldName": "language", "value": "vi"], ["fieldName": "appName", "value": "n"],
        ["fieldName": "appVersion", "value": "v"], ["fieldName": "appId", "value": "i"],
        ["fieldName": "anonymizeIp", "value": "true"], ["fieldName": "campaignName", "value": "1"],
        ["fieldName": "campaignSource", "value": "2"], ["fieldName": "campaignMedium", "value": "3"],
        ["fieldName": "campaignKeyword", "value": "4"], ["fieldName": "campaignContent", "value": "5"],
        ["fieldName": "campaignId", "value": "6"], ["fieldName": "sampleRate", "value": 50],
        ["fieldName": "currencyCode", "value": "EUR"], ["fieldName": "&item_name", "value": "w"],
      ],
      "dimension": [["index": "1", "dimension": "d"], ["index": 2, "dimension": .absent]],
      "metric": [["index": "3", "metric": 4]], "contentGroup": [["index": "5", "group": "g"]],
    ])
    #expect(event.kind == .event)
    #expect(
      event.fields == [
        "tid": "UA-1-1", "ec": "c", "ea": "a", "el": "l", "ev": "1", "ni": "1", "cd": "s", "uid": "u", "cid": "x",
        "dp": "/p", "dt": "t", "dl": "https://h/", "ul": "vi", "an": "n", "av": "v", "aid": "i", "aip": "1", "cn": "1",
        "cs": "2", "cm": "3", "ck": "4", "cc": "5", "ci": "6", "sf": "50", "cu": "EUR", "item_name": "w", "cd1": "d",
        "cm3": "4", "cg5": "g",
      ])
  }

  @Test(
    "TM-831: the hit type follows trackType",
    arguments: [
      (["trackType": "TRACK_SCREENVIEW"], .screenView, ["tid": "U"]),
      (
        ["trackType": "TRACK_SOCIAL", "socialNetwork": "n", "socialAction": "a", "socialActionTarget": "t"], .social,
        ["tid": "U", "sn": "n", "sa": "a", "st": "t"]
      ),
      (
        [
          "trackType": "TRACK_TIMING", "timingCategory": "c", "timingVar": "v", "timingValue": "20", "timingLabel": "l",
        ], .timing, ["tid": "U", "utc": "c", "utv": "v", "utt": "20", "utl": "l"]
      ),
      (
        ["trackType": "TRACK_EXCEPTION", "exceptionDescription": "d", "exceptionFatal": false], .exception,
        ["tid": "U", "exd": "d"]
      ),
    ] as [([String: Value], HitKind, [String: String])])
  func compiledTypes(parameters: [String: Value], kind: HitKind, fields: [String: String]) throws {
    let hit = try hit(parameters.merging(["trackingId": "U"]) { $1 })
    #expect(hit.kind == kind)
    #expect(hit.fields == fields)
  }

  @Test("TM-831: settings are the base; the tag's own keys replace them only when it says so, and lists are appended")
  func settings() throws {
    let settings: Value = [
      "trackingId": "UA-1-1", "eventLabel": "settings",
      "fieldsToSet": [["fieldName": "screenName", "value": "s"], ["fieldName": "title", "value": "s"]],
      "dimension": [["index": "1", "dimension": "s"]],
    ]
    let own: [String: Value] = [
      "trackType": "TRACK_EVENT", "eventCategory": "c", "eventAction": "a", "eventLabel": "own", "gaSettings": settings,
      "trackingId": "UA-2-2", "fieldsToSet": [["fieldName": "title", "value": "own"]],
    ]
    let base = try hit(own.merging(["overrideGaSettings": false]) { $1 })
    #expect(
      base.fields == [
        "tid": "UA-1-1", "ec": "c", "ea": "a", "el": "settings", "cd": "s", "dt": "s", "cd1": "s",
      ])
    let overridden = try hit(own.merging(["overrideGaSettings": true]) { $1 })
    #expect(
      overridden.fields == ["tid": "UA-2-2", "ec": "c", "ea": "a", "el": "own", "cd": "s", "dt": "own", "cd1": "s"])
  }

  @Test("TM-831: unknown field names are dropped with a warning each")
  func unknownFields() throws {
    let rig = TagRig(parameters: [
      "trackType": "TRACK_SCREENVIEW", "trackingId": "U",
      "fieldsToSet": [
        ["fieldName": "loginTime", "value": "x"], ["fieldName": "", "value": "x"], ["fieldName": "&", "value": "x"],
        ["fieldName": "screenName", "value": "s"],
      ],
      "dimension": [["index": "201", "dimension": "d"], ["index": "x", "dimension": "d"]],
    ])
    #expect(try rig.hits(of: .analytics).map(\.fields) == [["tid": "U", "cd": "s"]])
    let warnings = try rig.warnings(of: .analytics)
    #expect(warnings.count == 5)
    #expect(warnings.allSatisfy { $0.code.rawValue == "unknownAnalyticsField" && $0.severity == .warning })
    #expect(warnings.contains { $0.message.contains("'loginTime'") })
  }

  @Test("TM-832: values are text forms, missing and empty ones are left out, flags are 1 or nothing")
  func texts() throws {
    let event = try hit(
      [
        "account": "U",
        "analytics_fields": [
          "&t": "event", "&ec": ["a", "b"], "&ea": ["k": 1.0], "&el": "", "&ev": nil, "&ni": "1", "&cd1": true,
          "&cm1": 1e21, "&aip": "no",
        ],
      ], .legacy)
    #expect(event.fields == ["tid": "U", "ec": "[a, b]", "ea": "{k=1}", "ni": "1", "cd1": "true", "cm1": "1e+21"])
  }

  @Test(
    "TM-832: a tag without a property fails, and so does one that tracks nothing",
    arguments: [
      (["trackType": "TRACK_EVENT", "trackingId": ""], "trackingId"),
      (["analytics_fields": ["&t": "event", "&tid": .absent]], "trackingId"), ([:], "trackingId"),
      (["trackType": "TRACK_NOTHING", "trackingId": "U"], "trackType"), (["account": "U"], "t"),
    ] as [([String: Value], String)])
  func failures(parameters: [String: Value], missing: String) {
    #expect(TagRig(parameters: parameters).failure(of: .analytics) == .evaluation(.missingParameter(missing)))
  }

  @Test("TM-833: the advertising id is added when it is asked for, given and allowed")
  func advertisingID() throws {
    var rig = TagRig(parameters: ["account": "U", "track_appview": true, "collect_adid": true])
    func fields() throws -> [String: String] { try rig.hits(of: .analytics).first?.fields ?? [:] }
    #expect(try fields() == ["tid": "U"])
    rig.identifiers = TagRig.Identifiers(advertisingID: "AB-1")
    #expect(try fields() == ["tid": "U", "idfa": "AB-1", "ate": "1"])
    rig.identifiers?.isTrackingAllowed = false
    #expect(try fields() == ["tid": "U"])
    rig.identifiers = TagRig.Identifiers(advertisingID: "00000000-0000-0000-0000-000000000000")
    #expect(try fields() == ["tid": "U"])
    rig.identifiers = TagRig.Identifiers(advertisingID: "AB-1")
    rig.parameters = ["trackType": "TRACK_SCREENVIEW", "trackingId": "U", "collectAdid": true]
    #expect(try fields() == ["tid": "U", "idfa": "AB-1", "ate": "1"])
    rig.parameters["collectAdid"] = false
    #expect(try fields() == ["tid": "U"])
  }

  @Test("TM-847: an analytics hit goes to the tracker of its property")
  func tracker() throws {
    let effects = try TagRig(parameters: ["account": "UA-7-7", "track_appview": true]).effects(of: .analytics)
    #expect(effects == [.send(HitBuilder(kind: .screenView, fields: ["tid": "UA-7-7"]), tracker: "UA-7-7")])
  }
}
