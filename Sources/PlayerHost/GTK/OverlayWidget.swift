#if os(Linux)
  import CGTK
  import VideoAds

  /// The widget of one part of an overlay.
  @MainActor
  enum OverlayWidget {
    static func make(_ part: OverlayPart) -> Widget? {
      let made: Widget?
      switch part.kind {
      case .text:
        made = gtk_label_new(part.text)
        if let made { gtk_widget_set_can_target(made, 0) }
      case .button, .image:
        made = gtk_button_new()
        if let made, let label = gtk_label_new(part.text) {
          fit(label)
          gtk_button_set_child(cgtk_button(made), label)
        }
      case .activity:
        made = gtk_spinner_new()
        if let made { gtk_spinner_start(OpaquePointer(made)) }
      }
      guard let made else { return nil }
      if part.kind == .text { fit(made) }
      // The beginning of a line is the right where texts run from right to left.
      if part.id == .countdown { gtk_label_set_xalign(cgtk_label(made), 0) }
      gtk_widget_add_css_class(made, style(of: part))
      gtk_widget_set_sensitive(made, part.isEnabled ? 1 : 0)
      size(made, part)
      cgtk_set_accessible_label(made, part.label)
      return made
    }

    static func update(_ widget: Widget, from old: OverlayPart, to new: OverlayPart) {
      if old.text != new.text {
        switch new.kind {
        case .text: gtk_label_set_text(cgtk_label(widget), new.text)
        case .button:
          if let label = gtk_button_get_child(cgtk_button(widget)) { gtk_label_set_text(cgtk_label(label), new.text) }
        case .image, .activity: break
        }
      }
      if old.label != new.label { cgtk_set_accessible_label(widget, new.label) }
      if old.isEnabled != new.isEnabled { gtk_widget_set_sensitive(widget, new.isEnabled ? 1 : 0) }
      if old.rectangle.size != new.rectangle.size { size(widget, new) }
    }

    /// Puts an image in a button, in the place of its text.
    @discardableResult
    static func show(_ image: [UInt8], in button: Widget) -> Bool {
      guard let bytes = image.withUnsafeBytes({ g_bytes_new($0.baseAddress, gsize($0.count)) }) else { return false }
      defer { g_bytes_unref(bytes) }
      guard let texture = gdk_texture_new_from_bytes(bytes, nil), let picture = gtk_picture_new() else { return false }
      cgtk_show(picture, texture)
      cgtk_unref(UnsafeMutableRawPointer(texture))
      gtk_picture_set_can_shrink(cgtk_picture(picture), 1)
      gtk_widget_set_can_target(picture, 0)
      gtk_button_set_child(cgtk_button(button), picture)
      return true
    }

    private static func size(_ widget: Widget, _ part: OverlayPart) {
      gtk_widget_set_size_request(widget, gint(part.rectangle.size.width), gint(part.rectangle.size.height))
    }

    /// Keeps a text within its place, which the model gives.
    private static func fit(_ label: Widget) {
      gtk_label_set_ellipsize(cgtk_label(label), PANGO_ELLIPSIZE_END)
      gtk_label_set_max_width_chars(cgtk_label(label), 1)
      gtk_label_set_single_line_mode(cgtk_label(label), 1)
      gtk_widget_set_hexpand(label, 1)
    }

    private static func style(of part: OverlayPart) -> String {
      switch part.id {
      case .attribution: "ad-attribution"
      case .countdown: "ad-countdown"
      case .skip: "ad-skip"
      case .learnMore: "ad-learn-more"
      case .icon, .fallbackImage, .overlayAd: "ad-picture"
      case .closeFallback, .closeOverlay: "ad-close"
      case .buffering: "ad-buffering"
      }
    }

    /// How the parts look, for the whole display.
    static let style = """
      .player { background: black; }
      .player label, .player button { font-size: 13px; }
      .ad-attribution { background: #f4c430; color: black; font-weight: bold; border-radius: 3px; }
      .ad-countdown { color: white; text-shadow: 0 0 3px black, 0 0 3px black; padding: 0 2px; }
      button.ad-skip, button.ad-learn-more, button.ad-close {
        background: alpha(black, 0.75); color: white; border: 1px solid alpha(white, 0.8); border-radius: 4px;
        box-shadow: none; text-shadow: none; padding: 0 8px; min-height: 0; min-width: 0; }
      button.ad-skip:disabled { color: #d0d0d0; border-color: alpha(white, 0.25); }
      button.ad-skip:hover:not(:disabled), button.ad-learn-more:hover, button.ad-close:hover { background: black; }
      button.ad-skip:focus, button.ad-learn-more:focus, button.ad-close:focus, button.ad-picture:focus {
        outline: 3px solid #66b2ff; outline-offset: -3px; }
      button.ad-picture { background: none; border: none; box-shadow: none; padding: 0; min-width: 0; min-height: 0;
        border-radius: 0; color: white; text-shadow: 0 0 3px black; }
      .ad-buffering { color: white; }
      .ad-announcement { font-size: 1px; color: transparent; }
      .companions { background: #202020; padding: 8px; }
      """
  }
#endif
