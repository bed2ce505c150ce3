import CWebKitGTK
import WebTags

/// The objects of WebKit and GTK that make one page, from the view to the window it counts as visible in.
@WebKitActor
final class PageView {
  let view: UnsafeMutablePointer<WebKitWebView>
  let content: OpaquePointer
  private let context: UnsafeMutableRawPointer
  private let window: UnsafeMutablePointer<GtkWidget>

  /// The throttles of pages that are not seen, and what would keep pages or add processes.
  private static let disabledFeatures: Set<String> = [
    "HiddenPageDOMTimerThrottling", "HiddenPageDOMTimerThrottlingAutoIncreases",
    "PageVisibilityBasedProcessSuppression",
    "HiddenPageCSSAnimationSuspension", "UsesBackForwardCache", "ProcessSwapOnCrossSiteNavigation",
  ]

  init(options: PageHostOptions, session: OpaquePointer) throws(PageHostError) {
    let memory = webkit_memory_pressure_settings_new()
    webkit_memory_pressure_settings_set_memory_limit(memory, UInt32(clamping: max(1, options.memoryLimit)))
    webkit_memory_pressure_settings_set_kill_threshold(memory, 1)
    webkit_memory_pressure_settings_set_poll_interval(memory, 1)
    let settings = webkit_settings_new()
    defer {
      webkit_memory_pressure_settings_free(memory)
      settings.map { g_object_unref(UnsafeMutableRawPointer($0)) }
    }
    guard let context = cwebkit_web_context_new(memory), let content = webkit_user_content_manager_new(),
      let view = cwebkit_web_view_new(context, session, content, Self.apply(options, to: settings)),
      let window = gtk_window_new()
    else { throw PageHostError(.engineFailed, "WebKit could not make a view") }
    self.context = UnsafeMutableRawPointer(context)
    self.content = content
    self.view = view
    self.window = window
    webkit_web_context_set_cache_model(context, WEBKIT_CACHE_MODEL_DOCUMENT_VIEWER)
    if let language = options.language { Self.setLanguage(language, of: context) }
    show()
  }

  /// Ends the page's process and lets go of everything.
  func close() {
    gtk_window_destroy(cwebkit_window(window))
    webkit_web_view_terminate_web_process(view)
    g_object_unref(view)
    g_object_unref(UnsafeMutableRawPointer(content))
    g_object_unref(context)
  }

  private func show() {
    let toplevel = cwebkit_window(window)
    gtk_window_set_decorated(toplevel, 0)
    gtk_window_set_default_size(toplevel, 1024, 768)
    gtk_window_set_child(toplevel, cwebkit_widget(view))
    gtk_window_present(toplevel)
  }

  private static func apply(_ options: PageHostOptions, to settings: OpaquePointer?) -> OpaquePointer? {
    webkit_settings_set_hardware_acceleration_policy(settings, WEBKIT_HARDWARE_ACCELERATION_POLICY_NEVER)
    webkit_settings_set_enable_webgl(settings, 0)
    webkit_settings_set_enable_webaudio(settings, 0)
    webkit_settings_set_enable_media(settings, 0)
    webkit_settings_set_enable_media_stream(settings, 0)
    webkit_settings_set_enable_html5_database(settings, 1)
    // Without it `window.open` is refused inside the page and never seen here.
    webkit_settings_set_javascript_can_open_windows_automatically(settings, 1)
    webkit_settings_set_enable_developer_extras(settings, options.isInspectable ? 1 : 0)
    if let userAgent = options.userAgent { webkit_settings_set_user_agent(settings, userAgent) }
    let features = webkit_settings_get_all_features()
    defer { webkit_feature_list_unref(features) }
    for index in 0..<webkit_feature_list_get_length(features) {
      guard let feature = webkit_feature_list_get(features, index),
        let name = webkit_feature_get_identifier(feature).map({ String(cString: $0) }),
        disabledFeatures.contains(name)
      else { continue }
      webkit_settings_set_feature_enabled(settings, feature, 0)
    }
    return settings
  }

  private static func setLanguage(_ language: String, of context: OpaquePointer) {
    language.withCString { text in
      var list: [UnsafePointer<CChar>?] = [text, nil]
      webkit_web_context_set_preferred_languages(context, &list)
    }
  }
}
