import Console
import Foundation
import HTTPClient
import HitQueue
import Hits
import TagManager

/// The demo's way: collector, container, values, session, dispatch, tally.
struct DemoRun {
  let directory: String
  private var store: String { directory + "/app" }
  private var intake: String { directory + "/collector" }

  /// Runs all of it and prints what happens.
  ///
  /// - Returns: whether the tally agrees.
  func report() async throws -> Bool {
    let server = try ConsoleServer(ServeSettings(port: 0, data: intake))
    Output.line("Collector")
    Output.line("  listens on \(server.url)")
    let analytics = try Analytics(
      store: HitStoreConfiguration(directory: store), transport: PlatformTransport(),
      device: Shop.device(language: "es-ES"))
    analytics.dispatchInterval = 0
    analytics.defaultDestination = .measurementProtocol(server.url)

    showContainers()
    try showValues()
    let visit = try await ShopVisit(Shop.bundled, sink: analytics, pixelBase: server.url)
    let again = try await ShopVisit(
      InMemoryDefaultContainers([Shop.id.text + ".json": Shop.json]), sink: DiscardingSink(), pixelBase: server.url)
    showSession(visit)
    let queued = try await analytics.statistics().hits
    let report = await analytics.drain(until: ContinuousClock.now + .seconds(30))
    let counters = try await analytics.counters
    await analytics.close()
    try await server.stop()
    heading("Dispatch")
    Output.line(
      "  \(report.sent) hits in \(counters[.requests]) requests of \(counters[.wireBytes]) bytes together, "
        + "\(report.accepted) accepted, \(report.rejected) rejected, \(report.remaining) left")

    heading("Ad break: a playlist with a pod, an ad behind two wrappers and an empty break, beside a minute of content")
    var tally = try tally(visit, again, queued: queued, counters: counters)
    await AdBreakDemo().report(into: &tally)
    heading("Tally")
    for line in tally.text { Output.line("  " + line) }
    Output.line(tally.agrees ? "  Everything agrees." : "  The tally does not agree.")
    showNextSteps()
    return tally.agrees
  }

  private func showContainers() {
    heading("Container \(Shop.id)")
    for (name, data) in [("binary", Shop.binary), ("compiled JSON", Shop.json)] {
      guard let container = ContainerDecoder.decode(data, id: Shop.id).container else {
        Output.line("  \(name): not usable")
        continue
      }
      Output.line(
        "  \(name): \(data.count) bytes, version \(container.version): \(container.macros.count) macros, "
          + "\(container.tags.count) tags, \(container.predicates.count) predicates, \(container.rules.count) rules")
    }
  }

  private func showValues() throws {
    heading("Values by language")
    for language in ["en-US", "es-ES", "de-DE"] {
      let manager = TagManager(
        ports: TagManager.Ports(
          sink: DiscardingSink(), device: Shop.device(language: language), defaultContainers: Shop.bundled))
      manager.refreshMode = .defaultContainer
      let container = try manager.openContainer(Shop.id)
      Output.line(
        "  \(language)  greeting \(container.string(for: "greeting")), currency \(container.string(for: "currency")), "
          + "free shipping from \(container.string(for: "free_shipping_from"))")
    }
  }

  private func showSession(_ visit: ShopVisit) {
    let events = visit.outcomes.filter { $0.event != nil }.count
    heading("Session: \(visit.outcomes.count) pushes, \(events) of them events; some of them")
    let shown: Set<UInt64> = [2, 6, 8, 25, 30, 33]
    for outcome in visit.outcomes where shown.contains(outcome.sequence) {
      let text = OutcomeText(outcome: outcome, showsRules: false)
      Output.line(text.lines.map { "  " + $0 }.joined(separator: "\n"))
    }
    let update: [String: Value] = ["event": "purchase", "order": ["id": "A-1002", "total": 0]]
    Output.line("  Why does \"purchase event\" not fire for an order of 0?")
    for rule in visit.explanation(of: "purchase event", for: update).rules {
      for line in OutcomeText.lines(of: rule.rule) { Output.line("  " + line) }
    }
  }

  private func tally(
    _ visit: ShopVisit, _ again: ShopVisit, queued: Int, counters: HitCounters
  ) throws -> DemoTally {
    let reader = try IntakeReader(directory: intake)
    let sent = visit.fired.flatMap(\.hitIDs)
    let pixels = visit.fired.filter { $0.function == "image" }.count
    let received = try reader.statistics()
    let found = try sent.filter { try reader.summary(of: $0) != nil }.count
    var tally = DemoTally()
    tally.enter(
      "events",
      [
        ("in the session", try Shop.session().updates.filter { $0["event"] != nil }.count),
        ("evaluated", visit.outcomes.filter { $0.disposition == .evaluated }.count),
      ])
    let byFunction = Dictionary(grouping: visit.fired, by: \.function)
    let jsonByFunction = Dictionary(grouping: again.fired, by: \.function)
    for function in Set(byFunction.keys).union(jsonByFunction.keys).sorted() {
      tally.enter(
        "\(function) tags",
        [
          ("fired from binary", byFunction[function]?.count ?? 0),
          ("from compiled JSON", jsonByFunction[function]?.count ?? 0),
        ])
    }
    tally.enter(
      "hits",
      [
        ("sent by tags", sent.count), ("queued", queued), ("accepted", Int(counters[.accepted])),
        ("delivered", Int(counters[.delivered])), ("received", received.total),
      ])
    // Pixels come to the collector as foreign hits, with ids of their own.
    tally.enter("hits found by id", [("sent, pixels apart", sent.count - pixels), ("in the collector", found)])
    return tally
  }

  private func showNextSteps() {
    let program = CommandLine.arguments[0]
    let shop = "Sources/tagworks/Demo/Shop"
    heading("Try next")
    Output.line(
      """
        \(program) hits list --intake \(intake)
        \(program) hits stats --store \(store)
        \(program) container run \(shop)/GTM-SHOP.json --events \(shop)/session.ndjson
        \(program) ads inspect https://your.ad.server/tag
        make serve
      """)
  }

  private func heading(_ text: String) { Output.line("\n\(text)") }
}
