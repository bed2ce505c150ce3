import Foundation
import Hits
import Testing

@testable import TagManager

@Suite("Bridging of Foundation objects")
struct ValueBridgingTests {
  private final class Foreign {}

  @Test("TM-501: property-list types become values, booleans stay booleans, dates become ISO 8601 text")
  func bridge() throws {
    let object: [String: Any] = [
      "text": "a", "nsText": NSString(string: "b"), "yes": true, "nsYes": NSNumber(value: true), "one": 1,
      "nsOne": NSNumber(value: 1), "byte": NSNumber(value: Int8(1)), "real": 1.0, "nsReal": NSNumber(value: 2.5),
      "big": UInt64.max, "nan": Double.nan, "null": NSNull(), "list": NSArray(array: [1, "x"]),
      "map": NSDictionary(dictionary: ["k": false]), "date": Date(timeIntervalSince1970: 0), "value": Value.absent,
    ]
    #expect(
      try Value(bridging: object) == [
        "text": "a", "nsText": "b", "yes": true, "nsYes": true, "one": 1, "nsOne": 1, "byte": 1, "real": 1.0,
        "nsReal": 2.5, "big": .double(0x1p64), "nan": nil, "null": nil, "list": [1, "x"], "map": ["k": false],
        "date": "1970-01-01T00:00:00Z", "value": .absent,
      ])
  }

  @Test("TM-501, D10: any other object is refused by path and type")
  func refuse() {
    #expect {
      try Value(bridging: ["a": [1, ["b": Foreign()]]] as [String: Any])
    } throws: { error in
      let error = error as? TagManagerError
      return error?.code == .unsupportedType && error?.message == "a.1.b: Foreign is not a property list type"
    }
    #expect(throws: TagManagerError.self) { try Value(bridging: Data([1])) }
    #expect(throws: TagManagerError.self) { try Value(bridging: Optional<String>.none as Any) }
  }

  @Test("TM-501: an object nested deeper than any update may be is refused")
  func depth() {
    let object = (0..<100).reduce(1 as Any) { object, _ in [object] }
    #expect(throws: TagManagerError.self) { try Value(bridging: object) }
  }
}
