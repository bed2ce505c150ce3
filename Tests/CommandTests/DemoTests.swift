import Foundation
import Hits
import TestSupport
import Testing

@Suite struct DemoTests {
  @Test("The demo's tally is the one worked out by hand, and what it kept can be looked at")
  func demo() async throws {
    let directory = try TemporaryDirectory()
    let result = try await Program.run(["demo", "--data", directory.url.path])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    // By hand from the session: 12 screens less 1 blocked by debug, 10 product events less 1, 6 checkout steps less 1,
    // 2 paid orders of 3, 1 crash: 28 analytics hits. Each paid order writes, shows a pixel and celebrates; the banner
    // shows once.
    for line in [
      "\"Hello\" published = \"Hello\" in the app", "\"Good day\" published = \"Good day\" in the app",
      "\"Good day\" saved = \"Good day\" in the app", "\"Summer sale!\" draft = \"Summer sale!\" in the app",
      "refresh    networkError(connection)", "1 fired = 1 waiting", "34 in the session = 34 evaluated",
      "28 fired from the console's container = 28 from the bundled binary",
      "2 fired from the console's container = 2 from the bundled binary",
      "3 fired from the console's container = 3 from the bundled binary", "30 sent by tags = 30 queued",
      "31 sent, the outage's with them = 31 accepted = 31 delivered = 31 received",
      "28 sent, pixels apart = 28 in the collector",
      // A pod of two, one ad behind two wrappers, and a break without an ad.
      "3 in the playlist = 3 started = 3 impressions at the ad server = 3 completed there",
      "2 breaks with ads = 2 paused = 2 resumed", "Everything agrees.",
    ] {
      #expect(result.output.contains(line), "\(line)")
    }
    // Three events of a page that is never shown, one of them with a vendor's script; where no engine runs, a line says so.
    if result.output.contains("  left out: ") {
      print("Demo: there is no web engine here; web tags are not in the tally")
    } else {
      for line in [
        "3 tracked = 3 delivered = 3 pixels at the vendor", "1 scripts from the vendor = 1 in the app",
      ] {
        #expect(result.output.contains(line), "\(line)")
      }
    }
    let intake = directory.url.appendingPathComponent("collector").path
    let listed = try await Program.run(["hits", "list", "--intake", intake, "--json", "--limit", "1000"])
    #expect(listed.status == 0)
    let hits = try listed.json.compactMap(\.map)
    #expect(hits.count == 31)
    #expect(hits.filter { $0["kind"] == "screenview" }.count == 12)
    #expect(hits.filter { $0["kind"] == "exception" }.count == 1)
    #expect(hits.filter { $0["fields"]?.map?["ec"] == "Pixel" }.count == 2)
    let store = directory.url.appendingPathComponent("app").path
    let stats = try await Program.run(["hits", "stats", "--store", store, "--json"])
    #expect(stats.status == 0)
    #expect(try stats.json.first?.map?["hits"] == 0)
    #expect(try stats.json.first?.map?["conserved"] == true)
    let dispatched = try await Program.run(["hits", "dispatch", "--store", store])
    #expect(dispatched.status == 1)
    #expect(dispatched.output.contains("noData"))
  }
}
