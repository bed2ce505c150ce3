import Hits
import Testing

@Suite struct HitIDTests {
  @Test("HQ-100: an id is a version 7 UUID in lower case that reads back")
  func text() throws {
    let id = HitID()
    let text = id.description
    #expect(text.count == 36)
    #expect(text == text.lowercased())
    #expect(text.split(separator: "-")[2].first == "7")
    #expect(HitID(text) == id)
    #expect(HitID(text.uppercased()) == id)
    #expect(HitID(bytes: id.bytes) == id)
  }

  @Test("HQ-100: what is no UUID is refused", arguments: ["", "017a8506", "017a8506-518f-7abc-8def-0123456789ag"])
  func refused(text: String) {
    #expect(HitID(text) == nil)
  }

  @Test("HQ-101: ids increase while the clock stands, steps back, and the counter overflows")
  func increasing() {
    var generator = HitIDGenerator()
    var last = generator.next(wallMilliseconds: 1_625_729_421_711, random: .max).description
    for step in 0..<10_000 {
      let wall: Int64 = step % 2 == 0 ? 1_625_729_421_711 : 1_625_729_400_000
      let next = generator.next(wallMilliseconds: wall, random: UInt64(step)).description
      #expect(next > last)
      last = next
    }
  }
}
