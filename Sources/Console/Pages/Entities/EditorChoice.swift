import Authoring
import Hits

/// Which form an entity has.
struct EditorChoice: Sendable {
  let collection: EntityCollection
  let names: WorkspaceNames

  /// The types that a new entity can have, each with its name and what it is for; none where there is nothing to choose.
  var types: [EntityType] {
    switch collection {
    case .tags: TagTypes.all
    case .variables: VariableTypes.all
    case .triggers, .builtInVariables, .folders, .templates: []
    }
  }

  /// The form of a new entity; nil for a type that has none.
  func editor(ofNew type: String) -> (any EntityEditor)? {
    let common = CommonInputs(names: names)
    switch collection {
    case .tags: return TagTypes.type(type).map { TagEditor(type: $0, common: common) }
    case .variables: return VariableTypes.type(type).map { VariableEditor(type: $0, common: common) }
    case .triggers: return TriggerEditor(common: common)
    case .folders: return FolderEditor()
    case .templates, .builtInVariables: return TextEditor()
    }
  }

  /// The form of an entity that is there: its text where another form could not show all that counts.
  func editor(of fields: [String: Value], asText: Bool) -> any EntityEditor {
    guard !asText, let form = form(of: fields), Self.keeps(form, fields) else { return TextEditor() }
    return form
  }

  /// Whether a form that is sent as it was shown changes nothing: a browser takes line breaks out of lines.
  private static func keeps(_ form: any EntityEditor, _ fields: [String: Value]) -> Bool {
    guard !(form is TextEditor) else { return true }
    var typed = TypedFields()
    form.write(fields, into: &typed)
    guard !typed.values.contains(where: { $0.key != "notes" && $0.value.contains(where: \.isNewline) }) else {
      return false
    }
    // What is wrong with it can be mended in the form.
    var problems: [String: String] = [:]
    return form.entity(typed, former: fields, problems: &problems) == fields
  }

  private func form(of fields: [String: Value]) -> (any EntityEditor)? {
    switch collection {
    case .tags:
      let tag = Tag(fields: fields)
      guard let type = TagTypes.type(tag.type), type.isShowable(tag.parameters) else { return nil }
    case .variables:
      let variable = Variable(fields: fields)
      guard let type = VariableTypes.type(variable.type), type.isShowable(variable.parameters) else { return nil }
    case .triggers: guard TriggerEditor.shows(Trigger(fields: fields)) else { return nil }
    case .builtInVariables, .folders, .templates: break
    }
    return editor(ofNew: fields.word("type"))
  }

  /// What a type is called.
  static func typeName(_ type: String, in collection: EntityCollection) -> String {
    switch collection {
    case .tags: TagTypes.type(type)?.name ?? type
    case .variables: VariableTypes.type(type)?.name ?? type
    case .triggers:
      switch type {
      case Vocabulary.customEvent: "Event by name"
      case Vocabulary.anyEvent: "Any event"
      default: Vocabulary.eventTriggers.first { $0.type == type }?.event ?? type
      }
    case .builtInVariables, .folders, .templates: type
    }
  }
}

extension EntityCollection {
  var part: NavigationPart {
    switch self {
    case .tags: .tags
    case .triggers: .triggers
    case .variables: .variables
    case .builtInVariables: .builtIns
    case .folders: .folders
    case .templates: .templates
    }
  }

  /// What a kind is called in a sentence; the kind itself when it is none of ours.
  static func noun(of kind: String) -> String { allCases.first { $0.kind.rawValue == kind }?.noun ?? kind }

  /// One of them, in a sentence.
  var noun: String {
    switch self {
    case .tags: "tag"
    case .triggers: "trigger"
    case .variables: "variable"
    case .builtInVariables: "built-in variable"
    case .folders: "folder"
    case .templates: "template"
    }
  }

  /// What it is for, where there is none yet.
  var introduction: String {
    switch self {
    case .tags:
      "A tag sends something, or calls a function of the app, when one of its triggers holds. Make a trigger first, then the tag."
    case .triggers: "A trigger says for which events tags fire and value collections hold."
    case .variables:
      "A variable is a named value: a constant, something from the data layer, a fact about the device, a table."
    case .builtInVariables: "Built-in variables are values that every app has. Switch on those that you refer to."
    case .folders: "Folders group entities, for your own order."
    case .templates: "Templates are types of tags and variables that came with an import. Apps do not run them."
    }
  }
}
