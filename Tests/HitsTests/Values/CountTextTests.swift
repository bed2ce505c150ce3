import Hits
import Testing

@Suite struct CountTextTests {
  @Test(
    "a count stands with its noun in the right number",
    arguments: [(0, "0 hits", "0 pushes"), (1, "1 hit", "1 push"), (2, "2 hits", "2 pushes")])
  func counts(count: Int, hits: String, pushes: String) {
    #expect(CountText.text(count, "hit") == hits)
    #expect(CountText.text(count, "push", "pushes") == pushes)
  }
}
