import TagManager
import Testing

@Suite("Container id")
struct ContainerIDTests {
  @Test(
    "TM-100: letters, digits, _ and -, beginning with a letter or digit, 64 at most",
    arguments: [
      "GTM-XXXX", "a", "0", "A_b-9", String(repeating: "x", count: 64),
    ])
  func valid(text: String) {
    #expect(ContainerID(text).isValid)
  }

  @Test(
    "A6, TM-100: anything else is invalid",
    arguments: [
      "", "../x", "GTM/1", "GTM%2F", "a.b", "-a", "_a", "a b", "a\0", "é", "a\n", String(repeating: "x", count: 65),
    ])
  func invalid(text: String) {
    #expect(!ContainerID(text).isValid)
  }

  @Test("TM-100: ids are compared byte by byte")
  func comparison() {
    #expect(ContainerID("GTM-x") != ContainerID("GTM-X"))
  }
}
