import Foundation
import HitQueue
import Hits
import TagManager

/// What happens to the app while its author and the network are at work: a publish, an outage, a preview.
struct PublishingDemo {
  let console: DemoConsole
  let app: ShopApp
  private let greeting = "greeting"

  /// Runs it, prints what happens, and enters what must agree.
  ///
  /// - Returns: how many hits were sent while there was no network.
  func report(into tally: inout DemoTally) async throws -> Int {
    try await change(&tally)
    let hits = try await outage(&tally)
    try await preview(&tally)
    return hits
  }

  private var container: Container? { app.tagManager.container(Shop.id) }
  private var shown: String { container?.string(for: greeting) ?? "" }

  private func change(_ tally: inout DemoTally) async throws {
    heading("A change is published while the app runs")
    let version = try await console.author.publish(DemoAuthor.export(greeting: "Good day"))
    let begin = ContinuousClock.now
    let outcome = await container?.refreshed() ?? .closed
    Output.line("  published  greeting \"Good day\"")
    Output.line(
      "  app        \(outcome.text) after \(milliseconds(since: begin)): greeting \"\(shown)\"")
    tally.enter("greeting after the change", [("published", "Good day"), ("in the app", shown)])
    tally.enter("version", [("published", "\(version)"), ("in the app", container?.version ?? "")])
  }

  private func outage(_ tally: inout DemoTally) async throws -> Int {
    heading("The network goes away, and comes back")
    try await console.stop()
    let offline = try await app.open(.nonDefault)
    Output.line(
      "  app        opens from \(offline.source.rawValue): version \(offline.container.version), greeting \"\(shown)\""
    )
    Output.line("  refresh    \(await offline.container.refreshed().text)")
    let before = try app.hits.statistics().hits
    let outcome = await app.tagManager.dataLayer.push([
      "event": "openScreen", "screenName": "Offline",
    ]).outcome
    let fired = outcome.containers.flatMap(\.tags).filter { $0.status == .fired }.flatMap(\.hitIDs)
      .count
    let waiting = try app.hits.statistics().hits - before
    Output.line("  hits       \(waiting) sent and kept, dispatch says \(await app.dispatch())")
    tally.enter("hits of the outage", [("fired", fired), ("waiting", waiting)])
    try console.restart()
    let online = try await app.open(.fresh)
    Output.line("  back       refresh: \(await online.container.refreshed().text)")
    tally.enter("greeting offline", [("saved", "Good day"), ("in the app", shown)])
    return fired
  }

  private func preview(_ tally: inout DemoTally) async throws {
    heading("A preview link shows the draft")
    let link = try await console.author.preview(
      DemoAuthor.export(greeting: "Summer sale!"), app: Shop.device(language: "en").appID ?? "")
    guard let url = URL(string: link), let updates = container?.updates else { return }
    let result = app.tagManager.preview(url)
    for await _ in updates.prefix(1) {}
    Output.line("  link       \(link.replacing(/gtm_auth=[^&]*/, with: "gtm_auth=***"))")
    Output.line("  app        \(result): greeting \"\(shown)\"")
    tally.enter("greeting in preview", [("draft", "Summer sale!"), ("in the app", shown)])
    guard let updates = container?.updates else { return }
    app.tagManager.endPreview()
    // Before it the app's own default, of which there is none, is in force for a moment.
    _ = await updates.first { $0.origin == .saved }
    Output.line("  end        greeting \"\(shown)\"")
    tally.enter("greeting after it", [("published", "Good day"), ("in the app", shown)])
  }

  private func milliseconds(since begin: ContinuousClock.Instant) -> String {
    String(format: "%.0f ms", (ContinuousClock.now - begin) / .milliseconds(1))
  }

  private func heading(_ text: String) { Output.line("\n\(text)") }
}
