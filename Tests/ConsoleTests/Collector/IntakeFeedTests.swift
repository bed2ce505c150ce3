import Hits
import TestSupport
import Testing

@testable import Console

@Suite("Intake feed") struct IntakeFeedTests {
  @Test("HQ-715: observers see every judged hit; a slow one loses hits, which are counted, and holds nothing up")
  func observers() async {
    let fixture = CollectorFixture()
    let quick = fixture.collector.feed.observe()
    let slow = fixture.collector.feed.observe(buffer: 1)
    for number in 1...3 {
      _ = await fixture.send("POST", "/collect", body: Array(CollectorTests.own(number).utf8))
    }
    _ = await fixture.send("POST", "/collect", body: Array(CollectorTests.own(1).utf8))
    _ = await fixture.send("POST", "/collect", body: Array("v=1".utf8))
    var seen: [String] = []
    while seen.count < 5, let hits = await quick.next() {
      for hit in hits {
        switch hit {
        case .accepted(let hit): seen.append("accepted \(hit.sequence ?? 0)")
        case .duplicate(let hit): seen.append("duplicate \(hit.sequence ?? 0)")
        case .rejected(let hit): seen.append("rejected \(hit.field ?? "")")
        }
      }
    }
    #expect(seen == ["accepted 1", "accepted 2", "accepted 3", "duplicate 1", "rejected tid"])
    #expect(fixture.collector.feed.lost == 4)
    _ = slow
  }
}
