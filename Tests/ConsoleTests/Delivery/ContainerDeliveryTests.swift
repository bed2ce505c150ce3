import Authoring
import Digests
import Foundation
import GzipFormat
import Hits
import TestSupport
import Testing

@testable import Console
@testable import TagManager

@Suite("Container delivery") struct ContainerDeliveryTests {
  @Test("CO-600, TM-421: both forms decode to the container, with validator, version, number and time in their heads")
  func bodies() throws {
    let container = try SampleContainer.compiled("first", sequence: 7, version: "3")
    let delivery = try ContainerDelivery(container)
    let fingerprint = try #require(container.fingerprint)
    #expect(delivery.json.etag == "\"\(fingerprint)\"")
    let binary = try #require(delivery.binary)
    #expect(binary.etag == "\"\(fingerprint)-b\"")
    for body in [delivery.json, binary] {
      #expect(body.headers["ETag"] == body.etag)
      #expect(body.headers["Tagworks-Version"] == "3")
      #expect(body.headers["Tagworks-Sequence"] == "7")
      #expect(body.headers["Tagworks-Published"] == "1800000000007")
      #expect(body.headers["Tagworks-Signature"] == nil)
      if let packed = body.packed { #expect(try Gunzip.unpack(packed, limit: 1 << 20) == body.plain) }
    }
    let read = ContainerDecoder.decode(delivery.json.plain, id: SampleContainer.id)
    #expect(read.container == container)
    let wrapped = ContainerDecoder.decodeSupplemented(binary.plain, id: SampleContainer.id)
    #expect(wrapped.fingerprint == fingerprint)
    #expect(wrapped.resource?.container?.macros.map(\.name) == ["title"])
  }

  @Test("TM-440: each key signs each body, and apps that require one of them accept it")
  func signed() throws {
    let keys = [try Self.key("a"), try Self.key("b")]
    let delivery = try SampleContainer.delivery(sequence: 4, keys: keys)
    for body in [delivery.json, try #require(delivery.binary)] {
      let header = try #require(body.headers["Tagworks-Signature"])
      let signatures = try #require(ContainerSignature.all(inHeader: header))
      #expect(signatures.map(\.keyID) == keys.map(\.id))
      let message = ContainerSignature.message(
        id: SampleContainer.id, environment: "live", sequence: 4, body: body.plain)
      for (signature, key) in zip(signatures, keys) {
        #expect(Ed25519.isValid(signature: signature.bytes, of: message, publicKey: key.publicKey))
      }
    }
  }

  private static func key(_ name: String) throws -> SigningKey {
    let directory = try TemporaryDirectory()
    return try SigningKey.make(file: directory.file(name))
  }

  @Test("CO-404, TM-138: the JSON says both versions and the share; the binary holds the earlier one until it is 100")
  func rollout() throws {
    let (new, old) = (try SampleContainer.compiled("new", sequence: 2), try SampleContainer.compiled("old"))
    for (percent, title) in [(25.0, "old"), (100, "new")] {
      let delivery = try ContainerDelivery(new, rollout: Rollout(percent: percent, previous: old))
      let read = ContainerDecoder.decode(delivery.json.plain, id: SampleContainer.id)
      #expect(read.rollout?.percent == percent)
      let binary = try #require(delivery.binary)
      let text = String(decoding: binary.plain, as: UTF8.self)
      #expect(text.contains(title) && !text.contains(title == "new" ? "old" : "new"))
      // An app that has accepted number 2 must not be told 1.
      #expect(binary.headers["Tagworks-Sequence"] == "2")
    }
  }

  @Test("a container without an id cannot be delivered; one that binary cannot say is there as JSON")
  func undeliverable() throws {
    var container = try SampleContainer.compiled()
    container.id = nil
    let error = #expect(throws: ConsoleError.self) { try ContainerDelivery(container) }
    #expect(error?.code == .notDeliverable)
    // The form has whole numbers alone.
    let collection = #"{"price": 0.5}"#
    let fraction = try SampleContainer.compiled(.string(collection))
    #expect(try ContainerDelivery(fraction).binary != nil)
    var pool = ValuePool()
    pool = ValuePool(nodes: [.constant(.double(0.5))])
    var call = Call(.constant)
    call.name = "price"
    call.parameters["value"] = ValueIndex(0)
    let odd = CompiledContainer(id: SampleContainer.id, macros: [call], pool: pool)
    #expect(try ContainerDelivery(odd).binary == nil)
  }

  @Test(
    "an author's version text that has no place in a header stays in the body", arguments: ["3 beta", "", "a\nb", "€"])
  func oddVersion(text: String) throws {
    let delivery = try ContainerDelivery(try SampleContainer.compiled(version: text))
    #expect(delivery.json.headers["Tagworks-Version"] == nil)
    #expect(ContainerDecoder.decode(delivery.json.plain, id: nil).container?.version == text)
  }
}
