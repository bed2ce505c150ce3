#if os(Linux)
  import CGTK
  import VideoAds

  /// The place of the video: content below, the pictures of the two ad slots above it.
  @MainActor
  final class VideoSurface {
    /// Takes what lies over the video.
    let widget: Widget
    let content: PictureView
    let first: PictureView
    let second: PictureView
    /// Hears the size in points when it changes.
    var onSize: (AdSize) -> Void = { _ in }

    init?(size: AdSize) {
      guard let overlay = gtk_overlay_new(), let area = gtk_drawing_area_new(), let content = PictureView(),
        let first = PictureView(), let second = PictureView()
      else { return nil }
      (widget, self.content, self.first, self.second) = (overlay, content, first, second)
      // The area lies below everything, and is there for its size.
      gtk_drawing_area_set_content_width(cgtk_drawing_area(area), gint(size.width))
      gtk_drawing_area_set_content_height(cgtk_drawing_area(area), gint(size.height))
      gtk_widget_set_hexpand(area, 1)
      gtk_widget_set_vexpand(area, 1)
      gtk_overlay_set_child(cgtk_overlay(overlay), area)
      for view in [content, first, second] { gtk_overlay_add_overlay(cgtk_overlay(overlay), view.widget) }
      // No picture of content is shown before it plays: an ad may come first (VA-116).
      content.isShown = false
      hideAds()
      GTKSignal.resized(area) { [weak self] width, height in
        self?.onSize(AdSize(width: Double(width), height: Double(height)))
      }
    }

    /// Shows the picture of a slot's ad in the place of the other's, or takes it away.
    func set(_ slot: AdSlot, isShown: Bool) {
      let (own, other) = slot == .first ? (first, second) : (second, first)
      own.isShown = isShown
      if isShown { other.isShown = false }
    }

    func hideAds() {
      first.isShown = false
      second.isShown = false
    }
  }
#endif
