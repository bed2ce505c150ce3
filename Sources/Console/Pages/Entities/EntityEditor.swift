import Authoring
import Hits

/// The form of an entity: what it shows of the entity's fields, and what they are after it.
///
/// What a form does not show, and what nobody has changed, stays as it was, whatever it is (CO-201).
protocol EntityEditor: Sendable {
  /// Writes an entity into a form.
  func write(_ fields: [String: Value], into typed: inout TypedFields)

  /// The inputs.
  func html(_ parts: FormParts) -> HTML

  /// The entity after a form.
  ///
  /// - Parameter problems: gets what is wrong, by input.
  func entity(
    _ typed: TypedFields, former: [String: Value], problems: inout [String: String]
  ) -> [String: Value]

  /// The input that a field of the entity is shown at, as diagnostics name it; nil for none.
  func input(ofField field: String) -> String?
}

extension EntityEditor {
  func input(ofField field: String) -> String? {
    switch field {
    case "name", "notes": field
    default: field.hasPrefix("parameter.") ? "p-" + field.dropFirst("parameter.".count) : nil
    }
  }
}

/// The inputs that several editors have.
struct CommonInputs: Sendable {
  let names: WorkspaceNames

  func name(_ parts: FormParts) -> HTML {
    parts.line("name", "Name", help: "Unique among its kind; upper and lower case are the same.", isRequired: true)
  }

  func rest(_ parts: FormParts) -> HTML {
    element("details", .class("more"), .flag("open", !parts.typed.line("notes").isEmpty)) {
      element("summary", text: "Notes and folder")
      parts.area("notes", "Notes", help: "For other authors; apps do not get them.")
      parts.choice("folder", "Folder", names.folders)
    }
  }

  func write(_ fields: [String: Value], into typed: inout TypedFields) {
    typed["name"] = fields.word("name")
    typed["notes"] = fields.word("notes")
    typed["folder"] = fields.word("parentFolderId")
  }

  func apply(_ typed: TypedFields, to fields: inout [String: Value], problems: inout [String: String]) {
    let name = typed.line("name")
    let isNew = typed["name"] != fields.word("name")
    if name.isEmpty {
      problems["name"] = "Name is missing."
    } else if isNew, name.contains("{{") || name.contains("}}") || name.contains(where: \.isNewline) {
      problems["name"] = "A name has no {{ or }} and no line breaks."
    }
    if isNew { fields["name"] = .string(name) }
    fields.setNotes(typed["notes"])
    fields.set("parentFolderId", typed["folder"])
  }

  /// A table of triggers by name.
  func triggers(_ parts: FormParts, _ input: String, _ legend: String, help: String) -> HTML {
    parts.table(input, legend, [FormParts.Column("name", "Trigger", list: "triggers")], help: help)
  }

  func writeTriggers(_ ids: [String], _ input: String, into typed: inout TypedFields) {
    typed.setRows(input, ["name"], ids.map { [names.triggerName($0)] })
  }

  /// Sets a field to the ids of the triggers in a table, where they are others.
  func setTriggers(
    _ typed: TypedFields, _ input: String, _ field: String, of fields: inout [String: Value], former: [String],
    problems: inout [String: String]
  ) {
    let texts = typed.rows(input, ["name"]).map { $0[0] }
    guard texts != former.map(names.triggerName) else { return }
    let ids = texts.compactMap { text -> String? in
      if let id = names.triggerID(text) { return id }
      if let kept = former.first(where: { $0 == text }) { return kept }
      problems[input] = "There is no trigger “\(text)”; choose one of the list, or make it first."
      return nil
    }
    fields[field] = ids.isEmpty ? nil : .list(ids.map(Value.string))
  }

  /// The lists that inputs complete from.
  var lists: HTML {
    FormParts.completions(FormParts.references, names.references)
      + FormParts.completions("triggers", names.triggerNames) + FormParts.completions("tags", names.tags)
  }
}

extension [String: Value] {
  /// Sets notes where they are others; browsers send line breaks of their own.
  mutating func setNotes(_ text: String?) {
    let text = text?.replacing("\r\n", with: "\n")
    if text != word("notes").replacing("\r\n", with: "\n") { set("notes", text) }
  }

  /// Sets a text where it is another one; an empty one removes the field.
  mutating func set(_ key: String, _ text: String?) {
    guard let text, text != word(key) else { return }
    self[key] = text.isEmpty ? nil : .string(text)
  }
}
