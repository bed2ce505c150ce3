#include <gst/gst.h>
#include <gst/app/gstappsink.h>

// Variadic calls and cast macros of GObject are not imported: one wrapper per argument type.
static inline void cgst_set_object(GstElement *e, const char *name, GstElement *value) { g_object_set(e, name, value, NULL); }
static inline void cgst_set_double(GstElement *e, const char *name, double value) { g_object_set(e, name, value, NULL); }
static inline void cgst_set_bool(GstElement *e, const char *name, int value) { g_object_set(e, name, (gboolean)value, NULL); }
static inline void cgst_set_string(GstElement *e, const char *name, const char *value) { g_object_set(e, name, value, NULL); }
// A value of any type as gst-launch writes it.
static inline void cgst_set_text(GstElement *e, const char *name, const char *value) { gst_util_set_object_arg(G_OBJECT(e), name, value); }
static inline void cgst_connect(void *object, const char *signal, GCallback handler, void *context) {
  g_signal_connect_data(object, signal, handler, context, NULL, (GConnectFlags)0);
}
static inline void cgst_unref(void *object) { gst_object_unref(object); }
// The decoded stream of a playbin, before it is converted for the sink; NULL without one.
static inline GstCaps *cgst_video_caps(GstElement *playbin) {
  GstPad *pad = NULL;
  g_signal_emit_by_name(playbin, "get-video-pad", 0, &pad);
  if (!pad) return NULL;
  GstCaps *caps = gst_pad_get_current_caps(pad);
  gst_object_unref(pad);
  return caps;
}
static inline void cgst_keep_bus(GstElement *pipeline) { gst_pipeline_set_auto_flush_bus(GST_PIPELINE(pipeline), FALSE); }
static inline int cgst_is_source(GstElement *e) {
  return GST_IS_URI_HANDLER(e) && gst_uri_handler_get_uri_type(GST_URI_HANDLER(e)) == GST_URI_SRC;
}
static inline const char *cgst_factory_name(GstElement *e) {
  GstElementFactory *factory = gst_element_get_factory(e);
  return factory ? gst_plugin_feature_get_name(GST_PLUGIN_FEATURE(factory)) : NULL;
}
static inline int cgst_is_from(GstMessage *message, GstElement *e) { return GST_MESSAGE_SRC(message) == GST_OBJECT(e); }
static inline const char *cgst_message_name(GstMessage *message) {
  const GstStructure *structure = gst_message_get_structure(message);
  return structure ? gst_structure_get_name(structure) : NULL;
}
static inline void cgst_sink_callbacks(GstElement *sink, GstFlowReturn (*preroll)(GstAppSink *, void *),
                                       GstFlowReturn (*sample)(GstAppSink *, void *), void *context) {
  GstAppSinkCallbacks callbacks = {.new_preroll = preroll, .new_sample = sample};
  gst_app_sink_set_callbacks(GST_APP_SINK(sink), &callbacks, context, NULL);
}
static inline GstPadProbeReturn cgst_stay(GstPad *pad, GstPadProbeInfo *info, gpointer context) { return GST_PAD_PROBE_OK; }
// Nothing gets through an element's output any more, pushed or pulled; the end of its state wakes who waits there.
static inline void cgst_block(GstElement *e) {
  GstPad *pad = gst_element_get_static_pad(e, "src");
  if (!pad) return;
  gst_pad_add_probe(pad, (GstPadProbeType)(GST_PAD_PROBE_TYPE_BLOCK | GST_PAD_PROBE_TYPE_DATA_DOWNSTREAM | GST_PAD_PROBE_TYPE_SCHEDULING),
                    cgst_stay, NULL, NULL);
  gst_object_unref(pad);
}
// The kind of element that a message is from; NULL for none.
static inline const char *cgst_message_factory(GstMessage *message) {
  return GST_IS_ELEMENT(GST_MESSAGE_SRC(message)) ? cgst_factory_name(GST_ELEMENT(GST_MESSAGE_SRC(message))) : NULL;
}
