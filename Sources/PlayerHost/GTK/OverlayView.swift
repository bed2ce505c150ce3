#if os(Linux)
  import CGTK
  import VideoAds

  /// Draws an overlay's model with GTK's widgets, and reports taps by target (VA-1001, VA-1005).
  ///
  /// A widget lives for as long as its part is in the models, so that focus stays where it is.
  @MainActor
  final class OverlayView {
    /// Covers the ad.
    let widget: Widget
    /// Hears taps, from mouse, keyboard and assistive software.
    var onTap: (OverlayTarget, AdPoint?) -> Void = { _, _ in }
    private let images: ImageFetch
    private let announcement: Widget
    private var drawn: [OverlayPart.ID: (part: OverlayPart, widget: Widget)] = [:]
    private var model: OverlayModel?

    init?(images: ImageFetch) {
      guard let fixed = gtk_fixed_new(), let status = cgtk_status_label() else { return nil }
      self.images = images
      widget = fixed
      announcement = status
      gtk_widget_add_css_class(status, "ad-announcement")
      gtk_fixed_put(cgtk_fixed(fixed), status, 0, 0)
      GTKSignal.pressed(fixed) { [weak self] x, y in
        let point = AdPoint(x: x, y: y)
        if let model = self?.model { self?.onTap(model.target(at: point), point) }
      }
    }

    /// Shows a model in a container of a size; nil shows nothing.
    func show(_ model: OverlayModel?, in size: AdSize) {
      self.model = model
      let parts = model?.parts(in: size) ?? []
      let ids = Set(parts.map(\.id))
      for (id, old) in drawn where !ids.contains(id) {
        // GTK would give the focus to a control that the person did not choose: a second key would open the ad's page.
        if gtk_widget_has_focus(old.widget) != 0 { gtk_root_set_focus(gtk_widget_get_root(widget), nil) }
        gtk_fixed_remove(cgtk_fixed(widget), old.widget)
        drawn[id] = nil
      }
      for part in parts {
        if let old = drawn[part.id], old.part.kind == part.kind {
          update(old.widget, from: old.part, to: part)
          drawn[part.id] = (part, old.widget)
        } else {
          if let old = drawn[part.id] { gtk_fixed_remove(cgtk_fixed(widget), old.widget) }
          drawn[part.id] = nil
          guard let made = OverlayWidget.make(part) else { continue }
          gtk_widget_set_direction(made, model?.isRightToLeft == true ? GTK_TEXT_DIR_RTL : GTK_TEXT_DIR_LTR)
          gtk_fixed_put(cgtk_fixed(widget), made, part.rectangle.origin.x, part.rectangle.origin.y)
          drawn[part.id] = (part, made)
          connect(part, made)
        }
      }
      announce(model?.announcement)
    }

    /// Moves the focus along the model's order (VA-1005); false when there is nothing to focus.
    func moveFocus(by step: Int) -> Bool {
      let order = drawn.values.filter(\.part.isFocusable).sorted { $0.part.order < $1.part.order }
      guard !order.isEmpty else { return false }
      let current = order.firstIndex { gtk_widget_has_focus($0.widget) != 0 }
      let next = current.map { ($0 + step + order.count) % order.count } ?? (step > 0 ? 0 : order.count - 1)
      return gtk_widget_grab_focus(order[next].widget) != 0
    }

    private func announce(_ text: String?) {
      guard let text else { return }
      gtk_label_set_text(cgtk_label(announcement), text)
      cgtk_set_accessible_label(announcement, text)
    }

    private func update(_ widget: Widget, from old: OverlayPart, to new: OverlayPart) {
      if old.rectangle != new.rectangle {
        gtk_fixed_move(cgtk_fixed(self.widget), widget, new.rectangle.origin.x, new.rectangle.origin.y)
      }
      OverlayWidget.update(widget, from: old, to: new)
    }

    private func connect(_ part: OverlayPart, _ widget: Widget) {
      if let target = part.target {
        GTKSignal.clicked(widget) { [weak self] in self?.onTap(target, nil) }
      }
      guard case .image(let url) = part.kind else { return }
      let (images, id) = (images, part.id)
      Task { [weak self] in
        let bytes = await images.image(url)
        // The part may be gone, or be another image, when it comes.
        guard let bytes, let drawn = self?.drawn[id], drawn.part.kind == .image(url) else { return }
        OverlayWidget.show(bytes, in: drawn.widget)
      }
    }
  }
#endif
