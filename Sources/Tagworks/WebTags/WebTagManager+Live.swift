public import WebTags
import WebViewHost

extension WebTagManager {
  /// Makes an instance on the system's web engine, disk and network; a live one of the same key and an equal
  /// configuration is given back (WT-117).
  ///
  ///     let manager = try WebTagManager.newInstance(forKey: "main", configuration: configuration)
  ///
  /// - Throws: as with an environment; `storageFailed` also when the install's id cannot be kept.
  public static func newInstance(
    forKey key: String, configuration: WebTagsConfiguration
  ) throws(WebTagsError) -> WebTagManager {
    try newInstance(forKey: key, configuration: configuration, environment: try .live(host: systemPages))
  }

  /// Ends the instance of a key, if there is one, and makes another that has its queue and visitor (WT-117).
  ///
  /// - Throws: as `newInstance` does.
  public static func replaceInstance(
    forKey key: String, configuration: WebTagsConfiguration
  ) async throws(WebTagsError) -> WebTagManager {
    try await replaceInstance(forKey: key, configuration: configuration, environment: try .live(host: systemPages))
  }

  /// One for the process: all pages of an app are in one helper (WT-731).
  private static let systemPages = WebViewHostFactory()
}
