public import Foundation
import Hits

/// Where the file of a mapped command is.
public enum MappedCommandSource: Sendable, Hashable {
  /// The app has it.
  case bundled(Data)
  /// It is fetched, and kept for later (WT-530).
  case remote(URL)
}

/// A mapped command with its file.
struct MappedCommandFile: Sendable {
  /// Between two looks, in milliseconds.
  static let interval: Int64 = 3_600_000

  var handler: RemoteCommandHandler
  var url: URL?
  var command: MappedCommand?
  var etag: String?
  var refresh = SettingsRefresh()
}

extension WebTagManager {
  /// Registers a command that a file maps from events, without a page (WT-530).
  ///
  /// The handler runs for one event after another, and the end of the instance waits for it.
  ///
  /// - Throws: `commandExists`, `invalidCommandID`, `invalidConfiguration` for a file that cannot be read.
  public nonisolated func addMappedCommand(
    id: String, source: MappedCommandSource, handler: @escaping RemoteCommandHandler
  ) throws(WebTagsError) {
    var file = MappedCommandFile(handler: handler)
    switch source {
    case .bundled(let data):
      guard let command = try? MappedCommand(Array(data)) else {
        throw WebTagsConfiguration.invalid("source", "is no command file")
      }
      file.command = command
    case .remote(let url):
      guard let parts = WebURL(url.absoluteString), parts.isSecure || parts.isLoopback else {
        throw WebTagsConfiguration.invalid("source", "is no https URL")
      }
      file.url = url
    }
    try addRemoteCommand(id: id, description: nil, handler: handler)
    shared.run { [file] manager in
      var file = file
      if file.url != nil, let kept = manager.values.value(of: StoredValues.commandFile(id)) {
        file.command = (try? MappedCommand(kept)) ?? nil
      }
      manager.mapped[id] = file
      manager.fetchMappedFiles()
    }
  }

  /// Runs the mapped commands that an event leads to, after those of the events before it.
  func runMapped(_ event: QueuedEvent) {
    guard !mapped.isEmpty, consent.current.passes == .all else { return }
    fetchMappedFiles()
    for (id, file) in mapped.sorted(by: { $0.key < $1.key }) {
      guard let command = file.command, let payload = command.payload(for: event.data, type: event.type) else {
        continue
      }
      let request = RemoteCommandRequest(commandID: id, responseID: nil, payload: payload, config: command.config)
      let log = log
      let calls = mappedCalls[id] ?? CallbackQueue(shared, didCall: environment.didWork)
      mappedCalls[id] = calls
      calls.add {
        do {
          _ = try await file.handler(request)
        } catch {
          log.write(.prod, "the mapped command \(id) failed: \(error)")
        }
      }
    }
  }

  /// Looks for the files whose time has come; nothing is fetched without consent (WT-467).
  func fetchMappedFiles() {
    guard consent.current.passes == .all, environment.connectivity.isOnline else { return }
    for id in mapped.keys where mapped[id]?.url != nil {
      let action = mapped[id]?.refresh.ask(
        now.age, refreshMinutes: Double(MappedCommandFile.interval) / 60_000, isForced: false)
      if let action { perform(action, id) }
    }
  }

  private func perform(_ action: SettingsRefresh.Action, _ id: String) {
    switch action {
    case .wait(let milliseconds):
      later(.milliseconds(milliseconds)) { manager in
        if let action = manager.mapped[id]?.refresh.due() { manager.perform(action, id) }
      }
    case .fetch:
      guard let file = mapped[id], let url = file.url, let host = WebURL(url.absoluteString)?.host else { return }
      let (fetcher, shared) = (fetcher, shared)
      spawn {
        let answer: Result<PageFetcher.Answer, PageFetcher.Failure>
        do throws(PageFetcher.Failure) {
          answer = .success(
            try await fetcher.get(
              url, etag: file.etag, lastModified: nil, hosts: [HostPattern(host)], timeout: .seconds(30)))
        } catch {
          answer = .failure(error)
        }
        shared.run { manager in await manager.fileFetched(id, answer) }
      }
    }
  }

  private func fileFetched(_ id: String, _ answer: Result<PageFetcher.Answer, PageFetcher.Failure>) async {
    let outcome: SettingsRefresh.Answer
    switch answer {
    case .success(.unchanged): outcome = .good
    case .success(.new(let response)):
      outcome = .good
      if let command = try? MappedCommand(response.body) {
        mapped[id]?.command = command
        mapped[id]?.etag = response.headers["ETag"]
        await keep([StoredValues.commandFile(id): response.body])
      } else {
        notices.yield(.remoteCommandFileRejected(id: id, reason: "the file is no command file"))
      }
    case .failure(.temporary(_, let retryAfter)): outcome = .temporary(retryAfter: retryAfter)
    case .failure(.permanent(let failure)):
      outcome = .bad
      notices.yield(.remoteCommandFileRejected(id: id, reason: failure.message))
    }
    if let action = mapped[id]?.refresh.answer(outcome, now.age) { perform(action, id) }
  }
}
