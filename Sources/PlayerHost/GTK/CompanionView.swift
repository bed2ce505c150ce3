#if os(Linux)
  import CGTK
  import Hits
  public import VideoAds

  /// Shows companions as images beside the video; pages are not drawn (VA-1404).
  @MainActor
  public final class CompanionView: CompanionRenderer {
    let widget: Widget
    private let images: ImageFetch
    private weak var slot: CompanionSlot?
    private var shown: VAST.Companion?

    init?(images: ImageFetch, size: AdSize) {
      guard let button = gtk_button_new() else { return nil }
      widget = button
      self.images = images
      gtk_widget_add_css_class(button, "ad-picture")
      gtk_widget_set_size_request(button, gint(size.width), gint(size.height))
      gtk_widget_set_valign(button, GTK_ALIGN_START)
      gtk_widget_set_sensitive(button, 0)
      GTKSignal.clicked(button) { [weak self] in self?.slot?.click() }
    }

    /// Shows a companion's image, nil for nothing.
    public func show(
      _ companion: VAST.Companion?, in slot: CompanionSlot, shown: @escaping @MainActor (Bool) -> Void
    ) {
      self.slot = slot
      self.shown = companion
      gtk_widget_set_sensitive(widget, 0)
      gtk_button_set_child(cgtk_button(widget), nil)
      guard let companion else { return }
      guard let url = RenderableResources().imageURL(of: companion.resources) else { return shown(false) }
      let label = companion.alternativeText ?? ""
      Task { [weak self, images] in
        let bytes = await images.image(url)
        guard let self, self.shown == companion else { return }
        guard let bytes, OverlayWidget.show(bytes, in: widget) else { return shown(false) }
        cgtk_set_accessible_label(widget, label)
        gtk_widget_set_sensitive(widget, 1)
        shown(true)
      }
    }
  }
#endif
