/// Why authors' work could not be stored or read; the text holds none of it, and no secret.
package struct WorkspaceStoreError: Error, Sendable {
  /// What went wrong: an open set.
  package struct Code: RawRepresentable, Sendable, Hashable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// What should be changed is not there.
    package static let notFound = Code(rawValue: "notFound")
    /// The id or name is taken.
    package static let exists = Code(rawValue: "exists")
    /// The change makes no sense for what is there.
    package static let invalid = Code(rawValue: "invalid")
    /// Somebody else must agree first (CO-402).
    package static let approvalNeeded = Code(rawValue: "approvalNeeded")
    /// Nobody could let others in any more.
    package static let lastAdministrator = Code(rawValue: "lastAdministrator")
    /// Somebody else has published since.
    package static let superseded = Code(rawValue: "superseded")
    /// Try again soon.
    package static let busy = Code(rawValue: "busy")
    /// There is no room.
    package static let full = Code(rawValue: "full")
    /// The store does not work.
    package static let failed = Code(rawValue: "failed")
  }

  package var code: Code
  package var message: String
  package var cause: (any Error)?

  package init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  package static let lastAdministrator = WorkspaceStoreError(
    .lastAdministrator, "it is the last administrator; make another one first")

  /// A new container would have the id of one that is or was there.
  package static func containerExists(_ id: String, asked: String) -> WorkspaceStoreError {
    WorkspaceStoreError(.exists, "there is a container \(id), or there was one" + oneOnDisk(id, asked))
  }

  /// A new environment would have the name of one that is there.
  package static func environmentExists(_ name: String, asked: String) -> WorkspaceStoreError {
    WorkspaceStoreError(.exists, "there is an environment \(name)" + oneOnDisk(name, asked))
  }

  private static func oneOnDisk(_ name: String, _ asked: String) -> String {
    asked == name ? "" : "; names that differ in the case of letters alone are one path on many disks"
  }
}
