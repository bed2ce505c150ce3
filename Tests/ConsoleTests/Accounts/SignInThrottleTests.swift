import Testing

@testable import Console

@Suite("Sign-in throttle") struct SignInThrottleTests {
  private let second: UInt64 = 1_000_000_000
  private let ada = SignInThrottle.Subject.account("ada")
  private let home = SignInThrottle.Subject.address(ClientAddress("203.0.113.7") ?? .none)

  @Test("CO-902: an account may fail five times; then the wait doubles with each failure, up to 15 minutes")
  func account() {
    var throttle = SignInThrottle()
    for _ in 0..<5 { #expect(throttle.attempt(ada, at: second) == nil) }
    var now = second
    for expected in [2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900] {
      #expect(throttle.attempt(ada, at: now) == nil)
      #expect(throttle.attempt(ada, at: now) == expected)
      #expect(throttle.attempt(ada, at: now + UInt64(expected) * second - 1) == 1)
      now += UInt64(expected) * second
    }
  }

  @Test("CO-902: an address may fail twenty times, whatever accounts it tries")
  func address() {
    var throttle = SignInThrottle()
    for number in 0..<20 {
      #expect(throttle.attempt(.account("a\(number)"), home, at: second) == nil)
    }
    #expect(throttle.attempt(.account("b"), home, at: second) == nil)
    #expect(throttle.attempt(.account("c"), home, at: second) == 2)
    let elsewhere = SignInThrottle.Subject.address(ClientAddress("203.0.113.8") ?? .none)
    #expect(throttle.attempt(.account("c"), elsewhere, at: second) == nil)
  }

  @Test("CO-902: who signs in begins anew; an hour without a try is forgotten")
  func forgotten() {
    var throttle = SignInThrottle()
    for _ in 0..<6 { _ = throttle.attempt(ada, at: second) }
    #expect(throttle.attempt(ada, at: second) == 2)
    throttle.succeed(ada)
    for _ in 0..<5 { #expect(throttle.attempt(ada, at: second) == nil) }
    #expect(throttle.attempt(ada, at: second) == nil)
    #expect(throttle.attempt(ada, at: second) == 2)
    let later = 3602 * second
    for _ in 0..<5 { #expect(throttle.attempt(ada, at: later) == nil) }
  }

  @Test("CO-902: many tries at once count as many, before any password is looked at")
  func atOnce() {
    var throttle = SignInThrottle()
    let passed = (0..<1000).filter { _ in throttle.attempt(ada, home, at: second) == nil }.count
    #expect(passed == 6)
  }

  @Test("the memory is bounded, and an attacker that fills it does not free the account that is waited for")
  func bounded() {
    var throttle = SignInThrottle(most: 100)
    for number in 0..<1000 { _ = throttle.attempt(.account("a\(number)"), at: second + UInt64(number)) }
    #expect(throttle.remembered <= 100)
    for _ in 0..<6 { _ = throttle.attempt(ada, at: 2 * second) }
    for number in 0..<40 { _ = throttle.attempt(.account("b\(number)"), at: second) }
    #expect(throttle.attempt(ada, at: 2 * second) == 2)
  }
}
