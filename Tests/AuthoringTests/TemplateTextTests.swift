import Testing

@testable import Authoring

@Suite struct TemplateTextTests {
  @Test(
    "CO-205: references are found in a text; what is no reference stays text",
    arguments: [
      ("", []), ("plain { text }", [.text("plain { text }")]), ("{{a}}", [.reference("a")]),
      ("x{{a b}}y{{c}}", [.text("x"), .reference("a b"), .text("y"), .reference("c")]),
      ("{{}}", [.text("{{}}")]), ("{{open", [.text("{{open")]), ("shut}}", [.text("shut}}")]),
      ("{{{a}}}", [.text("{"), .reference("a"), .text("}")]), ("{{a{{b}}", [.text("{{a"), .reference("b")]),
      ("{{é}}", [.reference("é")]), ("{", [.text("{")]),
    ] as [(String, [TemplateText.Piece])])
  func pieces(text: String, pieces: [TemplateText.Piece]) {
    #expect(TemplateText(text).pieces == pieces)
    #expect(TemplateText(text).renaming([:]) == text)
  }

  @Test("CO-205: renaming changes the named references and nothing else")
  func renaming() {
    #expect(TemplateText("a {{a}} {{b}}").renaming(["a": "c d"]) == "a {{c d}} {{b}}")
    #expect(TemplateText("only text").constant == "only text")
    #expect(TemplateText("").constant == "")
    #expect(TemplateText("{{a}}").constant == nil)
  }
}
