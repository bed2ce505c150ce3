import TagManager
import Testing

@Suite("Messages that come once")
struct OnceLogTests {
  @Test("A subject is told once; of 1,000 subjects all are forgotten, so that memory has an end")
  func bound() {
    let log = OnceLog()
    #expect(log.isFirst(.noServer))
    #expect(!log.isFirst(.noServer))
    for number in 1..<1_000 { #expect(log.isFirst(.unknownKey("\(number)"))) }
    #expect(!log.isFirst(.noServer))
    #expect(log.isFirst(.unknownKey("1000")))
    #expect(log.isFirst(.noServer))
  }
}
