import Testing
import WebTags

@Suite struct PageCallTests {
  @Test(
    "WT-700: a path is names with dots between them",
    arguments: [
      ("__tagworks.deliver", true), ("a", true), ("$._.a1", true), ("", false), (".a", false), ("a.", false),
      ("a..b", false), ("a b", false), ("a;b", false), ("a('x')", false), ("1a", false), ("ä", false), ("a\n", false),
    ])
  func path(text: String, isValid: Bool) {
    #expect(PagePath.isValid(text) == isValid)
  }

  @Test("WT-702: the result of a call is a marked text, and anything else means that the process ended")
  func result() throws {
    #expect(try PageCall.result(of: "v{\"a\":1}", path: "f") == "{\"a\":1}")
    #expect(throws: PageHostError(.notAFunction, "f is not a function")) { try PageCall.result(of: "n", path: "f") }
    #expect(
      throws: PageHostError(.script, "TypeError: x", script: .init(source: "https://a/b.js", line: 3, column: nil))
    ) {
      try PageCall.result(
        of: #"e{"message":"TypeError: x","source":"https://a/b.js","line":3,"column":null}"#, path: "f")
    }
    #expect(throws: PageHostError.processTerminated(.crash)) { try PageCall.result(of: "", path: "f") }
    #expect(throws: PageHostError.self) { try PageCall.result(of: "e[", path: "f") }
  }

  @Test("WT-703: a bad path and a long argument are refused before the call")
  func check() {
    #expect(throws: PageHostError.self) { try PageCall.check(path: "a;", argument: "1") }
    #expect(throws: PageHostError.self) {
      try PageCall.check(path: "a", argument: String(repeating: "a", count: PageCall.longestArgument + 1))
    }
    #expect(throws: Never.self) {
      try PageCall.check(path: "a", argument: String(repeating: "a", count: PageCall.longestArgument))
    }
  }
}
