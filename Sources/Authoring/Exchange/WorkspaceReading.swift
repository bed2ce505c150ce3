import Hits
import TagManager

/// What reading an export gave: a workspace, or the error why there is none.
///
///     export           = {"exportFormatVersion": 2 | 1.3, …, "containerVersion": version}
///     version          = {"container": {…}, list*, …}
///     list             = "tag" | "trigger" | "variable" | "builtInVariable" | "folder" | "customTemplate": [{…}…]
///
/// Any bytes give one or the other, in time and memory that the limits bound. What is inside an entity is not looked
/// at here: it is kept as it is, and validation tells what is wrong with it.
public struct WorkspaceReading: Sendable {
  /// The workspace; nil when a diagnostic is an error.
  public var workspace: Workspace?
  /// What the author should know.
  public var diagnostics: [WorkspaceDiagnostic]

  /// Reads an export file of format 2 or 1.3 (CO-201).
  ///
  /// - Parameters:
  ///   - bytes: JSON in UTF-8; a byte order mark before it is fine.
  ///   - limits: how much to accept.
  public init(export bytes: [UInt8], limits: WorkspaceLimits = .standard) {
    do throws(ReadingFault) {
      workspace = try Self.workspace(bytes, limits)
      diagnostics = []
    } catch {
      workspace = nil
      diagnostics = [error.diagnostic]
    }
  }

  private static func workspace(_ bytes: [UInt8], _ limits: WorkspaceLimits) throws(ReadingFault) -> Workspace {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let root: JSONElement
    do throws(JSONError) {
      root = try JSONDocument(bytes, from: bytes.starts(with: mark) ? 3 : 0, limits: limits.json).root
    } catch {
      throw ReadingFault(Diagnostic.Code(error.code), error.message, at: "byte \(error.offset)")
    }
    guard root.kind == .object, let version = root["containerVersion"] else {
      throw ReadingFault(
        .notWorkspaceExport, "The file is no workspace export: it has no containerVersion. Export the workspace again.")
    }
    guard version.kind == .object else { throw .wrongType("containerVersion", expected: "an object") }
    guard let format = root["exportFormatVersion"]?.value, [2, 1.3, "2", "1.3"].contains(format) else {
      throw ReadingFault(
        .unknownExportVersion, "Exports of format 2 and 1.3 are read here; export the workspace as one of them.",
        at: "exportFormatVersion")
    }
    var workspace = Workspace(header: [:])
    for member in root.members where member.key != "containerVersion" {
      workspace.header[member.key] = member.value.value
    }
    var lists: [EntityKind: [[String: Value]]] = [:]
    for member in version.members {
      guard let kind = EntityKind(rawValue: member.key) else {
        workspace.fields[member.key] = member.value.value
        continue
      }
      let list = try entities(member.value, kind, limits)
      lists[kind] = list
      // An empty list stays one in the export.
      workspace.fields[member.key] = list.isEmpty ? .list([]) : nil
    }
    workspace.tags = (lists[.tag] ?? []).map(Tag.init(fields:))
    workspace.triggers = (lists[.trigger] ?? []).map(Trigger.init(fields:))
    workspace.variables = (lists[.variable] ?? []).map(Variable.init(fields:))
    workspace.builtInVariables = (lists[.builtInVariable] ?? []).map(BuiltInVariable.init(fields:))
    workspace.folders = (lists[.folder] ?? []).map(Folder.init(fields:))
    workspace.customTemplates = (lists[.customTemplate] ?? []).map(CustomTemplate.init(fields:))
    return workspace
  }

  private static func entities(
    _ list: JSONElement, _ kind: EntityKind, _ limits: WorkspaceLimits
  ) throws(ReadingFault) -> [[String: Value]] {
    guard list.kind == .array else { throw .wrongType("containerVersion.\(kind.rawValue)", expected: "a list") }
    var entities: [[String: Value]] = []
    for item in list.items {
      guard entities.count < limits.entitiesPerKind else {
        throw ReadingFault(
          .tooMany, "There are more than \(limits.entitiesPerKind) of one kind of entities; split the container.",
          at: "containerVersion.\(kind.rawValue)")
      }
      guard let fields = item.value.map else {
        throw .wrongType("containerVersion.\(kind.rawValue)[\(entities.count)]", expected: "an object")
      }
      entities.append(fields)
    }
    return entities
  }
}

/// How much an export may hold; every bound is checked before anything of that size is allocated.
public struct WorkspaceLimits: Sendable, Hashable {
  /// The file, in bytes.
  public var bytes = 16 << 20
  /// How deep lists and objects nest.
  public var depth = 64
  /// Values and keys in all.
  public var nodes = 2 << 20
  /// One text, in bytes.
  public var textBytes = 1 << 20
  /// Entities of one kind.
  public var entitiesPerKind = 50_000

  /// Makes the limits that fit what can be compiled (§100.6).
  public init() {}

  /// The limits that fit what can be compiled (§100.6).
  public static let standard = WorkspaceLimits()

  var json: JSONLimits { JSONLimits(bytes: bytes, depth: depth, nodes: nodes, textBytes: textBytes) }
}

/// The one error that ends a reading.
private struct ReadingFault: Error {
  var diagnostic: WorkspaceDiagnostic

  init(_ code: Diagnostic.Code, _ message: String, at field: String? = nil) {
    diagnostic = WorkspaceDiagnostic(.error, code, message, field: field)
  }

  static func wrongType(_ field: String, expected: String) -> ReadingFault {
    ReadingFault(.wrongType, "\(field) must be \(expected).", at: field)
  }
}
