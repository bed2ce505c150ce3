import Authoring
import Hits

/// The form of a folder: its name.
struct FolderEditor: EntityEditor {
  func write(_ fields: [String: Value], into typed: inout TypedFields) {
    typed["name"] = fields.word("name")
    typed["notes"] = fields.word("notes")
  }

  func html(_ parts: FormParts) -> HTML {
    parts.line("name", "Name", isRequired: true) + parts.area("notes", "Notes")
  }

  func entity(
    _ typed: TypedFields, former: [String: Value], problems: inout [String: String]
  ) -> [String: Value] {
    var fields = former
    if typed.line("name").isEmpty { problems["name"] = "Name is missing." }
    if typed["name"] != fields.word("name") { fields["name"] = .string(typed.line("name")) }
    fields.setNotes(typed["notes"])
    return fields
  }
}

/// The form of whatever has no form of its own: its text in an export, which loses nothing (CO-201).
struct TextEditor: EntityEditor {
  func write(_ fields: [String: Value], into typed: inout TypedFields) { typed["json"] = JSONPrint.text(.map(fields)) }

  func html(_ parts: FormParts) -> HTML {
    parts.area(
      "json", "The entity as in an export file", help: "JSON. Everything in it is kept, also what is not known here.",
      rows: 24, isCode: true)
  }

  func entity(
    _ typed: TypedFields, former: [String: Value], problems: inout [String: String]
  ) -> [String: Value] {
    do throws(JSONError) {
      guard let fields = try Value(json: Array((typed["json"] ?? "").utf8)).map else {
        problems["json"] = "This is no JSON object."
        return former
      }
      return fields
    } catch {
      problems["json"] = "This cannot be read as JSON: \(error.message), at byte \(error.offset)."
      return former
    }
  }

  func input(ofField field: String) -> String? { "json" }
}
