import Hits
import TestSupport
import Testing

@testable import TagManager

@Suite("Macros of device, container, chance and origin")
struct FactFunctionTests {
  private struct Identifiers: IdentifierProvider {
    var advertisingID: String?
    var isTrackingAllowed = true
    var deviceID: String?
  }

  @Test(
    "§600.3: the language subtag, or the whole tag, in lower case",
    arguments: [
      ("es-ES", nil, "es"), ("es-ES", "language", "es"), ("es-ES", "full", "es-es"), ("en", "full", "en"),
      ("zh-Hans-CN", nil, "zh"), ("pt_BR", "full", "pt-br"),
    ] as [(String, Value?, String)])
  func language(tag: String, component: Value?, text: String) {
    let context = MacroContext.test { $0.device = FixedDevice(language: tag) }
    let arguments = component.map { ["component": $0] } ?? [:]
    #expect(evaluate("_l", arguments, in: context) == .value(.string(text)))
  }

  @Test("§600.3: facts of device and app; what the device does not know is missing")
  func device() {
    let known = MacroContext.test {
      $0.device = FixedDevice(
        platform: "iOS", osVersion: "18.2", model: "iPhone17,1", screen: ScreenSize(width: 1179, height: 2556),
        appName: "Shop", appID: "com.example.shop", appVersion: "3.1")
    }
    let facts: [(String, Value)] = [
      ("_p", "iOS"), ("_ov", "18.2"), ("_sv", "18"), ("_dn", "iPhone17,1"), ("_rs", "1179x2556"), ("_an", "Shop"),
      ("_ai", "com.example.shop"), ("_av", "3.1"), ("_avn", "3.1"),
    ]
    for (id, value) in facts { #expect(evaluate(id, in: known) == .value(value), "\(id)") }
    for id in ["_rs", "_an", "_ai", "_av", "_avn", "_ir"] { #expect(evaluate(id) == .missing(.noValue), "\(id)") }
  }

  @Test("§600.3: facts of the container and of what runs it")
  func container() {
    #expect(evaluate("_ctv") == .value("7"))
    #expect(evaluate("__cid") == .value("GTM-TEST"))
    #expect(evaluate("_gtmv") == .value(.string(ProductInfo.version)))
    #expect(evaluate("_rv") == .value(100_000_000))
  }

  @Test("§600.3: consent is true or false")
  func consent() {
    let context = MacroContext.test { $0.consent = .granted(["analytics_storage"]) }
    #expect(evaluate("_consent", ["type": "analytics_storage"], in: context) == .value(true))
    #expect(evaluate("_consent", ["type": "ad_storage"], in: context) == .value(false))
    #expect(evaluate("_consent", ["type": "ad_storage"]) == .value(true))
  }

  @Test("§600.3: the time is the push's, in milliseconds")
  func time() { #expect(evaluate("_t") == .value(1_800_000_000_123)) }

  @Test("§600.3: a random number is uniform over its bounds, both ends included")
  func random() {
    let context = MacroContext.test()
    var seen: Set<Value> = []
    for _ in 0..<200 {
      guard case .value(let number)? = evaluate("_r", ["min": "3", "max": 5], in: context) else { continue }
      seen.insert(number)
    }
    #expect(seen == [3, 4, 5])
    #expect(evaluate("_r", ["min": 7, "max": 7], in: context) == .value(7))
  }

  @Test(
    "§600.3: bad bounds, and none, are the defaults",
    arguments: [[:], ["min": "x", "max": 1], ["min": 5, "max": 4], ["max": [:]]] as [[String: Value]])
  func randomBounds(arguments: [String: Value]) {
    let context = MacroContext.test()
    var largest: Int64 = 0
    for _ in 0..<100 {
      guard case .value(.int(let number))? = evaluate("_r", arguments, in: context) else { continue }
      #expect((0...2_147_483_647).contains(number))
      largest = max(largest, number)
    }
    #expect(largest > 1_000_000)
  }

  @Test("TM-662: without a provider there are no ids, and tracking is false")
  func noIdentifiers() {
    for id in ["_aid", "_did", "_awid"] { #expect(evaluate(id) == .missing(.noValue), "\(id)") }
    #expect(evaluate("_ate") == .value(false))
  }

  @Test("TM-662: ids come from the provider; none where it has none or tracking is not allowed")
  func identifiers() {
    func value(_ id: String, _ identifiers: Identifiers) -> Evaluated? {
      evaluate(id, in: .test { $0.identifiers = identifiers })
    }
    let all = Identifiers(advertisingID: "A-1", deviceID: "D-1")
    #expect(value("_aid", all) == .value("A-1"))
    #expect(value("_ate", all) == .value(true))
    #expect(value("_did", all) == .value("D-1"))
    #expect(value("_awid", all) == .value("D-1"))
    let zeros = Identifiers(advertisingID: "00000000-0000-0000-0000-000000000000")
    #expect(value("_aid", zeros) == .missing(.noValue))
    let declined = Identifiers(advertisingID: "A-1", isTrackingAllowed: false)
    #expect(value("_aid", declined) == .missing(.noValue))
    #expect(value("_ate", declined) == .value(false))
  }

  @Test("§600.3, TM-546: the click string of a conversion id, or an item of it")
  func clickReferrer() {
    let context = MacroContext.test { $0.clickString = { $0 == "12" ? "conv=12&gclid=x%20y+z&empty" : nil } }
    #expect(evaluate("_awcr", ["conversion_id": 12], in: context) == .value("conv=12&gclid=x%20y+z&empty"))
    #expect(evaluate("_awcr", ["conversion_id": "12", "component": "gclid"], in: context) == .value("x y z"))
    #expect(evaluate("_awcr", ["conversion_id": "12", "component": "empty"], in: context) == .value(""))
    #expect(evaluate("_awcr", ["conversion_id": "12", "component": "nope"], in: context) == .missing(.noValue))
    #expect(evaluate("_awcr", ["conversion_id": "13"], in: context) == .missing(.noValue))
  }

  @Test("§600.3: the install referrer, or an item of it")
  func installReferrer() {
    let context = MacroContext.test { $0.device = FixedDevice(installReferrer: "utm_source=a&utm_medium=%zz") }
    #expect(evaluate("_ir", in: context) == .value("utm_source=a&utm_medium=%zz"))
    #expect(evaluate("_ir", ["component": "utm_source"], in: context) == .value("a"))
    #expect(evaluate("_ir", ["component": "utm_medium"], in: context) == .value("%zz"))
  }

  // The digests, by another implementation, begin c1fa93ce1a8b4413 and 4f0f34e39d20a310.
  @Test("§600.3: a bucket is the first 8 bytes of SHA-256 of salt:id, modulo 10,000")
  func bucket() {
    #expect(evaluate("_bucket", ["salt": "exp"]) == .value(6_243))
    #expect(evaluate("_bucket", ["salt": "exp", "id": "abc"]) == .value(9_136))
  }
}
