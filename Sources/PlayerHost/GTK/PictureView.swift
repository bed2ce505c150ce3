#if os(Linux)
  import CGTK
  import Hits

  /// Shows the newest picture of a pipeline.
  @MainActor
  final class PictureView {
    let widget: Widget
    private let mailbox: FrameMailbox

    init?() {
      guard let picture = gtk_picture_new() else { return nil }
      widget = picture
      mailbox = FrameMailbox(picture: picture)
      gtk_picture_set_can_shrink(cgtk_picture(picture), 1)
      gtk_picture_set_content_fit(cgtk_picture(picture), GTK_CONTENT_FIT_CONTAIN)
      gtk_widget_set_can_target(picture, 0)
    }

    /// Takes pictures on any thread.
    var frames: MediaOutput.FrameHandler {
      let mailbox = mailbox
      return { pixels, width, height in mailbox.put(pixels, width, height) }
    }

    var isShown: Bool {
      get { gtk_widget_get_visible(widget) != 0 }
      set { gtk_widget_set_visible(widget, newValue ? 1 : 0) }
    }

    /// Forgets the picture.
    func clear() { cgtk_show(widget, nil) }
  }

  /// One place for a picture that GTK has not shown yet; a newer one takes it.
  ///
  /// Textures may be made on any thread, and GObjects count their references atomically; the widget is touched on GTK's
  /// thread alone. It is kept for as long as the process lives, as its window is.
  private final class FrameMailbox: @unchecked Sendable {
    private let picture: Widget
    private let waiting = Locked<UInt>(0)

    init(picture: Widget) { self.picture = picture }

    func put(_ pixels: UnsafeRawBufferPointer, _ width: Int, _ height: Int) {
      guard let bytes = g_bytes_new(pixels.baseAddress, gsize(pixels.count)) else { return }
      defer { g_bytes_unref(bytes) }
      guard
        let texture = gdk_memory_texture_new(
          gint(width), gint(height), GDK_MEMORY_B8G8R8A8_PREMULTIPLIED, bytes, gsize(width * 4))
      else { return }
      let address = UInt(bitPattern: texture)
      let old = waiting.withLock { waiting in
        defer { waiting = address }
        return waiting
      }
      if let old = UnsafeMutableRawPointer(bitPattern: old) { return cgtk_unref(old) }
      let show: @convention(c) (gpointer?) -> gboolean = { context in
        if let context { Unmanaged<FrameMailbox>.fromOpaque(context).takeRetainedValue().show() }
        return 0
      }
      g_idle_add_full(G_PRIORITY_DEFAULT, show, Unmanaged.passRetained(self).toOpaque(), nil)
    }

    private func show() {
      let address = waiting.withLock { waiting in
        defer { waiting = 0 }
        return waiting
      }
      guard let texture = OpaquePointer(bitPattern: address) else { return }
      cgtk_show(picture, texture)
      cgtk_unref(UnsafeMutableRawPointer(texture))
    }
  }
#endif
