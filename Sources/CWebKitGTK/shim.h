#include <glib-unix.h>
#include <sys/prctl.h>
#include <webkit/webkit.h>
// Swift sees neither variadic functions nor macros with types or casts in them: one wrapper of fixed arity for each.
static inline WebKitWebView *cwebkit_web_view_new(
    WebKitWebContext *context, WebKitNetworkSession *session, WebKitUserContentManager *manager,
    WebKitSettings *settings) {
  return WEBKIT_WEB_VIEW(g_object_ref_sink(g_object_new(
      WEBKIT_TYPE_WEB_VIEW, "web-context", context, "network-session", session, "user-content-manager", manager,
      "settings", settings, NULL)));
}
static inline WebKitWebContext *cwebkit_web_context_new(WebKitMemoryPressureSettings *memory) {
  return WEBKIT_WEB_CONTEXT(g_object_new(WEBKIT_TYPE_WEB_CONTEXT, "memory-pressure-settings", memory, NULL));
}
// The arguments of `PageCall.source`: texts alone, for WebKit refuses booleans, lists and null.
static inline GVariant *cwebkit_call_arguments(const char *path, const char *argument) {
  GVariantDict arguments;
  g_variant_dict_init(&arguments, NULL);
  g_variant_dict_insert_value(&arguments, "path", g_variant_new_string(path));
  g_variant_dict_insert_value(&arguments, "argument", g_variant_new_string(argument));
  return g_variant_dict_end(&arguments);
}
static inline GtkWindow *cwebkit_window(GtkWidget *widget) { return GTK_WINDOW(widget); }
static inline GtkWidget *cwebkit_widget(WebKitWebView *view) { return GTK_WIDGET(view); }
// What `load-failed` gives as a domain.
static inline gboolean cwebkit_is_policy_error(const GError *error) { return error->domain == WEBKIT_POLICY_ERROR; }
// WebKit has no public name for it: what the requests under way fail with when the network process ends.
static inline gboolean cwebkit_is_internal_error(const GError *error) {
  return error->code == 300 && error->domain == g_quark_from_string("WebKitErrorDomain");
}
static inline WebKitWebView *cwebkit_web_view(GObject *object) { return WEBKIT_WEB_VIEW(object); }
static inline WebKitWebsiteDataTypes cwebkit_website_data_all(void) { return WEBKIT_WEBSITE_DATA_ALL; }
static inline int cwebkit_signal_at_parent_end(int signal) { return prctl(PR_SET_PDEATHSIG, signal); }
