public import Hits

/// A named value (CO-205).
public struct Variable: Entity {
  /// What entities of the type are.
  public static let kind = EntityKind.variable
  /// Everything the export says about it.
  public var fields: [String: Value]

  /// Makes a variable of its fields.
  public init(fields: [String: Value]) { self.fields = fields }

  /// The type of value collections.
  static let collectionType = "vc"

  /// Whether it is a table of names and values that hold while a trigger does.
  public var isCollection: Bool { type == Self.collectionType }
  /// The triggers with which a value collection holds.
  public var enablingTriggerIDs: [String] { fields.texts("enablingTriggerId") }
  /// The triggers with which it does not.
  public var disablingTriggerIDs: [String] { fields.texts("disablingTriggerId") }
  /// What replaces its result: case, and values for null, missing, true and false.
  public var format: [String: Value] { fields["formatValue"]?.map ?? [:] }

  /// The fields of `format` that hold a parameter, and the parameter of the compiled macro each becomes (TM-645).
  static let formatParameters = [
    ("convertNullToValue", "convert_null_to"), ("convertUndefinedToValue", "convert_undefined_to"),
    ("convertTrueToValue", "convert_true_to"), ("convertFalseToValue", "convert_false_to"),
  ]
}

/// A built-in variable that is switched on, told by its type.
public struct BuiltInVariable: Entity {
  /// What entities of the type are.
  public static let kind = EntityKind.builtInVariable
  /// Everything the export says about it.
  public var fields: [String: Value]

  /// Makes a built-in variable of its fields.
  public init(fields: [String: Value]) { self.fields = fields }
}

/// A group of entities.
public struct Folder: Entity {
  /// What entities of the type are.
  public static let kind = EntityKind.folder
  /// Everything the export says about it.
  public var fields: [String: Value]

  /// Makes a folder of its fields.
  public init(fields: [String: Value]) { self.fields = fields }
}

/// A type of tags or variables that an author wrote; kept and exported, not run by apps.
public struct CustomTemplate: Entity {
  /// What entities of the type are.
  public static let kind = EntityKind.customTemplate
  /// Everything the export says about it.
  public var fields: [String: Value]

  /// Makes a template of its fields.
  public init(fields: [String: Value]) { self.fields = fields }

  /// The type that tags and variables of the template have.
  var typeName: String { "cvt_\(fields.text("containerId"))_\(id)" }
}
