import Testing

@testable import HitQueue

@Suite struct SamplingTests {
  @Test(
    "HQ-215: a client's place follows from its id alone",
    arguments: [
      ("7ef88044-f7f0-46cb-96fc-be8530bca874", 0x45b4_ed53_8946_b1f4, 27.2292),
      ("35009a79-1a05-49d7-b876-2b884d0f825b", 0x5db6_9283_9125_a026, 36.6067),
      ("00000000-0000-4000-8000-000000000000", 0xf60d_59d7_7a01_de0e, 96.1141),
    ] as [(String, UInt64, Double)])
  func place(client: String, place: UInt64, percent: Double) {
    #expect(Sampling.place(of: client) == place)
    #expect(Sampling.takes(clientID: client, rate: percent + 0.0001))
    #expect(!Sampling.takes(clientID: client, rate: percent - 0.0001))
    #expect(Sampling.takes(clientID: client, rate: 100))
    #expect(!Sampling.takes(clientID: client, rate: 0))
  }
}
