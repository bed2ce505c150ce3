#if !canImport(Darwin)
  import Foundation
  import Hits
  package import WebTags

  /// The helper's side of the two pipes: makes pages and does with them what the app asks (WT-731).
  ///
  ///     input ──▶ request ──▶ page's host ──▶ answer ──▶ output
  ///                               └── events ───▶ event ──┘
  ///
  /// Requests are handed to the hosts in the order in which they come. It ends with its input, after closing the pages.
  package final class HelperService: Sendable {
    private struct State: Sendable {
      var makeHost: (@Sendable () -> any PageHost)?
      var pages: [UInt64: ServedPage] = [:]
      var sessions: [UUID: SharedWebSession] = [:]
      var nextQuestion: UInt64 = 1
      var questions: [UInt64: CheckedContinuation<NavigationDecision, Never>] = [:]
    }

    /// The most pages of one app.
    private static let mostPages = 64

    private let output: FrameOutput
    private let factory: @Sendable (EngineSettings) -> any PageHostFactory
    private let state = Locked(State())
    private let reader = Locked(FrameReader())

    /// Makes a service, and says its first message.
    ///
    /// - Parameters:
    ///   - output: the descriptor to write to; what cannot be written is dropped, because the app is gone then.
    ///   - factory: makes the factory of the hosts of an app that wants these settings.
    package init(output: Int32, factory: @escaping @Sendable (EngineSettings) -> any PageHostFactory) {
      self.output = FrameOutput(descriptor: output)
      self.factory = factory
      send(.hello(version: Frame.version))
    }

    /// Takes in what there is to read, and waits while there is nothing; for one thread at a time.
    ///
    /// - Returns: false at the end of the input, and when it holds what is no message.
    package func read(_ input: Int32) -> Bool {
      guard let bytes = Self.bytes(from: input) else { return false }
      reader.withLock { $0.append(bytes) }
      do throws(FrameError) {
        while let json = try reader.withLock({ reader throws(FrameError) in try reader.next() }) {
          try take(HelperRequest(json: json))
        }
        return true
      } catch {
        FileHandle.standardError.write(Data("tagworks-webhost: \(error.message)\n".utf8))
        return false
      }
    }

    /// Closes all pages.
    package func close() async {
      let pages = state.withLock { state in
        defer { state.pages = [:] }
        return state.pages.values
      }
      for page in pages { await page.host.close() }
    }

    private func take(_ request: HelperRequest) throws(FrameError) {
      switch request {
      case .hello(let version, let settings):
        guard version == Frame.version else {
          throw FrameError(.version, "the app speaks version \(version), not \(Frame.version)")
        }
        let factory = factory(settings)
        state.withLock { $0.makeHost = { factory.make() } }
      case .ping(let id): send(.done(id: id, outcome: .nothing))
      case .decision(let id, let decision):
        state.withLock { $0.questions.removeValue(forKey: id) }?.resume(returning: decision)
      case .page(let page, let id, let operation): perform(operation, of: page, id: id)
      }
    }

    private func perform(_ operation: PageOperation, of number: UInt64, id: UInt64) {
      if case .open(let options) = operation { return open(options, page: number, id: id) }
      guard let page = state.withLock({ $0.pages[number] }) else {
        return send(.done(id: id, outcome: .failure(.notOpen)))
      }
      if case .close = operation { state.withLock { $0.pages[number] = nil } }
      if case .call(let path, let argument) = operation {
        return page.host.call(path, argument) { result in
          switch result {
          case .success(let text): self.send(.done(id: id, outcome: .text(text)))
          case .failure(let error): self.send(.done(id: id, outcome: .failure(error)))
          }
        }
      }
      // Runs to its first suspension at once: so a host gets its calls in the order of the requests.
      Task.immediate {
        let outcome = await page.perform(operation)
        if case .close = operation { await page.finishEvents() }
        self.send(.done(id: id, outcome: outcome))
      }
    }

    private func open(_ options: HelperPageOptions, page number: UInt64, id: UInt64) {
      let page = state.withLock { state -> ServedPage? in
        guard let makeHost = state.makeHost, state.pages[number] == nil, state.pages.count < Self.mostPages else {
          return nil
        }
        let page = ServedPage(host: makeHost()) { [weak self] in self?.send(.event(page: number, event: $0)) }
        state.pages[number] = page
        return page
      }
      guard let page else {
        return send(.done(id: id, outcome: .failure(PageHostError(.unavailable, "the helper cannot open the page"))))
      }
      let options = options.options(session: session(of: options.session)) { [weak self] navigation in
        await self?.ask(navigation, of: number) ?? .cancel
      }
      Task {
        do throws(PageHostError) {
          send(.done(id: id, outcome: .capabilities(try await page.host.open(options))))
        } catch {
          state.withLock { state in
            if state.pages[number] === page { state.pages[number] = nil }
          }
          send(.done(id: id, outcome: .failure(error)))
        }
      }
    }

    /// The session of a page; the same object for the same name, for that is how a host knows it.
    private func session(of session: HelperPageOptions.Session) -> PageSession {
      switch session {
      case .directory(let url): .directory(url)
      case .ephemeral: .ephemeral
      case .shared(let id, let directory):
        .shared(
          state.withLock { state in
            let session = state.sessions[id] ?? SharedWebSession(directory: directory)
            state.sessions[id] = session
            return session
          })
      }
    }

    private func ask(_ navigation: PageNavigation, of page: UInt64) async -> NavigationDecision {
      await withCheckedContinuation { continuation in
        let id = state.withLock { state in
          let id = state.nextQuestion
          state.nextQuestion += 1
          state.questions[id] = continuation
          return id
        }
        send(.decide(page: page, id: id, navigation: navigation))
      }
    }

    private func send(_ answer: HelperAnswer) { output.send(answer) }

    private static func bytes(from descriptor: Int32) -> [UInt8]? {
      while true {
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, size in
          count = Foundation.read(descriptor, buffer.baseAddress, 65_536)
          size = max(0, count)
        }
        if count > 0 { return bytes }
        if count == 0 || errno != EINTR { return nil }
      }
    }
  }
#endif
