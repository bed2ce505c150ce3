import Hits
import Testing

@testable import TagManager

@Suite("Bounds of an update")
struct UpdateCheckTests {
  private func nested(_ levels: Int, list: Bool = false) -> Value {
    (0..<levels).reduce(1) { value, _ in list ? [value] : ["k": value] }
  }

  private func rejection(_ update: [String: Value]) -> PushRejection? {
    do throws(PushRejection) {
      _ = try UpdateCheck(update)
      return nil
    } catch {
      return error
    }
  }

  @Test(
    "TM-516: 64 levels of maps and lists are taken, 65 are not; the update itself is the first",
    arguments: [false, true])
  func depth(list: Bool) {
    #expect(rejection(["a": nested(63, list: list)]) == nil)
    #expect(rejection(["a": nested(64, list: list)]) == .tooDeep)
  }

  @Test("TM-516: the maps that dotted keys expand to count as levels")
  func dottedDepth() {
    func key(_ segments: Int) -> String { Array(repeating: "s", count: segments).joined(separator: ".") }
    #expect(rejection([key(64): 1]) == nil)
    #expect(rejection([key(65): 1]) == .tooDeep)
    #expect(rejection([key(63): [1]]) == nil)
    #expect(rejection([key(64): [1]]) == .tooDeep)
  }

  @Test("TM-516: 10,000 values are taken, one more is not")
  func nodes() {
    #expect(rejection(["a": .list(Array(repeating: 1, count: 9_999))]) == nil)
    #expect(rejection(["a": .list(Array(repeating: 1, count: 10_000))]) == .tooLarge)
  }

  @Test("TM-516: 1 MiB of text is taken, one byte more is not")
  func text() {
    #expect(rejection(["k": .string(String(repeating: "x", count: 1_048_575))]) == nil)
    #expect(rejection(["k": .string(String(repeating: "x", count: 1_048_576))]) == .tooLarge)
    #expect(rejection(["k": .string(String(repeating: "é", count: 524_288))]) == .tooLarge)
  }

  @Test("TM-516: a key of 1,024 bytes is taken, a longer one is not, at any level")
  func keyLength() {
    let fits = String(repeating: "k", count: 1_024)
    #expect(rejection([fits: 1]) == nil)
    #expect(rejection([fits + "k": 1]) == .keyTooLong)
    #expect(rejection(["a": [[.string(fits), .map([fits + "k": 1])]]]) == .keyTooLong)
  }

  @Test("TM-516: the whole layer holds 8 MiB of text; what is over is not applied at all, what replaces is")
  func wholeLayer() throws {
    var model = DataLayerModel()
    let mebibyte = 1 << 20
    for index in 0..<7 { try model.push([String(index): .string(String(repeating: "x", count: mebibyte - 1))]) }
    try model.push(["7": .string(String(repeating: "x", count: mebibyte - 1))])
    #expect(model.textBytes == 8 * mebibyte)
    let full = model
    #expect(throws: PushRejection.tooLarge) {
      try model.push(["0": "", "8": .string(String(repeating: "x", count: mebibyte - 1))])
    }
    #expect(model == full)
    try model.push(["0": "", "8": .string(String(repeating: "x", count: mebibyte - 2))])
    #expect(model.value(at: "0") == "")
    #expect(model.textBytes == DataLayerModel(model.root).textBytes)
  }
}
