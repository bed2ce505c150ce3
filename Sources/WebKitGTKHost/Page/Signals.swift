import CWebKitGTK
import Foundation
import WebTags

// What WebKit calls, on the engine's thread, with the page as context. The page disconnects them before it goes.

extension EnginePage {
  /// Connects the page to its view.
  func connectSignals() {
    let page = Unmanaged.passUnretained(self).toOpaque()
    func connect(_ object: UnsafeMutableRawPointer, _ signal: String, _ handler: GCallback) {
      g_signal_connect_data(object, signal, handler, page, nil, GConnectFlags(rawValue: 0))
    }
    let view = UnsafeMutableRawPointer(objects.view)
    connect(view, "load-changed", unsafeBitCast(onLoadChanged, to: GCallback.self))
    connect(view, "load-failed", unsafeBitCast(onLoadFailed, to: GCallback.self))
    connect(view, "load-failed-with-tls-errors", unsafeBitCast(onLoadFailedByTLS, to: GCallback.self))
    connect(view, "decide-policy", unsafeBitCast(onDecidePolicy, to: GCallback.self))
    connect(view, "create", unsafeBitCast(onCreateWindow, to: GCallback.self))
    connect(view, "web-process-terminated", unsafeBitCast(onProcessTerminated, to: GCallback.self))
    connect(view, "resource-load-started", unsafeBitCast(onResourceStarted, to: GCallback.self))
    connect(view, "script-dialog", unsafeBitCast(onRefuseDialog, to: GCallback.self))
    connect(view, "permission-request", unsafeBitCast(onRefusePermission, to: GCallback.self))
    for signal in ["run-file-chooser", "show-notification", "print"] {
      connect(view, signal, unsafeBitCast(onRefuse, to: GCallback.self))
    }
    connect(view, "authenticate", unsafeBitCast(onRefuseAuthentication, to: GCallback.self))
    connect(view, "enter-fullscreen", unsafeBitCast(onRefuseFullscreen, to: GCallback.self))
    // The signal must be connected before the handler is registered, or early messages are lost.
    let content = UnsafeMutableRawPointer(objects.content)
    connect(content, "script-message-received::\(Self.handler)", unsafeBitCast(onMessageReceived, to: GCallback.self))
    webkit_user_content_manager_register_script_message_handler(objects.content, Self.handler, nil)
  }

  /// Ends all calls from WebKit.
  func disconnectSignals() {
    let page = Unmanaged.passUnretained(self).toOpaque()
    for object in [UnsafeMutableRawPointer(objects.view), UnsafeMutableRawPointer(objects.content)] {
      g_signal_handlers_disconnect_matched(object, G_SIGNAL_MATCH_DATA, 0, 0, nil, nil, page)
    }
  }
}

private typealias View = UnsafeMutablePointer<WebKitWebView>

/// Works on the page that is a signal's context.
private func onPage<Result: Sendable>(
  _ context: gpointer?, otherwise: Result, _ work: @WebKitActor (EnginePage) -> Result
) -> Result {
  guard let context else { return otherwise }
  let page = Unmanaged<EnginePage>.fromOpaque(context).takeUnretainedValue()
  return WebKitActor.assumeIsolated { work(page) }
}

private func text(_ chars: UnsafePointer<CChar>?) -> String { chars.map { String(cString: $0) } ?? "" }

private let onLoadChanged: @convention(c) (View?, WebKitLoadEvent, gpointer?) -> Void = { view, event, context in
  let url = text(webkit_web_view_get_uri(view))
  onPage(context, otherwise: ()) { $0.loadChanged(event, url: url) }
}

private let onLoadFailed:
  @convention(c) (
    View?, WebKitLoadEvent, UnsafePointer<CChar>?, UnsafePointer<GError>?, gpointer?
  ) -> gboolean = { _, _, url, error, context in
    let (url, code, message) = (text(url), Int(error?.pointee.code ?? 0), text(error?.pointee.message))
    let isPolicy = error.map { cwebkit_is_policy_error($0) != 0 } ?? false
    let failure = PageHostError(isPolicy ? .blocked : .loadFailed, message, number: code)
    onPage(context, otherwise: ()) { $0.loadFailed(url: url, error: failure) }
    return 1
  }

private let onLoadFailedByTLS:
  @convention(c) (
    View?, UnsafePointer<CChar>?, OpaquePointer?, GTlsCertificateFlags, gpointer?
  ) -> gboolean = { _, url, _, flags, context in
    let url = text(url)
    let failure = PageHostError(.tls, "the certificate is not trusted", number: Int(flags.rawValue))
    onPage(context, otherwise: ()) { $0.loadFailed(url: url, error: failure) }
    return 1
  }

private let onDecidePolicy:
  @convention(c) (
    View?, UnsafeMutablePointer<WebKitPolicyDecision>?, WebKitPolicyDecisionType, gpointer?
  ) -> gboolean = { _, decision, type, context in
    let isAllowed: Bool
    if type == WEBKIT_POLICY_DECISION_TYPE_RESPONSE {
      let answer = OpaquePointer(decision)
      let response = webkit_response_policy_decision_get_response(answer)
      let status = Int(webkit_uri_response_get_status_code(response))
      let mime = webkit_uri_response_get_mime_type(response).map { String(cString: $0) }
      let url = text(webkit_uri_response_get_uri(response))
      let isMain = webkit_response_policy_decision_is_main_frame_main_resource(answer) != 0
      // WebKit would make a download of what it cannot show.
      let isShown = webkit_response_policy_decision_is_mime_type_supported(answer) != 0
      isAllowed = onPage(context, otherwise: false) {
        $0.decideOnResponse(status: status, mime: mime, url: url, isMain: isMain, isShown: isShown)
      }
    } else {
      let action = webkit_navigation_policy_decision_get_navigation_action(OpaquePointer(decision))
      let url = text(webkit_uri_request_get_uri(webkit_navigation_action_get_request(action)))
      let isWindow = type == WEBKIT_POLICY_DECISION_TYPE_NEW_WINDOW_ACTION
      isAllowed = onPage(context, otherwise: false) { $0.decideOnNavigation(url: url, isWindow: isWindow) }
    }
    if isAllowed { webkit_policy_decision_use(decision) } else { webkit_policy_decision_ignore(decision) }
    return 1
  }

private let onCreateWindow: @convention(c) (View?, OpaquePointer?, gpointer?) -> UnsafeMutablePointer<GtkWidget>? = {
  _, action, context in
  let url = text(webkit_uri_request_get_uri(webkit_navigation_action_get_request(action)))
  _ = onPage(context, otherwise: false) { $0.decideOnNavigation(url: url, isWindow: true) }
  return nil
}

private let onProcessTerminated: @convention(c) (View?, WebKitWebProcessTerminationReason, gpointer?) -> Void = {
  _, reason, context in
  let reason: TerminationReason =
    switch reason {
    case WEBKIT_WEB_PROCESS_EXCEEDED_MEMORY_LIMIT: .memory
    case WEBKIT_WEB_PROCESS_TERMINATED_BY_API: .api
    default: .crash
    }
  onPage(context, otherwise: ()) { $0.processTerminated(reason) }
}

private let onMessageReceived: @convention(c) (OpaquePointer?, OpaquePointer?, gpointer?) -> Void = {
  _, value, context in
  guard jsc_value_is_string(value) != 0, let chars = jsc_value_to_string(value) else { return }
  defer { g_free(chars) }
  guard strlen(chars) <= EnginePage.longestMessage else { return }
  let body = String(cString: chars)
  onPage(context, otherwise: ()) { $0.messageReceived(body) }
}

private let onResourceStarted: @convention(c) (View?, OpaquePointer?, OpaquePointer?, gpointer?) -> Void = {
  _, resource, _, context in
  guard let resource, let context else { return }
  let page = Unmanaged<EnginePage>.fromOpaque(context).takeUnretainedValue()
  let request = onPage(context, otherwise: nil) { PageRequest(page: page, document: $0.requestStarted()) }
  // The page may be gone when the request ends: each closure holds what it needs as long as it is connected.
  for (signal, handler) in [
    ("finished", unsafeBitCast(onResourceFinished, to: GCallback.self)),
    ("failed", unsafeBitCast(onResourceFailed, to: GCallback.self)),
  ] {
    guard let request else { return }
    g_signal_connect_data(
      UnsafeMutableRawPointer(resource), signal, handler, Unmanaged.passRetained(request).toOpaque(),
      { context, _ in if let context { Unmanaged<PageRequest>.fromOpaque(context).release() } },
      GConnectFlags(rawValue: 0))
  }
}

/// One request of a page's document.
private final class PageRequest: Sendable {
  let page: EnginePage
  let document: Int

  init(page: EnginePage, document: Int) {
    self.page = page
    self.document = document
  }
}

// Comes after a failure too.
private let onResourceFinished: @convention(c) (OpaquePointer?, gpointer?) -> Void = { _, context in
  guard let context else { return }
  let request = Unmanaged<PageRequest>.fromOpaque(context).takeUnretainedValue()
  WebKitActor.assumeIsolated { request.page.requestEnded(document: request.document) }
}

private let onResourceFailed: @convention(c) (OpaquePointer?, UnsafePointer<GError>?, gpointer?) -> Void = {
  resource, error, context in
  guard let context else { return }
  let (url, reason) = (text(webkit_web_resource_get_uri(resource)), text(error?.pointee.message))
  let isEngineFailure = error.map { cwebkit_is_internal_error($0) != 0 } ?? false
  let request = Unmanaged<PageRequest>.fromOpaque(context).takeUnretainedValue()
  WebKitActor.assumeIsolated { request.page.requestFailed(url: url, reason: reason, isEngineFailure: isEngineFailure) }
}

private let onRefuse: @convention(c) (View?, gpointer?, gpointer?) -> gboolean = { _, _, _ in 1 }
private let onRefuseFullscreen: @convention(c) (View?, gpointer?) -> gboolean = { _, _ in 1 }

private let onRefuseAuthentication: @convention(c) (View?, OpaquePointer?, gpointer?) -> gboolean = { _, request, _ in
  webkit_authentication_request_cancel(request)
  return 1
}

private let onRefuseDialog: @convention(c) (View?, OpaquePointer?, gpointer?) -> gboolean = { _, dialog, _ in
  if webkit_script_dialog_get_dialog_type(dialog) == WEBKIT_SCRIPT_DIALOG_BEFORE_UNLOAD_CONFIRM {
    webkit_script_dialog_confirm_set_confirmed(dialog, 1)
  }
  return 1
}

private let onRefusePermission: @convention(c) (View?, OpaquePointer?, gpointer?) -> gboolean = { _, request, _ in
  webkit_permission_request_deny(request)
  return 1
}
