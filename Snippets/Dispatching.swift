// When hits leave: periodic, by hand, and in the background until nothing is left (HQ-1200 to HQ-1209).
import HTTPClient
import HitQueue
import Hits

/// The platform's background tasks.
protocol BackgroundTaskHost: Sendable {
  func begin(onExpiry: @escaping @Sendable () -> Void) -> Int?
  func end(_ task: Int)
}

let analytics = try Analytics(store: HitStoreConfiguration(), transport: PlatformTransport())

// snippet.modes
analytics.dispatchInterval = 120  // periodic, the default
analytics.dispatchInterval = 0  // less than 1: periodic off
analytics.dispatch()  // manual

// snippet.background
func sendHitsInBackground(_ host: any BackgroundTaskHost) {
  let isExpired = Locked(false)
  guard let task = host.begin(onExpiry: { isExpired.withLock { $0 = true } }) else { return }
  // Until there are no hits, an error, or the time is over.
  @Sendable func handle(_ result: DispatchResult) {
    if result == .good, !isExpired.withLock({ $0 }) {
      analytics.dispatch(completion: handle)
    } else {
      host.end(task)
    }
  }
  analytics.dispatch(completion: handle)
}

func applicationWillEnterForeground() {
  analytics.dispatchInterval = 120  // the loop had switched periodic dispatch off
}
