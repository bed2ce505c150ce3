package import TagManager

/// An immutable snapshot of a container's workspace, without its text (CO-400).
package struct ContainerVersion: Sendable, Hashable {
  package var container: ContainerID
  /// Counts the versions of the container, from 1.
  package var number: Int
  package var name: String
  package var notes: String
  /// The version that was made before it of the same draft; nil for the first.
  package var parent: Int?
  /// Who made it, and when.
  package var created: Authorship
  /// Who approved of it (CO-402); nil for nobody.
  package var approver: Actor?

  package init(
    container: ContainerID, number: Int, name: String, notes: String, parent: Int?, created: Authorship,
    approver: Actor? = nil
  ) {
    self.container = container
    self.number = number
    self.name = name
    self.notes = notes
    self.parent = parent
    self.created = created
    self.approver = approver
  }
}
