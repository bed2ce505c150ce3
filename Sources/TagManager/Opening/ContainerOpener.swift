import Hits

/// Opens a container and waits until its content is worth having (TM-301).
///
///     let result = try await ContainerOpener.open("GTM-XXXX", in: tagManager, prefer: .fresh)
///     print(result.container.string(for: "title"), result.endedBy)
///
/// Waiting ends with what the preference asks for, or after the time-out with what is there; the container then goes on
/// loading. A container that is open or opening is joined (TM-330). `prepare` runs once, before the first event is
/// evaluated: the place to register handlers.
public enum ContainerOpener: Sendable {
  /// How long an opening waits unless it is told: 2 seconds.
  public static let defaultTimeout: Duration = .seconds(2)

  /// Opens a container and waits for it.
  ///
  /// - Throws: `TagManagerError` for an id that is none; `CancellationError` when the task is cancelled, which leaves the
  ///   container open.
  public static func open(
    _ id: ContainerID, in manager: TagManager, prefer preference: OpenPreference = .nonDefault,
    timeout: Duration? = nil, prepare: (@Sendable (Container) -> Void)? = nil
  ) async throws -> OpenResult {
    try Task.checkCancellation()
    let end = Promise<OpenResult?>()
    let (container, isNew) = try manager.find(id)
    let opening = container.loader.await(
      preference, timeout: manager.bounded(timeout), prepare: prepare, notify: { end.fulfil($0) })
    if isNew { container.start(manager.refreshMode) }
    let result = await withTaskCancellationHandler {
      await end.value
    } onCancel: {
      container.loader.cancel(opening)
      end.fulfil(nil)
    }
    guard let result else { throw CancellationError() }
    return result
  }

  /// Opens a container and tells a notifier, exactly once, on any thread.
  public static func open(
    _ id: ContainerID, in manager: TagManager, prefer preference: OpenPreference, timeout: Duration? = nil,
    prepare: (@Sendable (Container) -> Void)? = nil, notifier: any ContainerOpenerNotifier
  ) throws(TagManagerError) {
    try open(id, in: manager, prefer: preference, timeout: timeout, prepare: prepare) { result in
      notifier.containerAvailable(result.container)
    }
  }

  /// Opens a container and calls a closure, exactly once, on any thread.
  public static func open(
    _ id: ContainerID, in manager: TagManager, prefer preference: OpenPreference, timeout: Duration? = nil,
    prepare: (@Sendable (Container) -> Void)? = nil, onAvailable: @escaping @Sendable (OpenResult) -> Void
  ) throws(TagManagerError) {
    let (container, isNew) = try manager.find(id)
    container.loader.await(preference, timeout: manager.bounded(timeout), prepare: prepare, notify: onAvailable)
    if isNew { container.start(manager.refreshMode) }
  }

  /// Opens a container and gives a future that blocks only who asks it.
  public static func future(
    _ id: ContainerID, in manager: TagManager, prefer preference: OpenPreference, timeout: Duration? = nil,
    prepare: (@Sendable (Container) -> Void)? = nil
  ) throws(TagManagerError) -> ContainerFuture {
    let (container, isNew) = try manager.find(id)
    let timeout = manager.bounded(timeout)
    let end = Promise<OpenResult?>()
    container.loader.await(preference, timeout: timeout, prepare: prepare, notify: { end.fulfil($0) })
    if isNew { container.start(manager.refreshMode) }
    return ContainerFuture(container, end: end, timeout: timeout)
  }
}

/// A container that is being opened, for whoever can wait (TM-303).
public final class ContainerFuture: Sendable {
  private let container: Container
  private let end: Promise<OpenResult?>
  private let deadline: ContinuousClock.Instant

  init(_ container: Container, end: Promise<OpenResult?>, timeout: Duration) {
    self.container = container
    self.end = end
    deadline = .now + timeout
  }

  /// The container, as soon as its opening has ended; blocks until then, at most for the opening's time-out.
  ///
  /// Inside a callback of the manager it does not wait, for it would wait for itself.
  @available(*, noasync)
  public func get() -> Container {
    if end.current == nil, container.environment.callbackPath.isCurrent {
      container.environment.log(
        .error,
        "\(container.id) A future was asked inside a callback, where it cannot wait; the answer is what is there.")
      return container
    }
    // The opening ends by itself; the margin is for a machine whose threads are all taken.
    end.wait(until: deadline + .milliseconds(40))
    return container
  }

  /// Whether `get` answers without waiting.
  public var isDone: Bool { end.current != nil }
}
