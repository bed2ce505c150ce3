public import TagManager

/// Something about a workspace that its author should know, at the field it is about (CO-206).
public struct WorkspaceDiagnostic: Sendable, Hashable, Codable {
  /// How bad it is; an error stops compiling and publishing, a warning does not.
  public var severity: Diagnostic.Severity
  /// What it is; a stable text.
  public var code: Diagnostic.Code
  /// The entity it is about; nil for the workspace as a whole.
  public var entity: EntityReference?
  /// The field it is about, as the export names it, such as `parameter.url`; nil for all of it.
  public var field: String?
  /// A sentence that names the remedy.
  public var message: String

  /// Makes a diagnostic.
  public init(
    _ severity: Diagnostic.Severity, _ code: Diagnostic.Code, _ message: String, entity: EntityReference? = nil,
    field: String? = nil
  ) {
    self.severity = severity
    self.code = code
    self.message = message
    self.entity = entity
    self.field = field
  }

  /// The same as a diagnostic of a file, its place as one text.
  public var diagnostic: Diagnostic {
    let place = [entity.map { "\($0)" }, field].compactMap { $0 }.joined(separator: " ")
    return Diagnostic(severity, code, message, at: place.isEmpty ? nil : place)
  }
}

/// The codes of workspaces, besides those of containers (TM-171); a text is never renamed.
extension Diagnostic.Code {
  // Errors.

  /// The file is no workspace export.
  public static let notWorkspaceExport = Self(rawValue: "notWorkspaceExport")
  /// The export has a format version that is not read here.
  public static let unknownExportVersion = Self(rawValue: "unknownExportVersion")
  /// A field has another type than it must have.
  public static let wrongType = Self(rawValue: "wrongType")
  /// A field that must be there is not.
  public static let missingField = Self(rawValue: "missingField")
  /// Two entities have one name.
  public static let duplicateName = Self(rawValue: "duplicateName")
  /// Two entities have one id.
  public static let duplicateID = Self(rawValue: "duplicateID")
  /// Something refers to what does not exist.
  public static let unknownReference = Self(rawValue: "unknownReference")
  /// Variables refer to each other in a circle.
  public static let referenceCycle = Self(rawValue: "referenceCycle")
  /// The compiler does not know a type of tags, triggers, variables or conditions.
  public static let unknownType = Self(rawValue: "unknownType")
  /// A value collection is not a table of names and values.
  public static let collectionInvalid = Self(rawValue: "collectionInvalid")
  /// A sampled trigger's share is no percentage.
  public static let sampleInvalid = Self(rawValue: "sampleInvalid")
  /// The container can be compiled, but not written in the form asked for.
  public static let notExpressible = Self(rawValue: "notExpressible")

  // Warnings.

  /// A tag has no trigger and no tag runs it.
  public static let noFiringTrigger = Self(rawValue: "noFiringTrigger")
  /// Nothing uses an entity.
  public static let unusedEntity = Self(rawValue: "unusedEntity")
  /// A tag names a paused one as its companion.
  public static let pausedCompanion = Self(rawValue: "pausedCompanion")
  /// A parameter is given twice; the last one counts.
  public static let duplicateParameter = Self(rawValue: "duplicateParameter")
  /// A tag's schedule ends before it begins.
  public static let scheduleEmpty = Self(rawValue: "scheduleEmpty")

  // Information.

  /// A value is not in a file of values, for only an app can tell it.
  public static let valueOmitted = Self(rawValue: "valueOmitted")
}
