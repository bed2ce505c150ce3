#if canImport(WebKit)
  import Foundation
  import WebKit
  import WebTags

  /// What WebKit calls: holds the page weakly, for a content controller holds its handlers.
  @MainActor
  final class WebViewProxy: NSObject, WKScriptMessageHandler, WKNavigationDelegate, WKUIDelegate {
    weak var page: WebViewPage?
    private static let longestMessage = 1 << 20

    func userContentController(_ controller: WKUserContentController, didReceive message: WKScriptMessage) {
      guard let body = message.body as? String, body.utf8.count <= Self.longestMessage else { return }
      page?.emit(.message(name: message.name, body: body, frame: PageFrame(message.frameInfo)))
    }

    func webView(
      _ webView: WKWebView, decidePolicyFor action: WKNavigationAction,
      decisionHandler: @escaping @MainActor (WKNavigationActionPolicy) -> Void
    ) {
      guard let page, let url = action.request.url else { return decisionHandler(.cancel) }
      let source = PageFrame(action.sourceFrame)
      if url.scheme?.lowercased() == page.options.commandScheme {
        let counts =
          switch page.options.navigationCommands {
          case .off: false
          case .mainFrame: source.isMain == true
          case .any: true
          }
        let navigation = PageNavigation(url: url.absoluteString, kind: .navigation, frame: source)
        page.emit(counts ? .command(url: url.absoluteString, frame: source) : .navigationBlocked(navigation))
        return decisionHandler(.cancel)
      }
      guard let target = action.targetFrame else {
        page.emit(
          .navigationBlocked(PageNavigation(url: url.absoluteString, kind: .newWindow, frame: source)))
        return decisionHandler(.cancel)
      }
      guard target.isMainFrame else { return decisionHandler(isAllowedInFrame(url, page) ? .allow : .cancel) }
      // The load under way, and where its server sends it, until its document is there.
      if let load = page.load, !load.isCommitted {
        return decisionHandler(isAllowedDocument(url, page) || url == load.url ? .allow : .cancel)
      }
      let navigation = PageNavigation(url: url.absoluteString, kind: .navigation, frame: source)
      Task {
        let isAllowed = await page.decides(navigation)
        if !isAllowed { page.emit(.navigationBlocked(navigation)) }
        decisionHandler(isAllowed ? .allow : .cancel)
      }
    }

    func webView(
      _ webView: WKWebView, decidePolicyFor response: WKNavigationResponse,
      decisionHandler: @escaping @MainActor (WKNavigationResponsePolicy) -> Void
    ) {
      if response.isForMainFrame, let answer = response.response as? HTTPURLResponse {
        page?.answered(
          status: answer.statusCode, mime: answer.mimeType, url: answer.url?.absoluteString ?? "")
      }
      decisionHandler(response.canShowMIMEType ? .allow : .cancel)
    }

    func webView(_ webView: WKWebView, didStartProvisionalNavigation navigation: WKNavigation?) {
      page?.started(navigation)
    }

    func webView(_ webView: WKWebView, didReceiveServerRedirectForProvisionalNavigation navigation: WKNavigation?) {
      page?.redirected(navigation)
    }

    func webView(_ webView: WKWebView, didCommit navigation: WKNavigation?) { page?.committed(navigation) }

    func webView(_ webView: WKWebView, didFinish navigation: WKNavigation?) { page?.finished(navigation) }

    func webView(_ webView: WKWebView, didFail navigation: WKNavigation?, withError error: any Error) {
      page?.failed(navigation, error)
    }

    func webView(
      _ webView: WKWebView, didFailProvisionalNavigation navigation: WKNavigation?, withError error: any Error
    ) {
      page?.failed(navigation, error)
    }

    func webViewWebContentProcessDidTerminate(_ webView: WKWebView) { page?.processTerminated(.crash) }

    func webView(
      _ webView: WKWebView, createWebViewWith configuration: WKWebViewConfiguration, for action: WKNavigationAction,
      windowFeatures: WKWindowFeatures
    ) -> WKWebView? { nil }

    func webView(
      _ webView: WKWebView, runJavaScriptAlertPanelWithMessage message: String, initiatedByFrame frame: WKFrameInfo,
      completionHandler: @escaping @MainActor () -> Void
    ) { completionHandler() }

    func webView(
      _ webView: WKWebView, runJavaScriptConfirmPanelWithMessage message: String, initiatedByFrame frame: WKFrameInfo,
      completionHandler: @escaping @MainActor (Bool) -> Void
    ) { completionHandler(false) }

    func webView(
      _ webView: WKWebView, runJavaScriptTextInputPanelWithPrompt prompt: String, defaultText: String?,
      initiatedByFrame frame: WKFrameInfo, completionHandler: @escaping @MainActor (String?) -> Void
    ) { completionHandler(nil) }

    private func isAllowedInFrame(_ url: URL, _ page: WebViewPage) -> Bool {
      switch url.scheme?.lowercased() {
      case "about", "data", "blob": true
      default: page.policy.allows(url.absoluteString)
      }
    }

    private func isAllowedDocument(_ url: URL, _ page: WebViewPage) -> Bool {
      guard page.policy.allows(url.absoluteString) else { return false }
      guard let hosts = page.policy.pageHosts, let host = url.host else { return true }
      return hosts.contains { $0.matches(host) }
    }
  }

  extension WebViewPage {
    /// Asks the app about a navigation; no answer in five seconds is a no (WT-704).
    fileprivate func decides(_ navigation: PageNavigation) async -> Bool {
      guard let decide = options.decideNavigation, policy.allows(navigation.url) else { return false }
      return await NavigationQuestion(decide).answer(for: navigation) == .allow
    }
  }

  extension PageFrame {
    @MainActor
    fileprivate init(_ frame: WKFrameInfo) {
      let origin = frame.securityOrigin
      let port = origin.port == 0 ? "" : ":\(origin.port)"
      self.init(
        isMain: frame.isMainFrame, origin: origin.host.isEmpty ? nil : "\(origin.protocol)://\(origin.host)\(port)")
    }
  }
#endif
