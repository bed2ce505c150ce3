extension TagManager {
  /// Opens a container, which answers from what the app ships with when this returns (TM-300).
  ///
  /// Loading from disk and over the network goes on in the background. Events that are pushed until something has come,
  /// at most 2 seconds, are held for the container (TM-561).
  ///
  /// - Parameter callback: hears how loading goes.
  /// - Throws: `invalidContainerID`, or `alreadyOpen`; the open container is unharmed (TM-331).
  public func openContainer(
    _ id: ContainerID, callback: (any ContainerCallback)? = nil
  ) throws(TagManagerError) -> Container {
    let (container, isNew) = try find(id, callback: callback)
    guard isNew else { throw alreadyOpen(id) }
    container.start(refreshMode)
    if refreshMode == .standard { container.loader.releaseSoon() }
    return container
  }

  /// Opens a container whose content is decoded already, and loads nothing.
  package func openContainer(_ id: ContainerID, with content: LoadedContent) throws(TagManagerError) -> Container {
    guard let container = add(id, content, callback: nil) else { throw alreadyOpen(id) }
    container.start(.defaultContainer)
    return container
  }

  /// The open container of an id; nil when it is not open (TM-332).
  public func container(_ id: ContainerID) -> Container? { registry.container(id) }

  /// The open container of an id, or a new one, which has to be started.
  func find(
    _ id: ContainerID, callback: (any ContainerCallback)? = nil
  ) throws(TagManagerError) -> (container: Container, isNew: Bool) {
    guard id.isValid else {
      throw TagManagerError(.invalidContainerID, "'\(id)' is no container id; expected something like GTM-XXXX.")
    }
    if let open = registry.container(id) { return (open, false) }
    if let container = add(id, environment.defaultLoader.load(id), callback: callback) { return (container, true) }
    // Another thread has opened it meanwhile.
    return try find(id, callback: callback)
  }

  private func add(_ id: ContainerID, _ content: LoadedContent, callback: (any ContainerCallback)?) -> Container? {
    let container = Container(
      id: id, content: content, environment: environment, dataLayer: dataLayer, registry: registry, callback: callback)
    guard registry.add(container) else { return nil }
    container.tellDiagnostics()
    container.join()
    return container
  }

  private func alreadyOpen(_ id: ContainerID) -> TagManagerError {
    TagManagerError(.alreadyOpen, "Container \(id) is open; ask the manager for it, or close it first.")
  }

  /// A time-out within its bounds (TM-302).
  func bounded(_ timeout: Duration?) -> Duration {
    min(max(timeout ?? environment.configuration.timeout, .milliseconds(1)), .seconds(3_600))
  }
}
