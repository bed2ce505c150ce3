import CWebKitGTK
import Foundation
import WebTags

/// The content filters of one page: what it may reach, and that its main frame stays where it is.
@WebKitActor
final class PageFilters {
  private var policy: ContentFilter?
  private var stay: ContentFilter?
  private var isStaying = false
  private let commandScheme: String

  init(commandScheme: String) { self.commandScheme = commandScheme }

  /// Puts the filter of a policy in place of the one before.
  func setPolicy(_ policy: NetworkPolicy, of content: OpaquePointer) async throws(PageHostError) {
    // The page may be closed while the rules are compiled.
    g_object_ref(gpointer(content))
    defer { g_object_unref(gpointer(content)) }
    let next = try await ContentFilter.compiled(ContentRules.json(for: policy, commandScheme: commandScheme))
    guard next !== self.policy else { return }
    // The new one first: at no time is there none.
    webkit_user_content_manager_add_filter(content, next.pointer)
    if let before = self.policy { webkit_user_content_manager_remove_filter(content, before.pointer) }
    self.policy = next
  }

  /// Compiles what `stay` needs.
  func prepareStay() async throws(PageHostError) {
    stay = try await ContentFilter.compiled(ContentRules.staysInPlace)
  }

  /// Keeps the main frame where it is, or lets it load a document.
  func stay(_ stays: Bool, in content: OpaquePointer) {
    guard let stay, stays != isStaying else { return }
    isStaying = stays
    if stays {
      webkit_user_content_manager_add_filter(content, stay.pointer)
    } else {
      webkit_user_content_manager_remove_filter(content, stay.pointer)
    }
  }
}

/// A compiled content filter; each text is compiled once in a process.
@WebKitActor
final class ContentFilter {
  let pointer: OpaquePointer
  private static var compiled: [String: ContentFilter] = [:]
  private static let most = 32

  private init(_ pointer: OpaquePointer) { self.pointer = pointer }

  isolated deinit { webkit_user_content_filter_unref(pointer) }

  /// The filter of some rules.
  static func compiled(_ rules: String) async throws(PageHostError) -> ContentFilter {
    if let filter = compiled[rules] { return filter }
    let filter = try await compile(rules)
    if compiled.count >= most { compiled.removeAll() }
    compiled[rules] = filter
    return filter
  }

  private static func compile(_ rules: String) async throws(PageHostError) -> ContentFilter {
    let name = UUID().uuidString
    let folder = RuntimeDirectory.path + "/tagworks-filter-" + name
    let store = webkit_user_content_filter_store_new(folder)
    let source = rules.withCString { g_bytes_new($0, gsize(strlen($0))) }
    defer {
      g_bytes_unref(source)
      if let store { g_object_unref(gpointer(store)) }
      // The filter holds its file open.
      try? FileManager.default.removeItem(atPath: folder)
    }
    let result: Result<ContentFilter, PageHostError> = await asyncCall { callback, context in
      webkit_user_content_filter_store_save(store, name, source, nil, callback, context)
    } finish: { _, result in
      var error: UnsafeMutablePointer<GError>?
      if let filter = webkit_user_content_filter_store_save_finish(store, result, &error) {
        return .success(ContentFilter(filter))
      }
      return .failure(PageHostError(.engineFailed, "the network policy could not be set: \(takeMessage(error))"))
    }
    return try result.get()
  }
}
