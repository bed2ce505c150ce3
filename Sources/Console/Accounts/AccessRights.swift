package import TagManager

/// What somebody may do: on every container, or on some (CO-900, CO-901).
package struct AccessRights: Sendable, Hashable {
  /// On every container, and on the server as a whole; nil for nothing.
  package var everywhere: AccessScope?
  /// On single containers; more than `everywhere` says, or it makes no difference.
  package var containers: [ContainerID: AccessScope]

  package init(everywhere: AccessScope? = nil, containers: [ContainerID: AccessScope] = [:]) {
    self.everywhere = everywhere
    self.containers = containers
  }

  /// What a token may do.
  init(_ token: AccessToken) {
    if let container = token.container {
      self.init(containers: [container: token.scope])
    } else {
      self.init(everywhere: token.scope)
    }
  }

  /// What it says about a container; nil for nothing.
  package func scope(in container: ContainerID) -> AccessScope? {
    [everywhere, containers[container]].compactMap { $0 }.max()
  }

  /// What both it and another one give.
  func common(with other: AccessRights) -> AccessRights {
    var common = AccessRights()
    if let own = everywhere, let theirs = other.everywhere { common.everywhere = min(own, theirs) }
    for container in Set(containers.keys).union(other.containers.keys) {
      guard let own = scope(in: container), let theirs = other.scope(in: container) else { continue }
      common.containers[container] = min(own, theirs)
    }
    return common
  }

  /// The most that it says about anything.
  package var highest: AccessScope? { (containers.values + [everywhere].compactMap { $0 }).max() }

  /// The containers to which it gives a scope; nil for all.
  package func containers(with scope: AccessScope) -> Set<ContainerID>? {
    if let everywhere, everywhere >= scope { return nil }
    return Set(containers.filter { $0.value >= scope }.keys)
  }
}

extension AccessScope {
  /// What a person of the scope is called (CO-901).
  var role: String {
    switch self {
    case .read: "viewer"
    case .edit: "editor"
    case .publish: "publisher"
    case .admin: "admin"
    }
  }

  init?(role: String) {
    guard let scope = Self.allCases.first(where: { $0.role == role }) else { return nil }
    self = scope
  }
}
