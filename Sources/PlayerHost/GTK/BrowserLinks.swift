#if os(Linux)
  import CGTK
  public import VideoAds

  /// Opens pages in the person's browser (VA-850).
  ///
  /// The ad stands still until the window is the active one again; where the browser takes no focus, for two seconds.
  @MainActor
  public final class BrowserLinks: LinkOpener {
    private static let patience = Duration.seconds(2)

    private weak var window: PlayerWindow?

    /// Makes an opener for a window.
    public init(window: PlayerWindow) { self.window = window }

    /// Whether an application is there for the URL's scheme.
    public func canOpen(_ url: String) -> Bool {
      let scheme = url.prefix { $0 != ":" }.lowercased()
      guard let application = g_app_info_get_default_for_uri_scheme(scheme) else { return false }
      cgtk_unref(UnsafeMutableRawPointer(application))
      return true
    }

    /// Opens it.
    public func open(_ url: String, closed: @escaping @MainActor () -> Void) {
      guard g_app_info_launch_default_for_uri(url, nil, nil) != 0 else { return closed() }
      let wasActive = window?.isActive == true
      Task { [weak window] in
        let end = ContinuousClock.now + Self.patience
        var isAway = false
        // A cancelled wait ends the watch.
        while let window, isAway || ContinuousClock.now < end, (try? await Task.sleep(for: .milliseconds(200))) != nil {
          if isAway, window.isActive { break }
          if wasActive, !window.isActive { isAway = true }
        }
        closed()
      }
    }
  }
#endif
