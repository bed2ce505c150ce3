import CWebKitGTK
import Foundation
import WebTags

/// One page in the engine: drives the view by the machines for loads and calls, and reports what happens.
///
/// It lives from `open` to `close`; WebKit's signals hold no reference to it.
@WebKitActor
final class EnginePage {
  /// The name under which scripts post messages (WT-710).
  nonisolated static let handler = "tagworks"
  /// The most bytes of a message from a page (WT-710).
  nonisolated static let longestMessage = 1 << 20

  let objects: PageView
  let options: PageHostOptions
  let session: NetworkSession
  private let report: @Sendable (PageEvent) -> Void

  private var loads = LoadSequence()
  private var calls: CallLine
  private var completions: [CallLine.ID: (Result<String, PageHostError>) -> Void] = [:]
  private var deadlineTimer: UInt32 = 0
  private var guardTimer: UInt32 = 0
  private var isClosed = false
  /// Whether a load has started a content process that has not ended.
  private var hasProcess = false
  /// Whether that process is ended because the page is of no use any more.
  private var isLost = false
  private var lastLoad: LoadID?
  private var policy: NetworkPolicy
  private let filters: PageFilters
  /// Counts the documents, so that a request's end is not taken for one of a later document.
  private var document = 0
  private var requests = 0
  /// Keeps a flood out of the way to the app, and lets twice through what is listened to there: its seconds begin at
  /// other moments.
  private var messages = RateLimit(perSecond: 2000)

  init(options: PageHostOptions, report: @escaping @Sendable (PageEvent) -> Void) async throws(PageHostError) {
    self.options = options
    self.report = report
    policy = options.network
    calls = CallLine(limit: options.callLimit)
    filters = PageFilters(commandScheme: options.commandScheme)
    session = try NetworkSession.open(options.session)
    do throws(PageHostError) {
      objects = try PageView(options: options, session: session.pointer)
    } catch {
      session.close()
      throw error
    }
    connectSignals()
    do throws(PageHostError) {
      try await filters.setPolicy(policy, of: objects.content)
      try await filters.prepareStay()
    } catch {
      end()
      throw error
    }
  }

  // MARK: The port

  func load(_ source: PageSource, id: LoadID) {
    guard !isClosed else { return }
    lastLoad = id
    calls.loadBegan()
    perform(loads.load(LoadSequence.Load(id: id, source: source)))
  }

  func stop() {
    guard !isClosed else { return }
    perform(loads.stop())
  }

  func call(_ path: String, _ argument: String, completion: @escaping (Result<String, PageHostError>) -> Void) {
    let (id, actions) = calls.add(path: path, argument: argument, now: now)
    completions[id] = completion
    perform(actions)
  }

  func setBootstrap(_ source: String) {
    guard !isClosed else { return }
    webkit_user_content_manager_remove_all_scripts(objects.content)
    let script = webkit_user_script_new(
      source, WEBKIT_USER_CONTENT_INJECT_TOP_FRAME, WEBKIT_USER_SCRIPT_INJECT_AT_DOCUMENT_START, nil, nil)
    webkit_user_content_manager_add_script(objects.content, script)
    webkit_user_script_unref(script)
  }

  func setNetworkPolicy(_ policy: NetworkPolicy) async throws(PageHostError) {
    guard !isClosed else { throw .closed }
    try await filters.setPolicy(policy, of: objects.content)
    guard !isClosed else { throw .closed }
    self.policy = policy
  }

  /// Waits until no request is under way; looks every 20 ms, for WebKit begins one as the other ends.
  func drain(limit: Duration) async {
    let end = now &+ UInt64(limit.timerMilliseconds) * 1_000_000
    while requests > 0, now < end, !isClosed {
      do { try await Task.sleep(for: .milliseconds(20)) } catch { return }
    }
  }

  /// Ends the content process; where there is none, that is reported as its end.
  func terminate() {
    guard !isClosed else { return }
    if hasProcess { webkit_web_view_terminate_web_process(objects.view) } else { processTerminated(.api) }
  }

  func close() {
    guard !isClosed else { return }
    end()
    report(PageEvent(load: lastLoad, .closed))
  }

  private func end() {
    isClosed = true
    for timer in [deadlineTimer, guardTimer] where timer != 0 { g_source_remove(timer) }
    (deadlineTimer, guardTimer) = (0, 0)
    perform(calls.close())
    disconnectSignals()
    objects.close()
    session.close()
  }

  // MARK: What WebKit says

  func loadChanged(_ event: WebKitLoadEvent, url: String) {
    switch event {
    case WEBKIT_LOAD_STARTED: perform(loads.started())
    case WEBKIT_LOAD_REDIRECTED: perform(loads.redirected(to: url, isAllowed: isAllowedDocument(url)))
    case WEBKIT_LOAD_COMMITTED: perform(loads.committed())
    case WEBKIT_LOAD_FINISHED: perform(loads.finished(url: url))
    default: break
    }
  }

  func loadFailed(url: String, error: PageHostError) { perform(loads.failed(url: url, error: error)) }

  func decideOnResponse(status: Int, mime: String?, url: String, isMain: Bool, isShown: Bool) -> Bool {
    guard isMain else { return isShown }
    guard let actions = loads.answered(status: status, mime: mime, url: url) else { return false }
    perform(actions)
    return isShown
  }

  func decideOnNavigation(url: String, isWindow: Bool) -> Bool {
    let frame = PageFrame.unknown
    let scheme = String(url.prefix { $0 != ":" }).lowercased()
    if scheme == options.commandScheme, options.navigationCommands == .any {
      emit(.command(url: url, frame: frame))
      return false
    }
    if isWindow {
      emit(.navigationBlocked(PageNavigation(url: url, kind: .newWindow, frame: frame)))
      return false
    }
    if let (isAllowed, actions) = loads.decide(url: url, isAllowed: isAllowedDocument(url)) {
      perform(actions)
      return isAllowed
    }
    switch scheme {
    case "about", "data", "blob": return true
    case "http", "https":
      if policy.allows(url) { return true }
      emit(.requestBlocked(host: URL(string: url)?.host ?? ""))
    default: break
    }
    emit(.navigationBlocked(PageNavigation(url: url, kind: .navigation, frame: frame)))
    return false
  }

  func processTerminated(_ reason: TerminationReason) {
    let reason = isLost ? .crash : reason
    (hasProcess, isLost) = (false, false)
    newDocument()
    perform(calls.processTerminated(reason))
    report(PageEvent(load: lastLoad, .processTerminated(reason)))
    perform(loads.processTerminated())
  }

  func messageReceived(_ body: String) {
    guard messages.verdict(at: Int64(now / 1_000_000)) == .passes else { return }
    emit(.message(name: Self.handler, body: body, frame: .unknown))
  }

  /// Counts a request; gives the number of its document.
  func requestStarted() -> Int {
    requests += 1
    return document
  }

  func requestEnded(document: Int) {
    if document == self.document { requests -= 1 }
  }

  /// A request failed; when it failed for the end of the network process, which WebKit tells in no other way, what the
  /// page has begun to send is lost, and the page counts as lost with it, before its scripts hear of the failure.
  func requestFailed(url: String, reason: String, isEngineFailure: Bool) {
    if !loads.isDocument(url) { emit(.resourceFailed(url: url, reason: reason)) }
    if isEngineFailure { losePage() }
  }

  /// Ends the process of a page that is of no use any more; to the app it is as if that had crashed.
  private func losePage() {
    guard !isClosed, hasProcess, !isLost else { return }
    isLost = true
    webkit_web_view_terminate_web_process(objects.view)
  }

  // MARK: Performing

  /// Each load has a guard of its own: that of the one before must not end it.
  private func startGuard() {
    if guardTimer != 0 { g_source_remove(guardTimer) }
    guardTimer = after(milliseconds: 500) { page in
      page.guardTimer = 0
      page.perform(page.loads.guardFired())
    }
  }

  private func perform(_ actions: [LoadSequence.Action]) {
    for action in actions {
      switch action {
      case .begin(let load): begin(load)
      case .stopLoading: webkit_web_view_stop_loading(objects.view)
      case .startGuard: startGuard()
      case .report(let id, let kind): report(id, kind)
      case .documentReplaced:
        newDocument()
        perform(calls.documentReplaced())
        filters.stay(true, in: objects.content)
      case .loaded: perform(calls.loadFinished(now: now))
      case .notLoaded(let error): perform(calls.loadFailed(error))
      case .pageLost: losePage()
      }
    }
  }

  private func perform(_ actions: [CallLine.Action]) {
    for action in actions {
      switch action {
      case .start(let id, let path, let argument): start(id, path: path, argument: argument)
      case .end(let id, let result): completions.removeValue(forKey: id)?(result)
      }
    }
    setDeadline()
  }

  private func begin(_ load: LoadSequence.Load) {
    hasProcess = true
    filters.stay(false, in: objects.content)
    switch load.source {
    case .html(let text, let base): webkit_web_view_load_html(objects.view, text, base.absoluteString)
    case .url(let url): webkit_web_view_load_uri(objects.view, url.absoluteString)
    }
  }

  private func start(_ id: CallLine.ID, path: String, argument: String) {
    let context = CallCompletion.context { [weak self] object, result in
      let value = webkit_web_view_call_async_javascript_function_finish(cwebkit_web_view(object), result, nil)
      defer { if let value { g_object_unref(gpointer(value)) } }
      let chars = value.flatMap { jsc_value_is_string($0) != 0 ? jsc_value_to_string($0) : nil }
      defer { g_free(chars) }
      guard let self else { return }
      perform(calls.answer(id, text: chars.map { String(cString: $0) }, now: now))
    }
    webkit_web_view_call_async_javascript_function(
      objects.view, PageCall.source, -1, cwebkit_call_arguments(path, argument), nil, nil, nil, completeCall, context)
  }

  /// Decides on a navigation of the page's own that was stopped, and reports it (WT-704).
  private func report(_ id: LoadID?, _ kind: PageEvent.Kind) {
    guard case .navigationBlocked(let navigation) = kind, let decide = options.decideNavigation, let id,
      let url = URL(string: navigation.url), policy.allows(navigation.url)
    else { return report(PageEvent(load: id, kind)) }
    let before = document
    Task { [weak self] in
      let decision = await NavigationQuestion(decide).answer(for: navigation)
      guard let self, !isClosed, document == before else { return }
      if decision == .allow { load(.url(url), id: id) } else { report(PageEvent(load: id, kind)) }
    }
  }

  /// Reports what happened in the document that is there.
  private func emit(_ kind: PageEvent.Kind) {
    guard let id = loads.documentID else { return }
    report(PageEvent(load: id, kind))
  }

  private func newDocument() {
    document += 1
    requests = 0
  }

  private func isAllowedDocument(_ url: String) -> Bool {
    guard policy.allows(url) || url == "about:blank" else { return false }
    guard let hosts = policy.pageHosts, let host = URL(string: url)?.host else { return true }
    return hosts.contains { $0.matches(host) }
  }

  // MARK: Time

  /// Nanoseconds of a clock that stands still while the device sleeps (WT-313).
  private var now: UInt64 { UInt64(g_get_monotonic_time()) &* 1000 }

  /// Sees to it that calls whose time is over end.
  private func setDeadline() {
    if deadlineTimer != 0 { g_source_remove(deadlineTimer) }
    deadlineTimer = 0
    guard !isClosed, let next = calls.nextDeadline else { return }
    let milliseconds = next > now ? UInt32(clamping: (next - now) / 1_000_000 + 1) : 0
    deadlineTimer = after(milliseconds: milliseconds) { page in
      page.deadlineTimer = 0
      page.perform(page.calls.expire(now: page.now))
    }
  }

  @discardableResult
  private func after(milliseconds: UInt32, _ work: @escaping @WebKitActor (EnginePage) -> Void) -> UInt32 {
    let timer = PageTimer(page: self, work: work)
    return g_timeout_add_full(
      G_PRIORITY_DEFAULT, milliseconds, fireTimer, Unmanaged.passRetained(timer).toOpaque(), releaseTimer)
  }
}
