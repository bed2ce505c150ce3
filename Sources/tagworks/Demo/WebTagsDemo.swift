import Console
import Foundation
import Hits
import WebTags
import WebViewHost

/// A visit's events in a hidden page on the web engine: each reaches a vendor's pixel, and a vendor's script commands
/// the app.
struct WebTagsDemo {
  private let console: DemoConsole
  private let directory: String
  private let events = [
    TagEvent(kind: .view, title: "Home"), TagEvent(kind: .link, title: "add to basket", data: ["order": "A-1001"]),
    TagEvent(kind: .custom("purchase"), title: "purchase", data: ["order": "A-1001"]),
  ]

  /// - Parameter directory: the console's data.
  init(console: DemoConsole, directory: String) {
    self.console = console
    self.directory = directory
  }

  /// Runs it, prints what happens, and enters what must agree; without an engine it says what is missing.
  func report(into tally: inout DemoTally) async throws {
    let host = HiddenPageRun.engine(.whenPossible)
    // Open for as long as the events run: they get their page from the same helper.
    let first = host.make()
    do throws(PageHostError) {
      let engine = try await first.open(PageHostOptions())
      let sandbox = engine.isSandboxed == true ? "in its sandbox" : "without a sandbox, which does not work here"
      Output.line("  engine     \(engine.engine), \(sandbox)")
    } catch {
      await first.close()
      return Output.line("  left out: \(error.message)")
    }
    let vendor = try DemoVendor()
    try publish(vendor)
    var run = HiddenPageRun(configuration: try configuration(), host: host, wait: .seconds(30))
    run.log = { _ in }
    run.commands["thanks"] = { request in
      vendor.note(.thanks(order: request.payload["order"]?.string ?? ""))
      return RemoteCommandAnswer()
    }
    let count = events.count
    run.afterwards = { await vendor.wait { $0.pixels == count && $0.thanks.count == 1 } }
    var delivered = 0
    let entries = events.enumerated().map { WebTagEvents.Entry(line: $0.offset + 1, event: $0.element) }
    _ = try await run.send(entries) { result in
      if case .delivered = result.outcome { delivered += 1 }
      Output.line("  event      \(result.event.title): \(result.outcome.code)")
    }
    await first.close()
    await vendor.stop()
    let seen = vendor.seen
    Output.line("  command    thanks for order \(seen.thanks.joined(separator: ", "))")
    tally.enter(
      "web events", [("tracked", events.count), ("delivered", delivered), ("pixels at the vendor", seen.pixels)])
    tally.enter(
      "web commands", [("scripts from the vendor", seen.scripts), ("in the app", seen.thanks.count)])
  }

  /// Puts the profile where the console makes its page and its universal tag from it.
  private func publish(_ vendor: DemoVendor) throws {
    let profile: Value = [
      "settings": [:],
      "tags": [
        [
          "uid": "1", "kind": "pixel", "url": .string("\(vendor.url)/pixel?event={tealium_event}"),
          "on": ["view", "link", "purchase"],
        ],
        [
          "uid": "2", "kind": "script", "url": .string("\(vendor.url)/thanks.js?order={order}"), "on": ["purchase"],
        ],
      ],
    ]
    let folder = directory + "/webtags/demo/shop"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data(profile.jsonBytes).write(to: URL(fileURLWithPath: folder + "/prod.json"), options: .atomic)
  }

  private func configuration() throws -> WebTagsConfiguration {
    var configuration = WebTagsConfiguration(account: "demo", profile: "shop", environment: "prod")
    guard let base = URL(string: console.server.url + "/utag") else { return configuration }
    configuration.deliveryBase = base
    configuration.network.allowInsecure = true
    configuration.lifecycleAutomatic = false
    configuration.sessionCounting = false
    return configuration
  }
}
