import Hits
import Testing

@Suite("Broadcast")
struct BroadcastTests {
  @Test("TM-525, TM-1113: a slow listener keeps the newest, and the lost are counted")
  func buffer() async {
    let broadcast = Broadcast<Int>(buffer: 3)
    let stream = broadcast.stream()
    for number in 1...5 { broadcast.yield(number) }
    broadcast.finish()
    var seen: [Int] = []
    for await number in stream { seen.append(number) }
    #expect(seen == [3, 4, 5])
    #expect(broadcast.lost == 2)
  }

  @Test("TM-1113: nothing is made when nobody listens")
  func nobody() {
    let broadcast = Broadcast<Int>()
    var made = 0
    func make() -> Int {
      made += 1
      return made
    }
    broadcast.yield(make())
    #expect(made == 0)
    let stream = broadcast.stream()
    broadcast.yield(make())
    #expect(made == 1)
    _ = stream
  }

  @Test("TM-525: every listener gets every value")
  func several() async {
    let broadcast = Broadcast<Int>()
    let streams = [broadcast.stream(), broadcast.stream()]
    broadcast.yield(7)
    broadcast.finish()
    for stream in streams {
      var seen: [Int] = []
      for await number in stream { seen.append(number) }
      #expect(seen == [7])
    }
  }

  @Test("A stream that is asked for after the end is over at once")
  func afterTheEnd() async {
    let broadcast = Broadcast<Int>()
    broadcast.finish()
    for await number in broadcast.stream() { Issue.record("\(number) came after the end") }
  }
}
