import Hits
import TestSupport

@testable import TagManager

/// A running manager on fakes, with one container made of a sketch.
struct RuntimeBench {
  let clock = ManualClock()
  let sink: RecordingSink
  let logger: RecordingLogger
  let recorder = TagRecorder()
  let manager: TagManager
  let container: Container

  var dataLayer: DataLayer { manager.dataLayer }

  init(
    _ sketch: ContainerSketch, origin: ContainerOrigin = .default, sink: RecordingSink = RecordingSink(),
    configuration: TagManager.Configuration = TagManager.Configuration(traceDetail: .full),
    configure: (inout TagManager.Ports) -> Void = { _ in }
  ) throws {
    self.sink = sink
    logger = RecordingLogger()
    var ports = TagManager.Ports(sink: sink, clock: clock, random: SeededRandomSource(seed: 1))
    ports.register(recorder, for: FunctionName.recording.rawValue)
    configure(&ports)
    manager = TagManager(configuration: configuration, ports: ports, logger: logger)
    container = try manager.openContainer("GTM-TEST", with: LoadedContent(sketch.container, origin: origin))
  }

  /// Opens one more container.
  func open(_ id: ContainerID, _ sketch: ContainerSketch) throws -> Container {
    try manager.openContainer(id, with: LoadedContent(sketch.container, origin: .default))
  }

  /// Pushes an update and gives its outcome in the first container.
  @discardableResult
  func push(_ update: [String: Value]) async throws -> ContainerOutcome {
    let outcome = await dataLayer.push(update).outcome
    guard let container = outcome.containers.first else { throw Missing() }
    return container
  }

  /// A container has no outcome where one was expected.
  struct Missing: Error {}
}

/// A tag function that keeps what it was called with, in order.
final class TagRecorder: TagFunction {
  private struct State {
    var calls: [TagCall] = []
    var action: (@Sendable (TagCall) throws -> Void)?
    var progress = TagProgress.finished
  }

  private let state = Locked(State())

  func fire(_ call: TagCall) throws -> TagProgress {
    let (action, progress) = state.withLock { state in
      state.calls.append(call)
      return (state.action, state.progress)
    }
    try action?(call)
    return progress
  }

  /// Says from now on that its work goes on.
  func goOn() { state.withLock { $0.progress = .started } }

  /// Does something at each call, besides keeping it.
  func onFire(_ action: @escaping @Sendable (TagCall) throws -> Void) { state.withLock { $0.action = action } }

  /// The calls so far.
  var calls: [TagCall] { state.withLock { $0.calls } }

  /// The names of the tags called so far.
  var names: [String] { calls.map(\.name) }
}
