import TagManager
import Testing

@Suite("Rule index")
struct RuleIndexTests {
  private let index: RuleIndex = {
    var index = RuleIndex()
    index.file(0, under: "a")
    index.file(1, under: nil)
    index.file(2, under: "b")
    index.file(3, under: "a")
    index.file(4, under: nil)
    return index
  }()

  @Test(
    "TM-710, TM-720: an event meets the rules of its name and those of any, in file order",
    arguments: [("a", [0, 1, 3, 4]), ("b", [1, 2, 4]), ("c", [1, 4]), ("", [1, 4])])
  func rules(event: String, expected: [Int]) {
    #expect(Array(index.rules(for: event)) == expected)
  }

  @Test("TM-1110: the rules under other names are counted", arguments: [("a", 1), ("b", 2), ("c", 3)])
  func skipped(event: String, expected: Int) {
    #expect(index.skipped(besides: index.rules(for: event)) == expected)
  }
}
