#if canImport(WebKit)
  import WebKit
  import WebTags

  #if canImport(UIKit)
    import UIKit
    typealias PlatformView = UIView
  #else
    import AppKit
    typealias PlatformView = NSView
  #endif

  /// Keeps a page's web view in a view of the app, for a view without a window is throttled (WT-760 to WT-762).
  @MainActor
  final class ViewAttachment {
    private var attachment: Attachment
    private var place: PlatformView?

    init(_ attachment: Attachment) { self.attachment = attachment }

    /// Sets where the web view shall be.
    func change(_ attachment: Attachment) {
      self.attachment = attachment
      place = nil
    }

    /// Puts the web view where it shall be, unless it is there and in a window.
    func place(_ view: WKWebView) {
      let isInPlace = view.superview != nil && view.window != nil && (place == nil || view.superview === place)
      guard !isInPlace, let parent = parent else { return }
      view.frame = .zero
      place = parent
      #if canImport(UIKit)
        view.isUserInteractionEnabled = false
        view.accessibilityElementsHidden = true
        parent.insertSubview(view, at: 0)
      #else
        view.setAccessibilityHidden(true)
        parent.addSubview(view, positioned: .below, relativeTo: nil)
      #endif
    }

    func remove(_ view: WKWebView) { view.removeFromSuperview() }

    private var parent: PlatformView? {
      switch attachment {
      case .none: nil
      case .view(let reference): reference.object as? PlatformView
      case .automatic: Self.visibleView
      }
    }

    #if canImport(UIKit)
      /// The view of the controller that the app shows: containers are followed, what is presented is not.
      private static var visibleView: UIView? {
        let scenes = UIApplication.shared.connectedScenes.compactMap { $0 as? UIWindowScene }
        let scene = scenes.first { $0.activationState == .foregroundActive } ?? scenes.first
        guard let window = scene?.windows.first(where: \.isKeyWindow) ?? scene?.windows.first else { return nil }
        guard var controller = window.rootViewController else { return window }
        while true {
          switch controller {
          case let navigation as UINavigationController:
            guard let last = navigation.viewControllers.last else { return navigation.viewIfLoaded }
            controller = last
          case let tabs as UITabBarController:
            guard let selected = tabs.selectedViewController else { return tabs.viewIfLoaded }
            controller = selected
          default: return controller.viewIfLoaded
          }
        }
      }
    #else
      private static var visibleView: NSView? {
        (NSApplication.shared.keyWindow ?? NSApplication.shared.windows.first)?.contentView
      }
    #endif
  }
#endif
