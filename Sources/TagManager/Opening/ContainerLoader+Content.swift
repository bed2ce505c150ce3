import Hits

/// Where content comes from and goes to.
extension ContainerLoader {
  func installDefault(_ container: Container) {
    // The first content is in force since before the opening.
    guard container.generation > 1, !container.isDefault else { return }
    let content = environment.defaultLoader.load(id)
    state.withLock { $0.defaults = DefaultFacts(content) }
    container.install(content, checkedAt: nil)
  }

  func install(_ content: LoadedContent, checkedAt time: Int64, _ container: Container) {
    container.install(content, checkedAt: time)
    if content.origin == .preview, let link = environment.previews.link, link.id == id {
      let name = state.withLock { $0.debugSession }
      environment.traces.begin(link, name: name, snapshot: container.dataLayer.snapshot)
      // The preview may have ended between the two.
      if environment.previews.link != link { environment.traces.end() }
    }
    environment.log(.info, "\(id) Version '\(container.version)' is in force, from \(content.origin.rawValue).")
  }

  func readSaved(_ ticket: LoadingTicket) {
    let defaults = state.withLock { $0.defaults }
    let configuration = environment.configuration
    let reading = SavedContainerReading(
      decoder: environment.decoder(of: id), environment: configuration.environment,
      server: configuration.server?.origin, policy: configuration.savedContainerPolicy,
      signatures: environment.signatures, defaults: defaults)
    let limit = SavedContainerFile.limit(ofPayload: configuration.limits.bytes)
    do {
      let bytes = try environment.ports.savedContainers.load(id, limit: limit) ?? legacy()
      act(on: reading.judge(bytes), ticket)
    } catch {
      let message = "The saved file of \(id) cannot be read: \(error)"
      environment.log(.warning, "\(id) \(message)")
      send(.savedFailed(RefreshFailure(.ioError, .denied, message), ticket))
    }
  }

  /// The file of the SDK that the app had before, kept as one of ours from now on (TM-214).
  ///
  /// It is the live container and nothing has signed it; it is left as it is, and what is wrong with it costs no opening.
  private func legacy() -> [UInt8]? {
    let configuration = environment.configuration
    guard let source = environment.ports.legacyContainers, configuration.environment == "live" else { return nil }
    if case .required = configuration.signature { return nil }
    let name = LegacySavedContainer.fileName(of: id)
    do {
      guard let data = try source.data(named: name, limit: configuration.limits.bytes) else { return nil }
      let saved = try LegacySavedContainer.read(Array(data), environment.decoder(of: id))
      write(saved)
      let diagnostic = Diagnostic(
        .info, .legacySavedImported, "What the former SDK has saved is taken over, version '\(saved.header.version)'.")
      environment.log(.info, "\(id) \(diagnostic.message)")
      return try SavedContainerFile.encode(saved)
    } catch {
      let reason = (error as? DecodingFault)?.message ?? "\(error)"
      environment.log(.warning, "\(id) \(name) in \(source.place) is not taken over: \(reason)")
      return nil
    }
  }

  private func act(on verdict: SavedContainerReading.Verdict, _ ticket: LoadingTicket) {
    switch verdict {
    case .usable(let saved, let header):
      accept(sequence: header.sequence)
      send(.savedLoaded(saved, ticket))
    case .failed(let failure, let diagnostic, let removes, let header):
      if let header { accept(sequence: header.sequence) }
      if let diagnostic { environment.log(diagnostic.severity.logLevel, "\(id) \(diagnostic.message)") }
      if removes { removeSaved() }
      send(.savedFailed(failure, ticket))
    }
  }

  private func accept(sequence: Int64?) {
    guard let sequence else { return }
    state.withLock { $0.lastSequence = max(sequence, $0.lastSequence ?? .min) }
  }

  private func removeSaved() {
    do { try environment.ports.savedContainers.remove(id) } catch {
      environment.log(.warning, "\(id) The damaged saved file cannot be removed: \(error)")
    }
  }

  func fetch(_ plan: FetchPlan, _ ticket: LoadingTicket) {
    let fetch = ContainerFetch(id: id, environment: environment, lastSequence: state.withLock { $0.lastSequence })
    let draft = environment.previews.link
    environment.log(.verbose, "\(id) The server is asked\(plan.isPreview ? " for the draft" : "").")
    let work = Task { [weak self, slots = environment.fetchSlots] in
      guard let result = await slots.run({ await fetch.result(of: plan, draft: draft) }) else { return }
      self?.finish(result, plan, ticket)
    }
    state.withLock { $0.work = work }
  }

  private func finish(_ result: FetchResult, _ plan: FetchPlan, _ ticket: LoadingTicket) {
    guard !Task.isCancelled else { return }
    if isWorthSaying(result) { environment.log(result.level, "\(id) \(result.message)") }
    switch result.outcome {
    case .fetched(let fetched):
      if plan.isPreview {
        state.withLock { $0.debugSession = fetched.debugSession }
      } else {
        accept(sequence: fetched.saved.header.sequence)
      }
      send(.fetched(fetched, ticket))
    case .notChanged(let supplementals): send(.notChanged(supplementals, ticket))
    case .failed(let failure, let retryAfter): send(.failed(failure, retryAfter: retryAfter, ticket))
    }
  }

  /// One warning says that there is no server (TM-1211).
  private func isWorthSaying(_ result: FetchResult) -> Bool {
    guard case .failed(let failure, _) = result.outcome, failure.detail == .noServerConfigured else { return true }
    return environment.once.isFirst(.noServer)
  }

  func save(_ fetched: FetchedContent) {
    var saved = fetched.saved
    saved.header.defaultDigest = state.withLock { $0.defaults.digest }
    write(saved)
  }

  /// Moves the time of the last check in the saved file (TM-212).
  func touchSaved(at time: Int64) {
    let limit = SavedContainerFile.limit(ofPayload: environment.configuration.limits.bytes)
    do {
      guard let bytes = try environment.ports.savedContainers.load(id, limit: limit) else { return }
      var saved = try SavedContainerFile.decode(bytes)
      saved.header.fetchedAt = time
      write(saved)
    } catch {
      tellSaveFailed(error)
    }
  }

  private func write(_ saved: SavedContainer) {
    do {
      try environment.ports.savedContainers.save(try SavedContainerFile.encode(saved), for: id)
    } catch {
      tellSaveFailed(error)
    }
  }

  private func tellSaveFailed(_ error: any Error) {
    let diagnostic = Diagnostic(
      .warning, .saveFailed, "The container is in force but could not be kept for the next start: \(error)")
    environment.log(.warning, "\(id) \(diagnostic.message)")
  }

  func endRefusedPreview(_ failure: RefreshFailure) {
    environment.previews.end(id)
    environment.traces.end()
    environment.log(.warning, "\(id) The preview is over, the server does not give the draft: \(failure.message)")
  }
}

extension DefaultFacts {
  init(_ content: LoadedContent) {
    let container = content.container
    self.init(
      digest: content.digest, version: container.version, environment: container.environment,
      sequence: container.sequence)
  }
}
