import CWebKitGTK
import Foundation
public import WebTags

/// Cookies, web storage and caches of WebKit: one object for all pages of one folder or of one shared session (WT-735).
@WebKitActor
final class NetworkSession {
  /// What makes two pages share a session.
  private enum Key: Hashable {
    case directory(String)
    case shared(UUID)
  }

  private static var open: [Key: NetworkSession] = [:]

  let pointer: OpaquePointer
  private let key: Key?
  private var users = 1

  private init(_ pointer: OpaquePointer, key: Key?, isOurs: Bool = true) {
    self.pointer = pointer
    self.key = key
    // The app's own session is as the app wants it (WT-144).
    guard isOurs else { return }
    webkit_network_session_set_tls_errors_policy(pointer, WEBKIT_TLS_ERRORS_POLICY_FAIL)
    webkit_network_session_set_persistent_credential_storage_enabled(pointer, 0)
    webkit_cookie_manager_set_accept_policy(cookies, WEBKIT_COOKIE_POLICY_ACCEPT_NO_THIRD_PARTY)
    g_signal_connect_data(
      UnsafeMutableRawPointer(pointer), "download-started", unsafeBitCast(cancelDownload, to: GCallback.self), nil, nil,
      GConnectFlags(rawValue: 0))
  }

  /// The session of a page; `close()` it once for each time it was opened.
  static func open(_ session: PageSession) throws(PageHostError) -> NetworkSession {
    switch session {
    case .directory(let url): try shared(.directory(url.standardizedFileURL.path), directory: url)
    case .shared(let session): try shared(.shared(session.id), directory: session.directory)
    case .ephemeral: try make(directory: nil, key: nil)
    case .appDefault:
      // Holding one more reference to WebKit's own session is harmless.
      NetworkSession(
        OpaquePointer(g_object_ref(gpointer(webkit_network_session_get_default()))), key: nil, isOurs: false)
    }
  }

  /// The session of a name, while a page uses it.
  static func current(of session: SharedWebSession) -> NetworkSession? { open[.shared(session.id)] }

  var cookies: OpaquePointer? { webkit_network_session_get_cookie_manager(pointer) }

  /// Begins one more use, such as for as long as something of the session is waited for.
  func use() throws(PageHostError) {
    guard users > 0 else { throw .closed }
    users += 1
  }

  /// Ends one use; the last one ends the session.
  func close() {
    users -= 1
    guard users == 0 else { return }
    if let key { Self.open[key] = nil }
    g_object_unref(gpointer(pointer))
  }

  /// Removes cookies, web storage, databases and caches.
  func erase() async throws(PageHostError) {
    try use()
    defer { close() }
    let manager = webkit_network_session_get_website_data_manager(pointer)
    let failure: String? = await asyncCall { callback, context in
      webkit_website_data_manager_clear(manager, cwebkit_website_data_all(), 0, nil, callback, context)
    } finish: { _, result in
      var error: UnsafeMutablePointer<GError>?
      return webkit_website_data_manager_clear_finish(manager, result, &error) != 0 ? nil : takeMessage(error)
    }
    if let failure { throw PageHostError(.engineFailed, "the page's data could not be erased: \(failure)") }
  }

  private static func shared(_ key: Key, directory: URL?) throws(PageHostError) -> NetworkSession {
    if let session = open[key] {
      session.users += 1
      return session
    }
    let session = try make(directory: directory, key: key)
    open[key] = session
    return session
  }

  private static func make(directory: URL?, key: Key?) throws(PageHostError) -> NetworkSession {
    guard let directory else {
      guard let pointer = webkit_network_session_new_ephemeral() else { throw failure("in memory") }
      return NetworkSession(pointer, key: key)
    }
    let (data, cache) = (directory.appendingPathComponent("data"), directory.appendingPathComponent("cache"))
    do {
      for folder in [data, cache] {
        // WebKit's files in them are readable by all.
        try FileManager.default.createDirectory(
          at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      }
    } catch {
      throw failure("in \(directory.path): \(error.localizedDescription)")
    }
    guard let pointer = webkit_network_session_new(data.path, cache.path) else { throw failure("in \(directory.path)") }
    let session = NetworkSession(pointer, key: key)
    // Without it no cookie is kept.
    webkit_cookie_manager_set_persistent_storage(
      session.cookies, data.appendingPathComponent("cookies.sqlite").path, WEBKIT_COOKIE_PERSISTENT_STORAGE_SQLITE)
    return session
  }

  private static func failure(_ place: String) -> PageHostError {
    PageHostError(.engineFailed, "the page's data could not be opened \(place)")
  }
}

private let cancelDownload: @convention(c) (OpaquePointer?, OpaquePointer?, gpointer?) -> Void = { _, download, _ in
  webkit_download_cancel(download)
}

extension SharedWebSession {
  /// WebKit's session (`WebKitNetworkSession *`) while a page uses it, for the app's own web views; to be used on the
  /// engine's thread alone (WT-140).
  @WebKitActor public var networkSession: OpaquePointer? { NetworkSession.current(of: self)?.pointer }
}
