public import Hits

/// One thing that an author edits, as the fields it has in an export.
///
/// Typed properties read and write those fields; a field of another type than it should have reads as if it were not
/// there, and validation says so.
public protocol Entity: Sendable, Hashable {
  /// Which kind it is.
  static var kind: EntityKind { get }
  /// Everything the export says about it.
  var fields: [String: Value] { get set }
  /// Makes an entity of its fields.
  init(fields: [String: Value])
}

/// The kinds of entities; the raw value is the key of their list in an export.
public enum EntityKind: String, Sendable, Hashable, Codable, CaseIterable {
  case tag
  case trigger
  case variable
  case builtInVariable
  case folder
  case customTemplate

  /// The field that tells entities of the kind apart.
  package var idField: String {
    switch self {
    case .tag: "tagId"
    case .trigger: "triggerId"
    case .variable: "variableId"
    case .builtInVariable: "type"
    case .folder: "folderId"
    case .customTemplate: "templateId"
    }
  }

  /// The kind in a sentence.
  var noun: String {
    switch self {
    case .tag, .trigger, .variable, .folder: rawValue
    case .builtInVariable: "built-in variable"
    case .customTemplate: "custom template"
    }
  }
}

/// Which entity something is about.
public struct EntityReference: Sendable, Hashable, Codable, CustomStringConvertible {
  /// Its kind.
  public var kind: EntityKind
  /// Its id; empty when it has none.
  public var id: String
  /// Its name; empty when it has none.
  public var name: String

  /// Makes a reference.
  public init(kind: EntityKind, id: String, name: String) {
    self.kind = kind
    self.id = id
    self.name = name
  }

  /// Such as `tag "Every screen"`; cut when it is long.
  public var description: String { "\(kind.noun) \"\(name.isEmpty ? id.prefix(80) : name.prefix(80))\"" }
}

extension Entity {
  /// What the author calls it.
  public var name: String {
    get { fields.text("name") }
    set { fields["name"] = .string(newValue) }
  }

  /// The id that other entities name it by; of a built-in variable its type.
  public var id: String {
    get { fields.text(Self.kind.idField) }
    set { fields[Self.kind.idField] = .string(newValue) }
  }

  /// Which function it is, such as `ua` or `CUSTOM_EVENT`; empty where there is none.
  public var type: String {
    get { fields.text("type") }
    set { fields["type"] = .string(newValue) }
  }

  /// The author's notes.
  public var notes: String {
    get { fields.text("notes") }
    set { fields["notes"] = .string(newValue) }
  }

  /// The folder it is in; empty for none.
  public var folderID: String { fields.text("parentFolderId") }

  /// Its parameters in their order.
  public var parameters: [Parameter] {
    get { fields.parameters("parameter") }
    set { fields["parameter"] = .list(newValue.map { .map($0.fields) }) }
  }

  /// Names it in diagnostics and differences.
  public var reference: EntityReference { EntityReference(kind: Self.kind, id: id, name: name) }
}
