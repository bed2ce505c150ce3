import Foundation
import Hits
import Tagworks
import WebTags
import WebViewHost

/// One instance on the web engine, in a folder that goes with it.
struct HiddenPageRun {
  /// What became of one event.
  struct Outcome {
    var line: Int
    var event: TagEvent
    var id: UUID
    var outcome: EventOutcome
    /// From the call of `track`.
    var duration: Duration
  }

  let configuration: WebTagsConfiguration
  let host: any PageHostFactory
  /// How long the page may take to be ready, and then each event to end.
  let wait: Duration
  /// The app's commands.
  var commands: [String: RemoteCommandHandler] = [:]
  /// Waits for what the events set off in the page, before it closes.
  var afterwards: @Sendable () async -> Void = {}
  /// Takes what the instance and its page say.
  var log: @Sendable (String) -> Void = { Output.message(VisibleText.text($0)) }

  /// The system's engine.
  static func engine(_ sandbox: EngineSettings.Sandbox) -> WebViewHostFactory {
    #if canImport(WebKit)
      WebViewHostFactory()
    #else
      WebViewHostFactory(settings: EngineSettings(sandbox: sandbox))
    #endif
  }

  /// Sends events once the page is ready, and tells of each, in their order.
  ///
  /// - Returns: the name of the page's state when the events went, `ready` if all is well.
  func send(_ events: [WebTagEvents.Entry], report: (Outcome) -> Void) async throws -> String {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tagworks-webtags-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }  // what stays of it harms nobody
    var configuration = configuration
    configuration.storageRoot = folder
    let key = UUID().uuidString
    let log = log
    let manager = try WebTagManager.newInstance(
      forKey: key, configuration: configuration,
      environment: try .live(
        host: host, device: FixedDevice(language: "en-US"), log: { _, line in log(line) }))
    let states = manager.stateUpdates()
    let console = listen(to: manager)
    for (id, handler) in commands { try manager.addRemoteCommand(id: id, handler: handler) }
    let state = await decided(manager, states)
    if state != .ready { log(Self.words(for: state, wait)) }
    let begin = ContinuousClock.now
    let tracked = events.map { manager.track($0.event) }
    manager.flush()
    if state != .ready { await WebTagManager.destroyInstance(forKey: key) }
    for (entry, event) in zip(events, tracked) {
      // An event that does not end is carried over with the end of the instance.
      let limit = Task {
        try await Task.sleep(for: wait)
        await WebTagManager.destroyInstance(forKey: key)
      }
      let outcome = await event.outcome()
      limit.cancel()
      report(
        Outcome(line: entry.line, event: entry.event, id: event.id, outcome: outcome, duration: .now - begin))
    }
    await afterwards()
    await WebTagManager.destroyInstance(forKey: key)
    await console.value
    return state.name
  }

  /// What the page writes and what is kept from it.
  private func listen(to manager: WebTagManager) -> Task<Void, Never> {
    let (notices, log) = (manager.events(), log)
    return Task {
      for await notice in notices {
        switch notice {
        case .console(let level, let text): log("console \(level.rawValue): \(text)")
        case .requestBlocked(let host): log("a request to \(host) was stopped")
        default: break
        }
      }
    }
  }

  /// The state in which the page is ready or will not be, or that at the end of the time.
  private func decided(_ manager: WebTagManager, _ states: AsyncStream<PageState>) async -> PageState {
    let wait = wait
    let decided = await withTaskGroup(of: PageState?.self) { group in
      group.addTask {
        let state = await manager.pageState
        if Self.isDecided(state) { return state }
        return await states.first(where: Self.isDecided)
      }
      group.addTask {
        try? await Task.sleep(for: wait)  // ends early only when it is no longer asked
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
    if let decided { return decided }
    return await manager.pageState
  }

  private static func isDecided(_ state: PageState) -> Bool {
    switch state {
    case .ready, .idle(.noEngine), .idle(.disabled), .closed: true
    case .failed(let failure, _): failure.code == .engineUnavailable
    default: false
    }
  }

  private static func words(for state: PageState, _ wait: Duration) -> String {
    switch state {
    case .failed(let failure, _) where failure.code == .engineUnavailable: "there is no web engine: \(failure.message)"
    case .failed(let failure, _): "the page is not ready: \(failure.code.rawValue), \(failure.message)"
    default: "the page is not ready after \(wait): it is \(state.name)"
    }
  }
}
