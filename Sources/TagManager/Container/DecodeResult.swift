/// The form in which a container came.
public enum ContainerForm: String, Sendable, Hashable {
  /// The mobile SDKs' protobuf message.
  case binary
  /// Macros, tags, predicates and rules as JSON.
  case compiledJSON
  /// Names and constants as JSON.
  case flatJSON
  /// Names and constants as a property list.
  case propertyList
  /// What authors exchange; it has to be compiled first.
  case workspaceExport
}

/// What decoding an input gave: a container, or the error why there is none, and what its author should know (TM-170).
public struct DecodeResult: Sendable {
  /// The container; nil when a diagnostic is an error.
  public var container: CompiledContainer?
  /// The earlier version that a share of the installs keeps, when the container is being rolled out (TM-138).
  public var rollout: Rollout?
  /// What the author should know; the only error, if there is one, comes last.
  public var diagnostics: [Diagnostic]
  /// The form of the input; nil when it has none.
  public var form: ContainerForm?

  /// Why there is no container.
  public var error: Diagnostic? { diagnostics.last { $0.severity == .error } }
}
