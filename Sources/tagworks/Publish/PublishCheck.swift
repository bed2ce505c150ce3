import Console
import Hits
import TagManager

/// Whether a console will let a workspace be published, asked before anything is changed there.
struct PublishCheck {
  let container: RemoteContainer
  let environment: String
  let percent: Double
  let creates: Bool

  func run() async throws(CommandFailure) {
    guard let environments = try await container.environments() else {
      // Without --create the push says that the container is not there.
      if creates { try await checkNew() }
      return
    }
    try await checkToken(.publish)
    guard let isLive = environments[environment] else {
      throw CommandFailure(
        "there is no environment \(environment) of \(container.id); there is "
          + environments.keys.sorted().joined(separator: ", "))
    }
    if percent < 100, !isLive { throw Self.nothingElse }
  }

  /// A container that is made has nothing live yet, and no environment but live.
  private func checkNew() async throws(CommandFailure) {
    try await checkToken(.admin)
    guard environment == ContainerEnvironment.liveName else {
      throw CommandFailure("a new container has no environment \(environment); publish it to live first")
    }
    if percent < 100 { throw Self.nothingElse }
  }

  private func checkToken(_ needed: AccessScope) async throws(CommandFailure) {
    // A console that does not tell refuses in its own words later.
    guard let token = try await container.client.find("/token")?.fields else { return }
    if let own = token["container"]?.string, own != container.id.text || needed == .admin {
      throw CommandFailure("the token is for container \(own) alone")
    }
    guard let scope = token["scope"]?.string.flatMap(AccessScope.init(rawValue:)), scope < needed else { return }
    throw CommandFailure("the token's scope is \(scope.rawValue); this takes \(needed.rawValue)")
  }

  private static let nothingElse = CommandFailure(
    "--percent needs another version that the other installs have, and nothing is live there yet")
}
