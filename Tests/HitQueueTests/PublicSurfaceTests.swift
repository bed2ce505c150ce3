import Foundation
import HitQueue
import Hits
import TestSupport
import Testing

/// What an app can say, in the words of the specification's listing: no name here is visible to tests alone.
@Suite struct PublicSurfaceTests {
  @Test("HQ-799: a hit's builder has every method of the listing")
  func builder() throws {
    let product = Product(id: "p1", name: "Phone")
    let builder = HitBuilder.event(category: "c", action: "a", label: nil, value: 1)
      .set("l", for: .eventLabel).set("x1", for: "dp").set(all: ["an": "Shop"])
      .campaign(from: "?utm_campaign=wow&utm_source=source").startSession()
      .product(action: ProductAction(.add)).add(product: product)
      .add(impression: product, list: "list", source: "source")
      .add(promotion: Promotion(id: "pr")).promotion(action: .view)
      .requiring([.analyticsStorage]).maxAge(.seconds(60))
    #expect(builder.get("el") == "l")
    let fields = builder.build()
    #expect(fields["cn"] == "wow")
    #expect(fields["sc"] == "start")
    #expect(builder.endSession().get("sc") == "end")
    #expect(builder.splitImpressions(limit: 8_192).count == 1)
    #expect(HitBuilder.screenView("s").get("cd") == "s")
  }

  @Test("HQ-799: a queue, its trackers and its reports have every member of the listing")
  func queue() async throws {
    let fixture = try QueueFixture()
    let analytics = try Analytics(
      store: HitStoreConfiguration(directory: fixture.directory, name: "n", durability: .processDeath),
      transport: fixture.transport, clock: fixture.clock, connectivity: nil, consent: .granted, logger: QuietLogger())
    analytics.dispatchInterval = 0
    analytics.defaultDestination = .measurementProtocol("https://collect.example")
    let destinations: [Destination] = [
      .collector("https://collect.example", key: "k"), .ga4(app: "1:2:android:3", secret: "s"),
      .ga4(web: "G-1", secret: "s"), .matomo("https://matomo.example", token: nil),
      .matomo("https://matomo.example"),
    ]
    for (number, destination) in destinations.enumerated() {
      _ = try analytics.tracker(name: "t\(number)", property: "G-1", destination: destination)
      analytics.removeTracker(named: "t\(number)")
    }
    let tracker = try analytics.tracker(property: "UA-1-1")
    analytics.defaultTracker = tracker
    tracker.allowAdvertisingID = false
    tracker.anonymizeIP = true
    tracker.sampleRate = 100
    for limit in [RateLimit.off, .drop(), .delay(capacity: 60, perSecond: 0.5)] { tracker.rateLimit = limit }
    tracker.set("Home", for: .screenName)
    tracker.set("/a", for: "dp")
    #expect(tracker.get("dp") == "/a")
    func synchronous() -> SendReceipt { tracker.send(.screenView("1")) }
    #expect(synchronous().id != nil)
    #expect(await tracker.send(.screenView("2")).state == .durable)
    #expect(await tracker.send(contentsOf: [.screenView("3")]).map(\.state) == [.durable])
    tracker.enqueue(.screenView("4"))
    let sink: any HitSink = analytics
    #expect(sink.send(.screenView("5"), tracker: nil).id != nil)
    let dispatcher: any HitDispatcher = analytics
    #expect(dispatcher.dispatchInterval == 0)
    let report = await dispatcher.dispatchNext()
    #expect(report == DispatchReport(result: .good, sent: 5, accepted: 5))
    #expect(await analytics.drain(until: .now + .seconds(60)).reason == .empty)
    await withCheckedContinuation { continuation in
      analytics.dispatch { result in
        #expect(result == .noData)
        continuation.resume()
      }
    }
    analytics.consent(.adStorage, .denied)
    analytics.dryRun = true
    analytics.dryRun = false
    analytics.trackUncaughtExceptions = false
    #expect(await analytics.clientID() == tracker.get(.clientID))
    try analytics.resetClientID()
    #expect(try await analytics.counters[.delivered] == 5)
    #expect(try await analytics.inspect(HitQuery()).isEmpty)
    #expect(analytics.status.isOK)
    for await status in analytics.statusUpdates {
      #expect(status.isOK)
      break
    }
    #expect([DispatchResult.noData, .good, .error].map(\.rawValue) == [0, 1, 2])
    #expect(!analytics.optOut)
    await analytics.close()
  }
}
