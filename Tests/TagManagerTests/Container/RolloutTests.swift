import Foundation
import Hits
import TagManager
import Testing

@Suite("Rollout")
struct RolloutTests {
  static func decode(_ rollout: String) -> DecodeResult {
    ContainerDecoder.decode(
      Data(
        #"{"container":{"id":"GTM-A","sequence":9},"fingerprint":"new","resource":{"version":"2","macros":[]},"rollout":\#(rollout)}"#
          .utf8),
      id: nil)
  }

  static let quarter = #"{"percent":25,"previous":{"fingerprint":"old","resource":{"version":"1","macros":[]}}}"#

  @Test("TM-138: both versions are decoded, the earlier with its own version and fingerprint")
  func decodes() throws {
    let result = Self.decode(Self.quarter)
    let rollout = try #require(result.rollout)
    #expect(rollout.percent == 25)
    #expect(rollout.previous.version == "1")
    #expect(rollout.previous.fingerprint == "old")
    #expect(rollout.previous.id == "GTM-A")
    #expect(result.container?.version == "2")
    #expect(result.container?.fingerprint == "new")
  }

  @Test("G8, TM-138: at 25 % about a quarter of the installs get the new version, each always the same")
  func share() throws {
    let result = Self.decode(Self.quarter)
    let (container, rollout) = (try #require(result.container), try #require(result.rollout))
    let random = SeededRandomSource(seed: 138)
    var chosen = 0
    for _ in 0..<10_000 {
      let installID = String(random.next(), radix: 16)
      let choice = rollout.choose(container, id: "GTM-A", installID: installID)
      #expect(choice == rollout.choose(container, id: "GTM-A", installID: installID))
      if choice == container { chosen += 1 }
    }
    #expect(2_300...2_700 ~= chosen)
  }

  @Test("TM-138: nobody at 0 %, everybody at 100 %, and a hundredth of a percent is one bucket")
  func bounds() throws {
    let container = try #require(Self.decode(Self.quarter).container)
    let previous = CompiledContainer(version: "1")
    // First bytes of SHA-256 of "GTM-A:<n>", modulo 10,000, computed with another program.
    for (installID, bucket) in [("a", 6_807), ("b", 9_705), ("install", 7_942)] {
      for (percent, isNew) in [
        (0.0, false), (100, true), (Double(bucket) / 100, false), (Double(bucket + 1) / 100, true),
      ] {
        let rollout = Rollout(percent: percent, previous: previous)
        #expect((rollout.choose(container, id: "GTM-A", installID: installID) == container) == isNew)
      }
    }
  }

  @Test(
    "TM-138: both versions are validated",
    arguments: [
      (#"{"percent":25}"#, .incompleteResource), (#"{"percent":101,"previous":{"resource":{}}}"#, .incompleteResource),
      (#"{"previous":{"resource":{}}}"#, .incompleteResource),
      (#"{"percent":5,"previous":{"resource":{"macros":[{}]}}}"#, .missingFunction),
    ] as [(String, Diagnostic.Code)])
  func validates(rollout: String, code: Diagnostic.Code) {
    #expect(Self.decode(rollout).error?.code == code)
  }

  @Test("TM-137: a rollout survives encoding")
  func encodes() throws {
    let result = Self.decode(Self.quarter)
    let (container, rollout) = (try #require(result.container), try #require(result.rollout))
    let again = ContainerDecoder.decode(try JSONContainerEncoder().encode(container, rollout: rollout), id: nil)
    #expect(again.container == container)
    #expect(again.rollout == rollout)
  }
}
