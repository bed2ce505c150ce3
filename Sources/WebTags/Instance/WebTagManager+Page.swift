import Foundation
import Hits

/// The page: its host, its loads and what it says.
extension WebTagManager {
  func openHost(_ id: PageMachine.HostID) {
    guard let factory = environment.host else { return }
    let host = factory.make()
    self.host = (id, host)
    if configuration.webViewConfiguration != nil, configuration.processPool != nil {
      warn("the process pool is ignored: the web view configuration has its own")
    }
    let (shared, options) = (shared, hostOptions)
    Task {
      for await event in host.events { shared.run { manager in await manager.take(event, from: id) } }
    }
    Task {
      do throws(PageHostError) {
        let capabilities = try await host.open(options)
        shared.run { manager in await manager.opened(id, capabilities) }
      } catch {
        shared.run { manager in await manager.handle(.hostUnavailable(id, error.message)) }
      }
    }
  }

  private func opened(_ id: PageMachine.HostID, _ capabilities: PageHostCapabilities) async {
    diagnosis.engine = capabilities.engine
    if !capabilities.tellsNavigationFrames, configuration.navigationCommands == .mainFrame {
      log.write(.prod, "this engine cannot tell frames: navigations are no commands")
    }
    await handle(.hostOpened(id))
  }

  private var hostOptions: PageHostOptions {
    let session: PageSession =
      switch webData {
      case .isolated: .directory(folder.appendingPathComponent("webdata", isDirectory: true))
      case .appDefault: .appDefault
      case .shared(let shared): .shared(shared)
      case .ephemeral: .ephemeral
      }
    return PageHostOptions(
      session: session, attachment: configuration.attachment,
      processPool: configuration.webViewConfiguration == nil ? configuration.processPool : nil,
      webViewConfiguration: configuration.webViewConfiguration, userAgent: configuration.userAgent,
      language: environment.device.language, memoryLimit: configuration.memoryLimit, network: configuration.network,
      commandScheme: configuration.commandScheme, navigationCommands: configuration.navigationCommands,
      callLimit: configuration.limits.call,
      isInspectable: log.isForDevelopers,
      decideNavigation: { [weak self] navigation in
        guard let self, let delegate = self.delegate else { return .cancel }
        return await delegate.webTags(self, decide: navigation)
      })
  }

  var webData: WebData {
    if let data = configuration.webData { return data }
    return configuration.processPool != nil || configuration.webViewConfiguration != nil ? .appDefault : .isolated
  }

  func leaveHost(_ id: PageMachine.HostID, drains: Bool) {
    guard let leaving = host, leaving.id == id else { return }
    host = nil
    currentLoad = nil
    loadTask?.cancel()
    closingHosts.append(
      Task {
        if drains { await leaving.host.drain(limit: .seconds(2)) }
        await leaving.host.close()
      })
  }

  func stopLoad(_ id: LoadID) async {
    guard currentLoad == id else { return }
    loadTask?.cancel()
    await host?.host.stop()
  }

  func load(_ id: LoadID, drains: Bool) {
    guard let host else { return }
    diagnosis.loads += 1
    loadTask?.cancel()
    currentLoad = id
    token = InstanceState.hex(environment.random)
    let token = token
    let cached = StoredValues(values).page
    let hidesStorage = hidesStorage
    let preparation = PagePreparation(
      configuration: configuration, environment: environment, fetcher: fetcher, cached: cached)
    loadTask = Task { [shared] in
      if drains { await host.host.drain(limit: .seconds(5)) }
      do throws(PageFailure.Thrown) {
        let page = try await preparation.page()
        if Task.isCancelled { return }
        let bootstrap = preparation.bootstrap(for: page, token: token, hidesStorage: hidesStorage)
        shared.run { manager in await manager.navigate(id, page, bootstrap: bootstrap) }
      } catch {
        if Task.isCancelled { return }
        shared.run { manager in await manager.handle(.loadFailed(id, error.failure)) }
      }
    }
  }

  /// Whether tags are kept from the app's own web storage (WT-851).
  private var hidesStorage: Bool {
    switch webData {
    case .appDefault, .shared: true
    case .isolated, .ephemeral: false
    }
  }

  /// Hands a page to the host.
  private func navigate(_ id: LoadID, _ page: PagePreparation.Page, bootstrap: String) async {
    guard currentLoad == id, let host else { return }
    if let response = page.response, PageAddress.pageHasSettings(configuration) {
      _ = await takeSettings(response)
      settingsCameWithPage()
    } else if page.isConfirmed, PageAddress.pageHasSettings(configuration) {
      settingsCameWithPage()
    }
    // Settings may have closed the page.
    guard currentLoad == id, machine.state == .loading else { return }
    if let keep = page.keep { await self.keep([StoredValues.page: keep.stored]) }
    if let origin = page.origin { notices.yield(.pageSource(origin)) }
    await setCookies(page, host.host)
    await host.host.setBootstrap(bootstrap)
    do {
      try await host.host.setNetworkPolicy(policy(page))
    } catch {
      return await handle(.loadFailed(id, PageFailure(error)))
    }
    await handle(.navigating(id, url: page.url, isText: page.html != nil))
    guard let url = URL(string: page.url) else { return }
    await host.host.load(page.html.map { .html($0, base: url) } ?? .url(url), id: id)
  }

  /// The app's policy; without pins, scripts of the page's own host are refused where the app says so (WT-830).
  private func policy(_ page: PagePreparation.Page) -> NetworkPolicy {
    var policy = configuration.network
    guard configuration.integrity.unpinned == .deny, let host = WebURL(page.url)?.host else { return policy }
    policy.scripts = NetworkPolicy.ScriptRule(
      host: host, allowed: configuration.integrity.pins.keys.map(\.absoluteString).sorted { $0.precedesInBytes($1) })
    return policy
  }

  private func setCookies(_ page: PagePreparation.Page, _ host: any PageHost) async {
    guard let url = URL(string: page.url) else { return }
    do {
      for cookie in page.cookies { try await host.setCookie(cookie) }
      if configuration.universalTag.parts.contains(.utag) { try await shareVisitor(url, host) }
    } catch {
      warn("cookies could not be set: \(error.message)")
    }
  }

  /// Makes the visitor of the page's own cookie and the native one the same (WT-408).
  private func shareVisitor(_ url: URL, _ host: any PageHost) async throws(PageHostError) {
    let (visitor, isNew) = shared.data.withLock { ($0.visitorID, $0.isVisitorNew) }
    let cookie = try await host.cookies(for: url).first { $0.name == "utag_main" }
    if let cookie {
      guard isNew, let id = Self.visitorID(in: cookie.value) else { return }
      shared.data.withLock { ($0.visitorID, $0.isVisitorNew) = (id, false) }
      await keep([StoredValues.visitor: Array(id.utf8)])
      return
    }
    shared.data.withLock { $0.isVisitorNew = false }
    guard let domain = url.host else { return }
    let expires = Date(timeIntervalSince1970: Double(environment.clock.wallMilliseconds) / 1000 + 365 * 86_400)
    try await host.setCookie(
      WebCookie(
        name: "utag_main", value: "v_id:" + visitor, domain: domain, expires: expires, secure: url.scheme == "https"))
  }

  /// The visitor in a `utag_main` cookie: `v_id:<id>$_sn:1$…`, also percent-encoded.
  static func visitorID(in value: String) -> String? {
    let text = value.removingPercentEncoding ?? value
    guard let part = text.split(separator: "$").first(where: { $0.hasPrefix("v_id:") }) else { return nil }
    let id = String(part.dropFirst(5).prefix { $0 != ";" })
    return (1...64).contains(id.utf8.count) && CommandURL.isID(id) ? id : nil
  }

  func probe(_ id: LoadID) {
    guard let host else { return }
    let shared = shared
    Task {
      let answer: PageMachine.ProbeAnswer
      do throws(PageHostError) {
        let text = try await host.host.call("__tagworks.probe", "null")
        answer = (try? Value(json: text))?.map?["ready"] == true ? .ready : .notYet
      } catch {
        answer = .failed(error)
      }
      shared.run { manager in await manager.handle(.probed(id, answer)) }
    }
  }

  func ping(_ id: Int) {
    guard let host else { return }
    let shared = shared
    Task {
      // No answer is an answer: the machine's own timer ends the wait.
      guard (try? await host.host.call("__tagworks.ping", String(id))) == String(id) else { return }
      shared.run { manager in await manager.handle(.pong(id)) }
    }
  }

  /// Takes in what a host says.
  func take(_ event: PageEvent, from id: PageMachine.HostID) async {
    guard host?.id == id else { return }
    let isCurrent = event.load == currentLoad
    switch event.kind {
    case .message(let name, let body, let frame):
      if isCurrent, name == "tagworks" { await take(message: body, frame) }
    case .command(let url, let frame): if isCurrent { await receive(url: url, frame) }
    case .navigationBlocked(let navigation):
      log.write(.qa, "a navigation was stopped: \(WebTagsLog.plain(navigation.url))")
      notices.yield(.navigationBlocked(navigation))
    case .console(let level, let text, _, _): console(level, text)
    case .requestBlocked(let host):
      if diagnosis.blockedRequests.count < 1000 || diagnosis.blockedRequests[host] != nil {
        diagnosis.blockedRequests[host, default: 0] += 1
      }
      notices.yield(.requestBlocked(host: host))
    default: await handle(.page(id, event))
    }
  }

  private func console(_ level: ConsoleLevel, _ text: String) {
    guard lineRate.verdict(at: now.age) == .passes else { return }
    let text = String(text.prefix(1024))
    log.write(.dev, "console \(level.rawValue): \(text)")
    notices.yield(.console(level: level, text: text))
  }

  /// Takes in a message of the bootstrap; whoever does not know the load's token is refused (WT-842).
  private func take(message body: String, _ frame: PageFrame) async {
    switch messageRate.verdict(at: now.age) {
    case .passes: break
    case .firstTooMany: return warn("the page posts more than 1,000 messages a second")
    case .tooMany: return
    }
    guard frame.isMain != false else { return refuse("a message of another frame") }
    let limits = JSONLimits(bytes: 1 << 20, depth: 64, nodes: 100_000)
    guard let message = try? Value(json: body, limits: limits).map, message["k"] == .string(token) else {
      return refuse("a message without the token")
    }
    let value = message["v"]?.map ?? [:]
    switch message["t"] {
    case "confirm":
      if let result = DeliveryCall.result(value) { await handle(.result(result)) }
    case "command": await receive(message: value)
    case "log": console(ConsoleLevel(rawValue: value["level"]?.string ?? "") ?? .log, value["text"]?.string ?? "")
    case "resource":
      if let url = value["url"]?.string, let id = host?.id {
        await handle(
          .page(id, PageEvent(load: currentLoad, .resourceFailed(url: String(url.prefix(1024)), reason: "page"))))
      }
    case "beacon": diagnosis.replacedBeacons += 1
    default: refuse("a message of unknown type")
    }
  }

  func refuse(_ reason: String) {
    log.write(.prod, "refused: \(reason)")
    notices.yield(.commandRefused(reason))
  }
}
