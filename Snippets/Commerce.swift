// A purchase with its products, and a long list of products on as many hits as it needs (HQ-120 to HQ-125).
import HTTPClient
import HitQueue
import Hits

let analytics = try Analytics(store: HitStoreConfiguration(), transport: PlatformTransport())
analytics.defaultDestination = .measurementProtocol("https://collect.example.com")
let tracker = try analytics.tracker(property: "UA-12345-1")

// snippet.purchase
tracker.send(
  .event(category: "Checkout", action: "Pay")
    .product(action: ProductAction(.purchase, transactionID: "T1", revenue: 15.47))
    .add(product: Product(id: "P1", name: "Shirt", price: 9.90))
    .add(product: Product(id: "P2", name: "Hat", price: 5.57)))

// snippet.impressions
var search = HitBuilder.screenView("Search")
for position in 1...150 as ClosedRange<Int64> {
  search = search.add(impression: Product(id: "P\(position)", position: position), list: "Search")
}
for hit in search.splitImpressions(limit: 7_000) { tracker.send(hit) }
