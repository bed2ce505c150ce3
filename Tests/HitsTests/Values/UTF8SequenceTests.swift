import Hits
import Testing

@Suite("UTF-8") struct UTF8SequenceTests {
  @Test("HQ-650: a byte that is not UTF-8 is found wherever it stands among others", arguments: 0..<20)
  func places(place: Int) {
    var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 20)
    #expect(UTF8Sequence.areValid(bytes))
    bytes[place] = 0xFF
    #expect(!UTF8Sequence.areValid(bytes))
    bytes.replaceSubrange(place...place, with: Array("ở".utf8))
    #expect(UTF8Sequence.areValid(bytes))
    #expect(!UTF8Sequence.areValid(bytes[..<(place + 2)]))
  }
}
