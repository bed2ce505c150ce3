import Authoring
import Console
import Foundation
import HitQueue
import Hits
import TagManager

/// The demo's way: an export becomes a container on a console, an app opens it and sends hits, while its author and the
/// network are at work; then an ad break, and the tally.
struct DemoRun {
  let directory: String
  private var store: String { directory + "/app" }
  private var intake: String { directory + "/collector" }

  /// Runs all of it and prints what happens.
  ///
  /// - Returns: whether the tally agrees.
  func report() async throws -> Bool {
    let console = try await DemoConsole(directory: directory)
    Output.line("Console")
    Output.line("  listens on \(console.server.url)")
    let published = try await publish(on: console)
    let app = try ShopApp(directory: directory, console: console, language: "en-US")
    let opened = try await open(app)
    try showValues()
    let visit = try await ShopVisit(opened.container, of: app.tagManager)
    let bundled = try await ShopVisit(
      bundled: InMemoryDefaultContainers([Shop.id.text: Shop.binary]), pixelBase: console.server.url
    )
    showSession(visit)
    let queued = try app.hits.statistics().hits
    try await dispatch(app)
    var tally = DemoTally()
    tally.enter(
      "greeting",
      [("published", published), ("in the app", opened.container.string(for: "greeting"))])
    let publishing = PublishingDemo(console: console, app: app)
    let outage = try await publishing.report(into: &tally)
    try await dispatch(app)
    try enter(visit, bundled, queued: queued, outage: outage, app: app, into: &tally)
    heading("Web tags: three events in a hidden page whose universal tag is the console's")
    try await WebTagsDemo(console: console, directory: intake).report(into: &tally)
    try await console.stop()

    heading(
      "Ad break: a playlist with a pod, an ad behind two wrappers and an empty break, beside a minute of content"
    )
    await AdBreakDemo().report(into: &tally)
    heading("Tally")
    for line in tally.text { Output.line("  " + line) }
    Output.line(tally.agrees ? "  Everything agrees." : "  The tally does not agree.")
    showNextSteps()
    return tally.agrees
  }

  /// Imports the sample workspace, and makes it live; gives its greeting.
  private func publish(on console: DemoConsole) async throws -> String {
    let greeting = "Hello"
    let export = DemoAuthor.export(greeting: greeting)
    heading("Workspace \(Shop.id): an export file of \(export.count) bytes")
    let source = ContainerSource(export: export, name: "GTM-SHOP.workspace.json")
    let (_, workspace) = try source.namedWorkspace()
    let compiled = try ContainerOutput.json.bytes(of: try source.usableContainer())
    Output.line(
      "  import     \(workspace.tags.count) tags, \(workspace.triggers.count) triggers, "
        + "\(workspace.variables.count) variables; \(source.diagnostics.filter { $0.severity == .error }.count) errors"
    )
    Output.line("  compile    \(compiled.count) bytes of compiled JSON")
    let version = try await console.author.publish(export)
    Output.line("  publish    version \(version) is live, signed by key \(console.key.id)")
    return greeting
  }

  private func open(_ app: ShopApp) async throws -> OpenResult {
    heading("App")
    let begin = ContinuousClock.now
    let result = try await app.open(.fresh)
    let time = String(format: "%.0f ms", (ContinuousClock.now - begin) / .milliseconds(1))
    let container = result.container
    Output.line(
      "  opens \(container.id) from \(result.source.rawValue) after \(time): version \(container.version), "
        + "greeting \"\(container.string(for: "greeting"))\"")
    return result
  }

  private func dispatch(_ app: ShopApp) async throws {
    let before = try app.hits.statistics()
    let result = await app.dispatch()
    let after = try app.hits.statistics()
    let requests = after.counters[.requests] - before.counters[.requests]
    let bytes = after.counters[.wireBytes] - before.counters[.wireBytes]
    heading("Dispatch")
    Output.line(
      "  delivered \(after.counters[.delivered] - before.counters[.delivered]), requests \(requests), bytes \(bytes), "
        + "left \(after.hits)" + (result == .error ? "; the collector does not answer" : ""))
  }

  private func showValues() throws {
    heading("Values by language")
    for language in ["en-US", "es-ES", "de-DE"] {
      let manager = TagManager(
        ports: TagManager.Ports(
          sink: DiscardingSink(), device: Shop.device(language: language),
          defaultContainers: Shop.bundled))
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

  private func enter(
    _ visit: ShopVisit, _ bundled: ShopVisit, queued: Int, outage: Int, app: ShopApp,
    into tally: inout DemoTally
  ) throws {
    let reader = try IntakeReader(directory: intake)
    let sent = visit.fired.flatMap(\.hitIDs)
    let pixels = visit.fired.filter { $0.function == "image" }.count
    let received = try reader.statistics()
    let found = try sent.filter { try reader.summary(of: $0) != nil }.count
    tally.enter(
      "events",
      [
        ("in the session", try Shop.session().updates.filter { $0["event"] != nil }.count),
        ("evaluated", visit.outcomes.filter { $0.disposition == .evaluated }.count),
      ])
    let byFunction = Dictionary(grouping: visit.fired, by: \.function)
    let bundledByFunction = Dictionary(grouping: bundled.fired, by: \.function)
    for function in Set(byFunction.keys).union(bundledByFunction.keys).sorted() {
      tally.enter(
        "\(function) tags",
        [
          ("fired from the console's container", byFunction[function]?.count ?? 0),
          ("from the bundled binary", bundledByFunction[function]?.count ?? 0),
        ])
    }
    let counters = try app.hits.statistics().counters
    tally.enter("hits of the session", [("sent by tags", sent.count), ("queued", queued)])
    tally.enter(
      "hits",
      [
        ("sent, the outage's with them", sent.count + outage),
        ("accepted", Int(counters[.accepted])),
        ("delivered", Int(counters[.delivered])), ("received", received.total),
      ])
    // Pixels come to the collector as foreign hits, with ids of their own.
    tally.enter(
      "hits found by id",
      [("sent, pixels apart", sent.count - pixels), ("in the collector", found)])
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
        \(program) publish \(shop)/GTM-SHOP.workspace.json --to ./site
        \(program) ads inspect https://your.ad.server/tag
        make serve
      """)
  }

  private func heading(_ text: String) { Output.line("\n\(text)") }
}
