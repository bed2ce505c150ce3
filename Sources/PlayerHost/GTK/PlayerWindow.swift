#if os(Linux)
  import CGTK
  public import Hits
  public import VideoAds

  /// A window with content, the ads over it and their companions beside it (VA-1000, VA-1112).
  ///
  /// Content keeps its own pipeline and picture. An ad's picture comes over it at the ad's first frame, and goes when
  /// content is to go on, so that there is no black picture between the two.
  @MainActor
  public final class PlayerWindow {
    /// Where ads are shown: the size follows the window.
    public let container: AdDisplayContainer
    /// Plays content; nil when GStreamer or what it needs is not installed.
    public let content: GStreamerContent?
    /// Called when the person closes the window.
    public var onClose: (@MainActor () -> Void)?
    /// Hears the size of the video when it changes.
    public var onResize: (@MainActor (AdSize) -> Void)?
    /// Hears what the person taps in the overlay.
    public var onTap: (@MainActor (OverlayTarget, AdPoint?) -> Void)?

    let window: Widget
    private let surface: VideoSurface
    private let overlay: OverlayView
    private var model: OverlayModel?

    /// Opens a window whose video has a size, with a column of companion slots of their own sizes at its side.
    ///
    /// - Parameters:
    ///   - transport: fetches the images of icons and companions.
    ///   - loop: the proof that GTK has started, which a window needs; it is not kept.
    /// - Returns: nil when GTK cannot make one.
    public init?(
      title: String, size: AdSize, companions: [AdSize] = [], transport: any HTTPTransport,
      loop: GTKLoop
    ) {
      let images = ImageFetch(transport: transport)
      guard let window = gtk_window_new(), let row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0),
        let surface = VideoSurface(size: size), let overlay = OverlayView(images: images)
      else { return nil }
      (self.window, self.surface, self.overlay) = (window, surface, overlay)
      content = GStreamerContent(MediaOutput(frames: surface.content.frames))
      let views = companions.compactMap { CompanionView(images: images, size: $0) }
      container = AdDisplayContainer(
        surface: SurfaceID("window"), size: size,
        companionSlots: zip(companions, views).map { CompanionSlot(size: $0, renderer: $1) })
      Self.addStyle
      gtk_window_set_title(cgtk_window(window), title)
      gtk_widget_add_css_class(window, "player")
      gtk_overlay_add_overlay(cgtk_overlay(surface.widget), overlay.widget)
      gtk_box_append(cgtk_box(row), surface.widget)
      if !views.isEmpty, let column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 8) {
        gtk_widget_add_css_class(column, "companions")
        for view in views { gtk_box_append(cgtk_box(column), view.widget) }
        gtk_box_append(cgtk_box(row), column)
      }
      gtk_window_set_child(cgtk_window(window), row)
      connect()
      gtk_window_present(cgtk_window(window))
    }

    private static let addStyle: Void = {
      if let provider = gtk_css_provider_new() { cgtk_add_style(provider, OverlayWidget.style) }
    }()

    private func connect() {
      content?.onFirstFrame = { [weak self] in self?.surface.content.isShown = true }
      overlay.onTap = { [weak self] target, point in self?.onTap?(target, point) }
      surface.onSize = { [weak self] size in
        guard let self, container.size != size else { return }
        container.size = size
        overlay.show(model, in: size)
        onResize?(size)
      }
      GTKSignal.closed(window) { [weak self] in self?.onClose?() }
      GTKSignal.keyPressed(window) { [weak self] key in
        switch Int32(bitPattern: key) {
        case GDK_KEY_Tab: self?.overlay.moveFocus(by: 1) ?? false
        case GDK_KEY_ISO_Left_Tab: self?.overlay.moveFocus(by: -1) ?? false
        default: false
        }
      }
    }

    /// Draws what lies over the ad; nil for nothing.
    public func show(_ model: OverlayModel?) {
      self.model = model
      overlay.show(model, in: container.size)
    }

    /// Takes the ad's picture away: content is to go on.
    public func showContent() { surface.hideAds() }

    /// Whether the window has the keyboard.
    var isActive: Bool { gtk_window_is_active(cgtk_window(window)) != 0 }

    /// Whether the window is on the screen, as far as it can tell.
    public var isVisible: Bool {
      guard gtk_widget_get_mapped(window) != 0 else { return false }
      return cgtk_is_minimized(window) == 0
    }
  }

  extension PlayerWindow: AdPlayerFactory {
    /// Makes a player that shows ads in this window; nil when GStreamer or what it needs is not installed.
    public func makePlayer() -> (any AdPlayer)? {
      let player = GStreamerPlayer([
        .first: MediaOutput(frames: surface.first.frames), .second: MediaOutput(frames: surface.second.frames),
      ])
      player?.onSlot = { [weak self] slot, isShown in self?.surface.set(slot, isShown: isShown) }
      return player
    }
  }

  extension PlayerWindow: ViewGeometryProvider {
    /// The whole of the ad while the window is on the screen, and nothing otherwise (VA-820).
    public func geometry(of surface: SurfaceID) -> AdGeometry? {
      let size = container.size
      return AdGeometry(
        frame: AdRectangle(x: 0, y: 0, width: size.width, height: size.height), viewport: size,
        visibleFraction: isVisible ? 1 : 0, reasons: isVisible ? [] : ["hidden"])
    }
  }
#endif
