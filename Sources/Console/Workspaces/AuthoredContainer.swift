package import Authoring
package import TagManager

/// A container as authors see it in a list (CO-200, CO-202).
package struct AuthoredContainer: Sendable, Hashable {
  /// By what apps open it.
  package var id: ContainerID
  package var kind: ContainerKind
  package var name: String
  /// Whether somebody else than the author must publish a change (CO-402).
  package var requiresApproval: Bool
  /// Wall milliseconds.
  package var created: Int64
  /// When it was put away; nil while it is in use.
  package var removed: Int64?

  package init(
    id: ContainerID, kind: ContainerKind, name: String, requiresApproval: Bool = false, created: Int64,
    removed: Int64? = nil
  ) {
    self.id = id
    self.kind = kind
    self.name = name
    self.requiresApproval = requiresApproval
    self.created = created
    self.removed = removed
  }
}
