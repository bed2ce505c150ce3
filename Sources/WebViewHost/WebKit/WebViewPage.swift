#if canImport(WebKit)
  import Foundation
  import WebKit
  import WebTags

  /// One page in a `WKWebView`: its loads, its calls and its data (WT-763).
  ///
  /// A web view cannot be told to end its process; `terminate` lets go of the view, which ends it, and makes another.
  @MainActor
  final class WebViewPage {
    static let handler = "tagworks"

    let options: PageHostOptions
    private let report: @Sendable (PageEvent) -> Void
    private let configuration: WKWebViewConfiguration
    private let proxy = WebViewProxy()
    private let attachment: ViewAttachment
    private(set) var view: WKWebView
    private(set) var policy: NetworkPolicy
    private var rules: WKContentRuleList?

    private var calls: CallLine
    private var completions: [CallLine.ID: (Result<String, PageHostError>) -> Void] = [:]
    private var deadline: Task<Void, Never>?
    private var isClosed = false
    /// The load under way, its document as WebKit's object, and how far it is.
    private(set) var load: (id: LoadID, navigation: WKNavigation?, url: URL, isCommitted: Bool)?
    /// The load whose document is there.
    private(set) var documentID: LoadID?

    static func open(
      _ options: PageHostOptions, report: @escaping @Sendable (PageEvent) -> Void
    ) async -> Result<WebViewPage, PageHostError> {
      let page = WebViewPage(options, report: report)
      do throws(PageHostError) { try await page.setNetworkPolicy(options.network) } catch { return .failure(error) }
      return .success(page)
    }

    private init(_ options: PageHostOptions, report: @escaping @Sendable (PageEvent) -> Void) {
      self.options = options
      self.report = report
      policy = options.network
      calls = CallLine(limit: options.callLimit)
      configuration = WebViewConfigurations.make(options)
      attachment = ViewAttachment(options.attachment)
      configuration.userContentController.add(proxy, name: Self.handler)
      view = WKWebView(frame: .zero, configuration: configuration)
      proxy.page = self
      prepareView()
    }

    private func prepareView() {
      view.navigationDelegate = proxy
      view.uiDelegate = proxy
      view.customUserAgent = options.userAgent
      if #available(iOS 16.4, macOS 13.3, tvOS 16.4, *) { view.isInspectable = options.isInspectable }
      attachment.place(view)
    }

    // MARK: The port

    func load(_ source: PageSource, id: LoadID) {
      guard !isClosed else { return }
      attachment.place(view)
      if let load { emit(.failed(.superseded), load: load.id) }
      calls.loadBegan()
      switch source {
      case .html(let text, let base):
        load = (id, nil, base, false)
        load?.navigation =
          if #available(iOS 15, macOS 12, tvOS 15, *) {
            view.loadSimulatedRequest(URLRequest(url: base), responseHTML: text)
          } else {
            view.loadHTMLString(text, baseURL: base)
          }
      case .url(let url):
        load = (id, nil, url, false)
        load?.navigation = view.load(URLRequest(url: url))
      }
    }

    func stop() {
      guard load != nil else { return }
      if load?.isCommitted == true { documentID = nil }
      load = nil
      view.stopLoading()
      perform(calls.loadFailed(.superseded))
    }

    func call(_ path: String, _ argument: String, completion: @escaping (Result<String, PageHostError>) -> Void) {
      // The app's views may have changed since (WT-762).
      attachment.place(view)
      let (id, actions) = calls.add(path: path, argument: argument, now: now)
      completions[id] = completion
      perform(actions)
    }

    func setBootstrap(_ source: String) {
      configuration.userContentController.removeAllUserScripts()
      configuration.userContentController.addUserScript(
        WKUserScript(source: source, injectionTime: .atDocumentStart, forMainFrameOnly: true, in: .page))
    }

    func setNetworkPolicy(_ policy: NetworkPolicy) async throws(PageHostError) {
      let json = ContentRules.json(for: policy, commandScheme: options.commandScheme)
      let next: WKContentRuleList?
      do {
        next = try await WKContentRuleListStore.default().compileContentRuleList(
          forIdentifier: Self.name(of: json), encodedContentRuleList: json)
      } catch {
        throw PageHostError(.engineFailed, "the network policy could not be set: \(error.localizedDescription)")
      }
      guard let next else { throw PageHostError(.engineFailed, "the network policy could not be set") }
      guard !isClosed else { throw .closed }
      configuration.userContentController.add(next)
      if let rules, rules !== next { configuration.userContentController.remove(rules) }
      rules = next
      self.policy = policy
    }

    /// The name of rules in WebKit's store: the same in every process, so that one text is kept once.
    private static func name(of rules: String) -> String {
      // FNV-1a of 64 bits; two texts of one name would be compiled in turn, and each be right.
      let hash = rules.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
      return "tagworks-" + String(hash, radix: 16)
    }

    func attach(_ attachment: Attachment) {
      self.attachment.change(attachment)
      self.attachment.place(view)
    }

    func terminate() {
      guard !isClosed else { return }
      attachment.remove(view)
      view.navigationDelegate = nil
      view.uiDelegate = nil
      view = WKWebView(frame: .zero, configuration: configuration)
      prepareView()
      processTerminated(.api)
    }

    func close() {
      guard !isClosed else { return }
      isClosed = true
      deadline?.cancel()
      perform(calls.close())
      configuration.userContentController.removeScriptMessageHandler(forName: Self.handler)
      configuration.userContentController.removeAllUserScripts()
      view.stopLoading()
      attachment.remove(view)
      proxy.page = nil
      report(PageEvent(load: load?.id ?? documentID, .closed))
    }

    // MARK: What WebKit says

    func started(_ navigation: WKNavigation?) {
      guard let load, load.navigation === navigation else { return }
      emit(.started, load: load.id)
    }

    func redirected(_ navigation: WKNavigation?) {
      guard let load, load.navigation === navigation, let url = view.url else { return }
      emit(.redirected(url: url.absoluteString), load: load.id)
    }

    func answered(status: Int, mime: String?, url: String) {
      guard let load, !load.isCommitted else { return }
      emit(.response(status: status, mime: mime, url: url), load: load.id)
    }

    func committed(_ navigation: WKNavigation?) {
      guard let load, load.navigation === navigation else { return }
      self.load?.isCommitted = true
      documentID = load.id
      perform(calls.documentReplaced())
    }

    func finished(_ navigation: WKNavigation?) {
      guard let load, load.navigation === navigation else { return }
      self.load = nil
      emit(.finished(url: view.url?.absoluteString ?? ""), load: load.id)
      perform(calls.loadFinished(now: now))
    }

    func failed(_ navigation: WKNavigation?, _ error: any Error) {
      guard let load, load.navigation === navigation else { return }
      self.load = nil
      let failure = Self.failure(error)
      emit(.failed(failure), load: load.id)
      perform(calls.loadFailed(failure))
    }

    func processTerminated(_ reason: TerminationReason) {
      let id = load?.id ?? documentID
      load = nil
      documentID = nil
      perform(calls.processTerminated(reason))
      report(PageEvent(load: id, .processTerminated(reason)))
    }

    /// Reports what happened in the document that is there, or in a load.
    func emit(_ kind: PageEvent.Kind, load: LoadID? = nil) {
      guard !isClosed, let id = load ?? documentID else { return }
      report(PageEvent(load: id, kind))
    }

    private static func failure(_ error: any Error) -> PageHostError {
      let error = error as NSError
      let isTLS = error.domain == NSURLErrorDomain && (-1206 ... -1200).contains(error.code)
      // 104 of WebKit's own domain: a content blocker.
      let isBlocked = error.domain == "WebKitErrorDomain" && error.code == 104
      return PageHostError(
        isTLS ? .tls : isBlocked ? .blocked : .loadFailed, error.localizedDescription, number: error.code)
    }

    // MARK: Calls

    private func perform(_ actions: [CallLine.Action]) {
      for action in actions {
        switch action {
        case .start(let id, let path, let argument): start(id, path: path, argument: argument)
        case .end(let id, let result): completions.removeValue(forKey: id)?(result)
        }
      }
      setDeadline()
    }

    private func start(_ id: CallLine.ID, path: String, argument: String) {
      view.callAsyncJavaScript(
        PageCall.source, arguments: ["path": path, "argument": argument], in: nil, in: .page
      ) { [weak self] result in
        guard let self else { return }
        perform(calls.answer(id, text: (try? result.get()) as? String, now: now))
      }
    }

    /// Nanoseconds of a clock that stands still while the device sleeps (WT-313).
    private var now: UInt64 { clock_gettime_nsec_np(CLOCK_UPTIME_RAW) }

    private func setDeadline() {
      deadline?.cancel()
      guard !isClosed, let next = calls.nextDeadline else { return }
      let wait = next > now ? next - now : 0
      deadline = Task { [weak self] in
        do { try await Task.sleep(nanoseconds: wait) } catch { return }
        guard let self else { return }
        perform(calls.expire(now: now))
      }
    }
  }
#endif
