import TagManager

/// Who calls an operation: a token, or a person by a browser's session.
///
/// What either may do is one value, and one check reads it.
struct Caller: Sendable, Hashable {
  var actor: Actor
  var rights: AccessRights
  /// The person; nil for a token that stands for nobody.
  var user: String?
  /// The token; nil for a session.
  var token: AccessToken?

  init(_ token: AccessToken, _ rights: AccessRights) {
    actor = token.actor
    self.rights = rights
    user = token.user
    self.token = token
  }

  init(_ user: ConsoleUser) {
    actor = user.actor
    rights = user.rights
    self.user = user.id
  }

  /// What it is called in a refusal.
  var noun: String { token == nil ? "role" : "token" }

  /// The one container it is for; nil for several or all.
  var onlyContainer: ContainerID? {
    rights.everywhere == nil && rights.containers.count == 1 ? rights.containers.keys.first : nil
  }
}
