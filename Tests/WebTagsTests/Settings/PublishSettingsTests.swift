import Foundation
import Hits
import Testing

@testable import WebTags

@Suite struct PublishSettingsTests {
  private static let object = #"{"4":{"ivar_tracking":"true"},"5":{"event_batch_size":"3","note":"a } \" { b"}}"#

  private static func page(_ script: String) -> Data {
    Data("<!--mobile.webview ut4.0.202001010000--><html><head><script>\(script)</script></head></html>".utf8)
  }

  private static func rejection(_ page: Data) -> SettingsRejection.Code? {
    do {
      _ = try PublishSettings.parse(page: page)
      return nil
    } catch {
      return error.code
    }
  }

  @Test(
    "WT-1206, WT-220: an assignment to mps is found in every spelling",
    arguments: [
      "var utag_cfg_ovrd={noview:true};var mps = \(object);",
      "mps=\(object)", "window.mps=\(object);more();", "var   mps\n=\t\(object)", "var a=1,mps=\(object),b=2",
      "xmps={};a.mps={};mps2={};mps==1;mps = 3;window.mps \n= \(object)",
      "function f(){};var mps=\(object);var mps={\"5\":{}}",
    ])
  func spellings(script: String) throws {
    let settings = try PublishSettings.parse(page: Self.page(script))
    #expect(settings.batchSize == 3)
    #expect(settings.raw["5"]?.map?["note"] == "a } \" { b")
    #expect(settings.raw["4"] == ["ivar_tracking": "true"])
  }

  @Test("WT-220: the settings may be in any inline script, and a script with a source is none")
  func otherScripts() throws {
    let text =
      "<script src='//a/mps={}'></script><SCRIPT type=a>if(1<2){}</SCRIPT><script>var mps=\(Self.object)</script>"
    #expect(try PublishSettings.parse(page: Data(text.utf8)).batchSize == 3)
    #expect(Self.rejection(Data("<script src=a>mps={\"5\":{}}</script>".utf8)) == .notFound)
  }

  @Test(
    "WT-221: what is no page of settings is rejected by name (peer bug 2)",
    arguments: [
      ("<html><body>Log in to the hotel</body></html>", SettingsRejection.Code.notFound),
      ("", .notFound), ("\u{0}\u{1}\u{FFFD}", .notFound), ("<script>mps={\"5\":{\"a\":1}</script>", .truncated),
      ("<script>mps={\"5\":{\"a\":1", .truncated), ("<script>mps={a:1}</script>", .badJSON),
      ("<script>mps={\"5\":\"}\"</script>", .truncated), ("{\"a\":", .badJSON), ("<script", .notFound),
    ])
  func rejections(text: String, code: SettingsRejection.Code) {
    #expect(Self.rejection(Data(text.utf8)) == code)
    #expect(Self.rejection(Data(repeating: 0x7B, count: PublishSettings.longestText + 1)) == .tooLarge)
  }

  @Test("WT-222: without its part 5 a page gives every default (peer bug 34)")
  func defaults() throws {
    let (settings, isIncomplete) = try PublishSettings.parse(Array(Self.page("var mps={\"4\":{}}")))
    #expect(isIncomplete)
    var expected = PublishSettings()
    expected.raw = ["4": [:]]
    #expect(settings == expected)
    #expect(settings.isEnabled && settings.isTagManagementEnabled && settings.batterySaver)
    #expect(!settings.isCollectEnabled && !settings.wifiOnly)
    #expect(settings.expirationDays == -1 && settings.batchSize == 1)
    #expect(settings.refreshMinutes == 15 && settings.queueLimit == -1 && settings.logLevel == nil)
  }

  @Test("WT-222: values are texts, numbers or booleans; a bad one is its default")
  func values() throws {
    func settings(_ five: String) throws -> PublishSettings {
      try PublishSettings.parse(page: Self.page("var mps={\"5\":\(five)}"))
    }
    let texts = try settings(
      #"{"_is_enabled":"FALSE","enable_tag_management":"false","enable_collect":"True","battery_saver":"false","#
        + #""wifi_only_sending":true,"dispatch_expiration":"1.5","event_batch_size":"15.0","minutes_between_refresh":"#
        + #""0.5","offline_dispatch_limit":"100","override_log":"QA"}"#)
    #expect(!texts.isEnabled && !texts.isTagManagementEnabled && texts.isCollectEnabled)
    #expect(!texts.batterySaver && texts.wifiOnly && texts.expirationDays == 1.5)
    #expect(texts.batchSize == 10 && texts.refreshMinutes == 1 && texts.queueLimit == 100 && texts.logLevel == .qa)
    let bad = try settings(
      #"{"_is_enabled":"maybe","battery_saver":[],"dispatch_expiration":"soon","event_batch_size":"-1","#
        + #""minutes_between_refresh":{},"offline_dispatch_limit":"1e400","override_log":"loud"}"#)
    var expected = PublishSettings()
    expected.raw = bad.raw
    #expect(bad == expected)
    let bounds = try settings(#"{"minutes_between_refresh":99999,"offline_dispatch_limit":0,"event_batch_size":0}"#)
    #expect(bounds.refreshMinutes == 10_080 && bounds.queueLimit == 0 && bounds.batchSize == 1)
    #expect(try settings(#"{"minutes_between_refresh":"0"}"#).refreshMinutes == 0)
  }

  @Test("WT-226: a settings file has names and units of its own")
  func file() throws {
    let text = """
      {"collect_dispatcher": true, "tag_management_dispatcher": false, "disable_library": true, "battery_saver": false,
       "wifi_only": true, "log_level": "dev", "refresh_interval": "2h",
       "batching": {"expiration": "1d", "batch_size": 5, "max_queue_size": 50}}
      """
    let settings = try PublishSettings.parse(page: Data(text.utf8))
    #expect(settings.isCollectEnabled && !settings.isTagManagementEnabled && !settings.isEnabled)
    #expect(!settings.batterySaver && settings.wifiOnly && settings.logLevel == .dev)
    #expect(settings.refreshMinutes == 120 && settings.expirationDays == 1)
    #expect(settings.batchSize == 5 && settings.queueLimit == 50)
    #expect(try PublishSettings.parse(page: Data("{\"refresh_interval\": 90}".utf8)).refreshMinutes == 1.5)
    #expect(try PublishSettings.parse(page: Data("{\"refresh_interval\": \"5x\"}".utf8)).refreshMinutes == 15)
  }

  @Test("WT-235: the app's own values win for limits, the published ones for battery, collection and tags")
  func precedence() {
    var local = PublishSettings.Local()
    local.expirationDays = 3
    local.batchSize = 4
    local.queueLimit = 5
    local.wifiOnly = true
    local.refreshMinutes = 6
    local.isEnabled = false
    local.logLevel = .silent
    local.batterySaver = false
    local.isCollectEnabled = true
    local.isTagManagementEnabled = false
    let published = PublishSettings()
    let merged = PublishSettings.inForce(published: published, local: local)
    #expect(merged.expirationDays == 3 && merged.batchSize == 4 && merged.queueLimit == 5 && merged.wifiOnly)
    #expect(merged.refreshMinutes == 6 && !merged.isEnabled && merged.logLevel == .silent)
    #expect(merged.batterySaver && !merged.isCollectEnabled && merged.isTagManagementEnabled)
    let alone = PublishSettings.inForce(published: nil, local: local)
    #expect(!alone.batterySaver && alone.isCollectEnabled && !alone.isTagManagementEnabled)
  }

  @Test(
    "WT-222, WT-235: the app's own numbers are held to what published ones may be",
    arguments: [
      (Double.infinity, 36_500.0, 10_080.0), (1e300, 36_500, 10_080), (-.infinity, -1, 15), (.nan, -1, 15),
      (0.5, 0.5, 1), (0, 0, 0),
    ])
  func localBounds(number: Double, days: Double, minutes: Double) {
    var local = PublishSettings.Local()
    (local.expirationDays, local.refreshMinutes) = (number, number)
    (local.batchSize, local.queueLimit) = (.max, .min)
    let settings = PublishSettings.inForce(published: nil, local: local)
    #expect(settings.expirationDays == days && settings.refreshMinutes == minutes)
    #expect(settings.batchSize == 10 && settings.queueLimit == -1)
    // An event of 1970 is as old as an event can be.
    var queue = EventQueue()
    queue.rules.expirationDays = settings.expirationDays
    _ = queue.add(EventQueue.Entry(EventSummary(id: UUID(), time: 0, bytes: 1, type: "link", title: "e"), since: 0))
    #expect(queue.expire(.max).count == (days > 0 ? 1 : 0))
  }

  @Test("WT-233: a page compares without its settings")
  func changedPage() {
    let first = Array(Self.page("var mps={\"5\":{}};x()"))
    let second = Array(Self.page("var mps={\"5\":{\"battery_saver\":\"false\"}};x()"))
    let third = Array(Self.page("var mps={\"5\":{}};y()"))
    #expect(InlineScripts.withoutSettings(first) == InlineScripts.withoutSettings(second))
    #expect(InlineScripts.withoutSettings(first) != InlineScripts.withoutSettings(third))
  }

  @Test("WT-1007: hostile text is read in linear time", .timeLimit(.minutes(1)))
  func hostile() {
    for piece in ["mps={", "<script>mps={\"", "<script>", "mps=", "</script", "window.", "<"] {
      let text = "<script>" + String(repeating: piece, count: 1_000_000 / piece.utf8.count)
      #expect(Self.rejection(Data(text.utf8)) != nil)
    }
    let owners = "<script>" + String(repeating: "window.", count: 150_000) + "mps={"
    #expect(Self.rejection(Data(owners.utf8)) != nil)
  }
}
