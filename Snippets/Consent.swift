// What the person allows: held until he has decided, never sent without (HQ-220 to HQ-230).
import HTTPClient
import HitQueue
import Hits

// snippet.show
let analytics = try Analytics(
  store: HitStoreConfiguration(), transport: PlatformTransport(),
  consent: ConsentSnapshot([.analyticsStorage: .pending, .adStorage: .denied]))
analytics.defaultDestination = .measurementProtocol("https://collect.example.com")
let tracker = try analytics.tracker(property: "UA-12345-1")
print(tracker.send(.screenView("Home")).state)  // held

analytics.consent(.analyticsStorage, .granted)  // sent, with the time of the screen view
analytics.optOut = true  // everything that waits is deleted, and nothing is taken in any more
