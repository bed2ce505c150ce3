import Hits
import Testing

@Suite("Promise")
struct PromiseTests {
  @Test("Those who wait and those who come later get the first value")
  func first() async {
    let promise = Promise<Int>()
    async let early = promise.value
    #expect(promise.current == nil)
    #expect(promise.fulfil(1))
    #expect(!promise.fulfil(2))
    #expect(await early == 1)
    #expect(await promise.value == 1)
    #expect(promise.current == 1)
  }

  @Test("A thread waits no longer than its deadline, and not at all for what is there")
  func threads() {
    let promise = Promise<Int>()
    promise.wait(until: .now)
    #expect(promise.current == nil)
    promise.fulfil(1)
    promise.wait(until: .now + .seconds(3600))
    #expect(promise.current == 1)
  }
}
