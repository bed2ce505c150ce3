import Foundation
import Hits
import TestSupport
import Testing

@testable import TagManager

/// Public containers with events written for them; what must come out was worked out by hand from their decoded content.
@Suite("Runs of public containers")
struct ContainerRunTests {
  /// A manager with one container of the corpus open; nil when the corpus is not there.
  private struct Run {
    let sink = RecordingSink()
    let logger = RecordingLogger()
    let manager: TagManager
    let container: Container

    init?(_ path: String, id: ContainerID) throws {
      guard let corpus = Corpus.find(for: "Runs of public containers") else { return nil }
      let device = FixedDevice(language: "es-ES", appName: "Dinner", appID: "org.example.dinner", appVersion: "2.1")
      let ports = TagManager.Ports(
        sink: sink, clock: ManualClock(), device: device, random: SeededRandomSource(seed: 1),
        defaultContainers: InMemoryDefaultContainers([id.text: try corpus.data("containers/\(path)")]))
      manager = TagManager(configuration: TagManager.Configuration(traceDetail: .full), ports: ports)
      manager.logger = logger
      manager.refreshMode = .defaultContainer
      container = try manager.openContainer(id)
    }

    func push(_ update: [String: Value]) async throws -> ContainerOutcome {
      try #require(await manager.dataLayer.push(update).outcome.containers.first)
    }
  }

  /// A rule's outcome as one line: its id, name, verdict, and each predicate looked at with its result.
  private func lines(_ outcome: ContainerOutcome) -> [String] {
    outcome.rules.map { rule in
      let predicates = rule.predicates.map { predicate in
        "\(predicate.negated ? "not " : "")\(predicate.index)=\(predicate.result)"
      }
      return ([rule.id, rule.name, rule.passed ? "passed" : "failed"] + predicates).joined(separator: " ")
    }
  }

  private static let demo = "legacy_binary/GTM-54WSBP__olala7846+GTM-Demo-V1__83514005.bin"

  @Test("GTM-54WSBP: constants of the rule Always, and an ad text that a button time brings")
  func demoValues() async throws {
    guard let run = try Run(Self.demo, id: "GTM-54WSBP") else { return }
    #expect(run.container.version == "4")
    #expect(run.container.string(for: "latestVersion") == "1.5.5")
    #expect(run.container.value(for: "latestVersion").rule == "Always")
    #expect(run.container.value(for: "latestVersion").macro == 5)
    #expect(run.container.string(for: "forceUpdateVersion") == "1.1.0")
    #expect(run.container.int(for: "Button Pressed Time") == 0)
    #expect(run.container.value(for: "adDetail").reason == .noCandidate)
    #expect(run.container.string(for: "adDetail") == "")
    run.manager.dataLayer.push(["buttonPressedTime": 10])
    #expect(run.container.int(for: "Button Pressed Time") == 10)
    #expect(run.container.string(for: "adDetail") == "You are the 99999999 user of the app")
    #expect(run.container.value(for: "adDetail").rule == "Should show Add")
    #expect(run.container.string(for: "App Name") == "Dinner")
  }

  @Test("GTM-54WSBP: any event calls the function; only an event with quotes in its name pokes the pixel")
  func demoEvents() async throws {
    guard let run = try Run(Self.demo, id: "GTM-54WSBP") else { return }
    let calls = Locked<[[String: Value]]>([])
    run.container.handlers.onTag("foo") { parameters in calls.withLock { $0.append(parameters) } }

    let plain = try await run.push(["event": "purchased"])
    #expect(lines(plain) == ["1525505_2147479554 Any Event passed 1=true"])
    #expect(plain.rulesSkippedByEvent == 1)
    #expect(plain.tags.map(\.name) == ["Function Callback"])
    #expect(plain.tags.map(\.status) == [.fired])
    #expect(plain.tags.map(\.id) == ["2"])
    #expect(plain.rules[0].predicates[0].arguments == ["arg0": "purchased", "arg1": ".*"])

    let quoted = try await run.push(["event": "\"purchased\""])
    #expect(
      lines(quoted) == [
        "1525505_1 User purchased passed 0=true", "1525505_2147479554 Any Event passed 1=true",
      ])
    #expect(quoted.tags.map(\.name) == ["poke google on purchase", "Function Callback"])
    #expect(quoted.tags.map(\.rules) == [[0], [1]])
    #expect(quoted.macros.map(\.name) == ["Event", "_event", "_random"])

    #expect(calls.withLock { $0 } == [["name": "name"], ["name": "name"]])
    let number = try #require(quoted.macros.last?.value?.text(.legacy))
    #expect(run.sink.hits.map(\.kind) == [.beacon])
    #expect(run.sink.hits[0].fields["url"]?.hasPrefix("https://www.google.com") == true)
    #expect(run.sink.hits[0].fields["url"]?.hasSuffix("?gtmcb=\(number)") == true)
    #expect(quoted.tags[0].hitIDs == [try #require(run.sink.records[0].receipt.id)])
  }

  @Test("GTM-54WSBP: explaining the pixel names the rule, the predicate and both its arguments")
  func demoExplanation() throws {
    guard let run = try Run(Self.demo, id: "GTM-54WSBP") else { return }
    let explanation = run.container.explain(tag: "poke google on purchase", event: ["event": "purchased"])
    #expect(!explanation.fires)
    #expect(explanation.rules.map(\.rule.name) == ["User purchased"])
    #expect(explanation.rules[0].decidedBy?.arguments == ["arg0": "purchased", "arg1": "\"purchased\""])
    #expect(run.sink.hits.isEmpty)
  }

  @Test("GTM-WQ25SD5: 184 values that one rule adds, no tags")
  func constants() async throws {
    let path = "legacy_binary/GTM-WQ25SD5__itamarGini+AdUnitDemo-iOS__dd74d77b.bin"
    guard let run = try Run(path, id: "GTM-WQ25SD5") else { return }
    #expect(run.container.version == "7")
    #expect(run.container.string(for: "account_number") == "6870/ynet_mobile")
    #expect(run.container.string(for: "9612") == "HealthColestrol")
    #expect(run.container.string(for: "p1") == "/")
    #expect(run.container.int(for: "11889") == 20)
    // The rule adds two macros of one name, 97 and 98.
    #expect(run.container.string(for: "product_justad") == "_justAd_new")
    #expect(run.logger.texts(.warning).filter { $0.contains("product_justad") }.count == 1)
    #expect(run.container.value(for: "11061").rule == "Always")
    #expect(run.container.value(for: "11063").reason == .unknownKey)
    let outcome = try await run.push(["event": "anything"])
    #expect(outcome.tags.isEmpty)
    #expect(outcome.rules.isEmpty)
  }

  private static let dinner = "legacy_binary/gtm_analytics__adityanaik+Udacity02DinnerApp__c9f49be9.bin"

  @Test("gtm_analytics: automatic screens are blocked until the app enables them")
  func automaticScreens() async throws {
    guard let run = try Run(Self.dinner, id: "gtm_analytics") else { return }
    run.manager.dataLayer.push(["gtm": ["analytics": ["tracking_id": "UA-1-1"]]])
    let event: [String: Value] = ["event": "gtm.activity_started", "gtm.activity_screen_name": "Main"]

    let blocked = try await run.push(event)
    #expect(
      lines(blocked) == ["r0 Activity Started passed 0=true", "r1 Disable Auto Activity Tracking passed not 1=false"])
    #expect(blocked.tags.map(\.status) == [.blocked(by: "r1")])
    #expect(blocked.rules[1].predicates[0].arguments == ["arg0": "", "arg1": "1"])
    #expect(run.sink.hits.isEmpty)

    run.manager.dataLayer.push(["gtm.enable_auto_activity_tracking": "1"])
    let fired = try await run.push(event)
    #expect(
      lines(fired) == ["r0 Activity Started passed 0=true", "r1 Disable Auto Activity Tracking failed not 1=true"])
    #expect(fired.tags.map(\.status) == [.fired])
    let hit = try #require(run.sink.hits.first)
    #expect(hit.kind == .screenView)
    #expect(run.sink.records[0].tracker == "UA-1-1")
    for (field, value) in ["tid": "UA-1-1", "cd": "Main", "an": "Dinner", "av": "2.1"] {
      #expect(hit.fields[field] == value, "\(field)")
    }
    #expect(hit.fields["aip"] == nil, "anonymize_ip is false")

    let other = try await run.push(["event": "something.else"])
    #expect(lines(other) == ["r1 Disable Auto Activity Tracking failed not 1=true"])
    #expect(other.rulesSkippedByEvent == 1)
    #expect(other.tags.isEmpty)
  }

  @Test("E5, gtm_analytics: of three macros of one name the one for new runtimes answers")
  func runtimeChoice() throws {
    guard let run = try Run(Self.dinner, id: "gtm_analytics") else { return }
    // Rules 2 (not Android) and 3 (runtime above 62676326) add macro 12 and remove 13 and 14, which 4 and 5 add.
    let lookup = run.container.value(for: "advertising tracking enabled")
    #expect(lookup.value == .bool(false))
    #expect(lookup.macro == 12)
    #expect(lookup.rule == "r2")
    #expect(lookup.reason == .value)
    #expect(run.container.string(for: "language") == "es")
    #expect(run.container.string(for: "platform") == "Linux")
    #expect(run.container.bool(for: "true"))
  }

  @Test("GTM-K7DK8H8: a compiled JSON container sends screens and events of the update's own keys")
  func compiledJSON() async throws {
    guard let run = try Run("v5_json/GTM-K7DK8H8__paulobrumatti+DP6__1d5729ee.json", id: "GTM-K7DK8H8") else { return }
    #expect(run.container.diagnostics.contains { $0.code == .runtimeIgnored })

    let screen = try await run.push(["event": "ScreenView", "screenName": "Home"])
    #expect(lines(screen) == ["r0  passed 0=true"])
    #expect(screen.rulesSkippedByEvent == 3)
    #expect(screen.tags.map(\.id) == ["1"])

    let interaction = try await run.push(["event": "Interaction", "eventCategory": "Menu", "eventAction": "Open"])
    #expect(lines(interaction) == ["r2  passed 2=true"])
    #expect(interaction.tags.map(\.id) == ["4"])

    let campaign = try await run.push(["event": "firebase_campaign"])
    #expect(lines(campaign) == ["r3  passed 3=true"])

    let none = try await run.push(["event": "screenview"])
    #expect(none.tags.isEmpty)
    #expect(none.rulesSkippedByEvent == 4)

    #expect(run.sink.records.map(\.tracker) == ["UA-74479169-1", "UA-74479169-1", "UA-74479169-1"])
    #expect(run.sink.hits.map(\.kind) == [.screenView, .event, .event])
    let fields = run.sink.hits.map { hit in
      ["cd", "ec", "ea", "el", "ni"].reduce(into: [String: String]()) { $0[$1] = hit.fields[$1] }
    }
    #expect(
      fields == [
        ["cd": "Home"], ["ec": "Menu", "ea": "Open"], ["ec": "Campanha", "ea": "Campanha", "el": "Campanha"],
      ])
  }
}
