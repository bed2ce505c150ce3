package import TagManager

/// One line of the log of what was done (CO-403): who, what, when, from what to what.
package struct Activity: Sendable, Hashable {
  /// What was done: an open set.
  package struct Action: RawRepresentable, Sendable, Hashable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package static let setUp = Action(rawValue: "setUp")
    package static let containerCreated = Action(rawValue: "containerCreated")
    package static let containerChanged = Action(rawValue: "containerChanged")
    package static let containerRemoved = Action(rawValue: "containerRemoved")
    package static let containerRestored = Action(rawValue: "containerRestored")
    package static let draftSaved = Action(rawValue: "draftSaved")
    package static let versionCreated = Action(rawValue: "versionCreated")
    package static let versionApproved = Action(rawValue: "versionApproved")
    package static let published = Action(rawValue: "published")
    package static let environmentCreated = Action(rawValue: "environmentCreated")
    package static let environmentTokenRenewed = Action(rawValue: "environmentTokenRenewed")
    package static let environmentRemoved = Action(rawValue: "environmentRemoved")
    package static let tokenCreated = Action(rawValue: "tokenCreated")
    package static let tokenRevoked = Action(rawValue: "tokenRevoked")
    package static let tokenUsed = Action(rawValue: "tokenUsed")
    package static let previewCreated = Action(rawValue: "previewCreated")
    package static let previewRevoked = Action(rawValue: "previewRevoked")
    package static let signedIn = Action(rawValue: "signedIn")
    package static let signInFailed = Action(rawValue: "signInFailed")
    package static let signedOut = Action(rawValue: "signedOut")
    package static let userCreated = Action(rawValue: "userCreated")
    package static let userChanged = Action(rawValue: "userChanged")
    package static let passwordChanged = Action(rawValue: "passwordChanged")
    package static let refused = Action(rawValue: "refused")
  }

  package var by: Authorship
  package var action: Action
  /// The container it is about; nil for none.
  package var container: ContainerID?
  /// What it is about, such as `tag 7` or `environment staging`.
  package var subject: String
  /// What was before; nil where there is no such thing.
  package var from: String?
  /// What is now; nil where there is no such thing.
  package var to: String?

  package init(
    _ action: Action, by: Authorship, container: ContainerID? = nil, subject: String, from: String? = nil,
    to: String? = nil
  ) {
    self.by = by
    self.action = action
    self.container = container
    self.subject = subject
    self.from = from
    self.to = to
  }
}

/// A line of the log with its place.
package struct PositionedActivity: Sendable, Hashable {
  /// Rises with each line, and is never used again.
  package var position: Int64
  package var activity: Activity

  package init(position: Int64, activity: Activity) {
    self.position = position
    self.activity = activity
  }
}
