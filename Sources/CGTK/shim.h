#include <gtk/gtk.h>
#include <glib-unix.h>

// Cast macros are not imported.
static inline void cgtk_connect(void *object, const char *signal, GCallback handler, void *context, GClosureNotify done) {
  g_signal_connect_data(object, signal, handler, context, done, (GConnectFlags)0);
}
static inline GtkWindow *cgtk_window(GtkWidget *w) { return GTK_WINDOW(w); }
static inline GtkFixed *cgtk_fixed(GtkWidget *w) { return GTK_FIXED(w); }
static inline GtkOverlay *cgtk_overlay(GtkWidget *w) { return GTK_OVERLAY(w); }
static inline GtkBox *cgtk_box(GtkWidget *w) { return GTK_BOX(w); }
static inline GtkLabel *cgtk_label(GtkWidget *w) { return GTK_LABEL(w); }
static inline GtkButton *cgtk_button(GtkWidget *w) { return GTK_BUTTON(w); }
static inline GtkPicture *cgtk_picture(GtkWidget *w) { return GTK_PICTURE(w); }
static inline void cgtk_unref(void *object) { g_object_unref(object); }
// What assistive software calls a widget.
static inline void cgtk_set_accessible_label(GtkWidget *w, const char *label) {
  gtk_accessible_update_property(GTK_ACCESSIBLE(w), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
}
// A label that assistive software reads when it changes.
static inline GtkWidget *cgtk_status_label(void) {
  return GTK_WIDGET(g_object_new(GTK_TYPE_LABEL, "accessible-role", GTK_ACCESSIBLE_ROLE_STATUS, NULL));
}
static inline void cgtk_add_style(GtkCssProvider *provider, const char *text) {
  gtk_css_provider_load_from_data(provider, text, -1);
  gtk_style_context_add_provider_for_display(gdk_display_get_default(), GTK_STYLE_PROVIDER(provider),
                                             GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
}
static inline void cgtk_show(GtkWidget *picture, GdkTexture *texture) {
  gtk_picture_set_paintable(GTK_PICTURE(picture), texture ? GDK_PAINTABLE(texture) : NULL);
}
static inline GtkDrawingArea *cgtk_drawing_area(GtkWidget *w) { return GTK_DRAWING_AREA(w); }
// Whether a window that is mapped lies in the task bar.
static inline int cgtk_is_minimized(GtkWidget *window) {
  GdkSurface *surface = gtk_native_get_surface(GTK_NATIVE(window));
  return surface && GDK_IS_TOPLEVEL(surface) && (gdk_toplevel_get_state(GDK_TOPLEVEL(surface)) & GDK_TOPLEVEL_STATE_MINIMIZED) != 0;
}
