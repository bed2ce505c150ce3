public import Hits

/// What authors edit: the draft of a container, in the vocabulary of Google's export files (CO-200).
///
/// Every entity keeps the fields it was read with, also those that nothing here knows, so that the export of an import
/// equals the import (CO-201). Read one with `init(export:)` of `WorkspaceReading`, write it with `exported`.
public struct Workspace: Sendable, Hashable {
  /// The file's own fields: `exportFormatVersion`, `exportTime`.
  public var header: [String: Value]
  /// The fields of `containerVersion`; a list of entities that was empty is among them, so that it stays one.
  public var fields: [String: Value]
  /// What is sent when a trigger fires, in the author's order.
  public var tags: [Tag]
  /// When tags fire and value collections hold.
  public var triggers: [Trigger]
  /// Named values.
  public var variables: [Variable]
  /// The built-in variables that are switched on.
  public var builtInVariables: [BuiltInVariable]
  /// Groups of entities, for the author's own order.
  public var folders: [Folder]
  /// Tag and variable types that authors wrote themselves.
  public var customTemplates: [CustomTemplate]

  /// Makes a workspace; without arguments it is an empty one of export format 2.
  public init(
    header: [String: Value] = ["exportFormatVersion": 2], fields: [String: Value] = [:], tags: [Tag] = [],
    triggers: [Trigger] = [], variables: [Variable] = [], builtInVariables: [BuiltInVariable] = [],
    folders: [Folder] = [], customTemplates: [CustomTemplate] = []
  ) {
    self.header = header
    self.fields = fields
    self.tags = tags
    self.triggers = triggers
    self.variables = variables
    self.builtInVariables = builtInVariables
    self.folders = folders
    self.customTemplates = customTemplates
  }
}

extension Workspace {
  /// The container's own fields.
  public var container: [String: Value] {
    get { fields["container"]?.map ?? [:] }
    set { fields["container"] = .map(newValue) }
  }

  /// The id apps open it by, such as `GTM-XXXX`; empty when there is none.
  public var publicID: String { container.text("publicId") }

  /// The number that stands before the ids of its triggers in a compiled container.
  public var containerNumber: String {
    let own = container.text("containerId")
    return own.isEmpty ? fields.text("containerId") : own
  }

  /// The version's number; `0` or empty for a draft.
  public var version: String { fields.text("containerVersionId") }

  /// What the container is for, as far as it is known here; an app when it does not say (CO-202).
  public var kinds: [ContainerKind] {
    let contexts = container.texts("usageContext")
    return contexts.isEmpty ? [.iOS] : contexts.compactMap(ContainerKind.init(usageContext:))
  }

  /// Whether it can be compiled (CO-202).
  public var isForApps: Bool { kinds.contains(where: \.isApp) }
}

/// What a container is made for (CO-202).
public enum ContainerKind: String, Sendable, Hashable, CaseIterable {
  case iOS = "ios"
  case android
  case web
  case server
  case amp

  /// Reads the names of the export: `IOS`, `IOS_SDK_5`, `ANDROID`, `WEB`, and so on.
  public init?(usageContext: String) {
    let name = usageContext.lowercased()
    guard let kind = Self.allCases.first(where: { name == $0.rawValue || name.hasPrefix($0.rawValue + "_") }) else {
      return nil
    }
    self = kind
  }

  /// Whether containers of the kind are compiled and published here.
  public var isApp: Bool { self == .iOS || self == .android }
}
