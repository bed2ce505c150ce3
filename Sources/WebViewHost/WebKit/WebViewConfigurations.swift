#if canImport(WebKit)
  import Foundation
  public import WebKit
  public import WebTags

  /// Makes the configuration of a page's web view (WT-141, WT-142).
  @MainActor
  enum WebViewConfigurations {
    static func make(_ options: PageHostOptions) -> WKWebViewConfiguration {
      // Copied before our handlers are added: the app's own views have theirs.
      if let given = options.webViewConfiguration?.object as? WKWebViewConfiguration,
        let configuration = given.copy() as? WKWebViewConfiguration
      {
        // The copy still shares this one with them.
        configuration.userContentController = WKUserContentController()
        return configuration
      }
      let configuration = WKWebViewConfiguration()
      if let pool = options.processPool?.object as? WKProcessPool { configuration.processPool = pool }
      configuration.websiteDataStore = store(of: options.session)
      configuration.userContentController = WKUserContentController()
      configuration.mediaTypesRequiringUserActionForPlayback = .all
      configuration.preferences.javaScriptCanOpenWindowsAutomatically = true
      return configuration
    }

    private static func store(of session: PageSession) -> WKWebsiteDataStore {
      switch session {
      case .appDefault: .default()
      case .ephemeral: .nonPersistent()
      case .shared(let shared):
        if let directory = shared.directory { named(directory) } else { SharedStores.store(of: shared) }
      case .directory(let directory): named(directory)
      }
    }

    /// The store whose name is kept in a folder; before iOS 17 and macOS 14 there are no named stores (WT-141).
    private static func named(_ directory: URL) -> WKWebsiteDataStore {
      guard #available(iOS 17, macOS 14, visionOS 1, *) else { return .default() }
      let file = directory.appendingPathComponent("store", isDirectory: false)
      if let text = try? String(contentsOf: file, encoding: .utf8), let id = UUID(uuidString: text) {
        return WKWebsiteDataStore(forIdentifier: id)
      }
      let id = UUID()
      do {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try Data(id.uuidString.utf8).write(to: file, options: .atomic)
      } catch {
        // A store that cannot be found again is one in memory.
        return .nonPersistent()
      }
      return WKWebsiteDataStore(forIdentifier: id)
    }
  }

  /// The stores in memory that several pages share, while one of them lives.
  @MainActor
  private enum SharedStores {
    private static let stores = NSMapTable<NSUUID, WKWebsiteDataStore>.strongToWeakObjects()

    static func store(of session: SharedWebSession) -> WKWebsiteDataStore {
      if let store = stores.object(forKey: session.id as NSUUID) { return store }
      let store = WKWebsiteDataStore.nonPersistent()
      stores.setObject(store, forKey: session.id as NSUUID)
      return store
    }
  }

  extension WebTagsConfiguration {
    /// Sets the app's process pool (WT-142).
    @MainActor
    public mutating func setProcessPool(_ pool: WKProcessPool?) { processPool = pool.map(PlatformReference.init) }

    /// Sets the app's web view configuration, whose pool and data store are used (WT-142).
    @MainActor
    public mutating func setWebViewConfiguration(_ configuration: WKWebViewConfiguration?) {
      webViewConfiguration = configuration.map(PlatformReference.init)
    }
  }
#endif
