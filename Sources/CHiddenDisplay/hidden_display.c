#define _GNU_SOURCE
#include "CHiddenDisplay.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wayland-server-core.h>
#include <wayland-server-protocol.h>

#include "shell_protocol.h"

enum { SURFACE_ATTACH = 1, SURFACE_FRAME = 3, SURFACE_COMMIT = 6, COMPOSITOR_CREATE_SURFACE = 0 };
enum { FULL_RATE_DELAY = 16, LOW_RATE_DELAY = 100 };

static struct wl_display *display;
static int full_rate_duration;

// What is kept of a wl_surface: the buffer and the frame callbacks that wait for their answers.
struct surface {
  struct wl_resource *buffer;
  struct wl_listener buffer_end;
  struct wl_list frames;
  struct wl_event_source *timer;
  bool is_timer_set, is_configured;
  int64_t start;
  struct wl_resource *window;  // the xdg_surface
};

static int64_t now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static int dispatch(
    const void *implementation, void *target, uint32_t opcode, const struct wl_message *message,
    union wl_argument *arguments);

static struct wl_resource *make(
    struct wl_client *client, const struct wl_interface *interface, int version, uint32_t id) {
  if (version > interface->version) version = interface->version;
  struct wl_resource *resource = wl_resource_create(client, interface, version, id);
  if (!resource) {
    wl_client_post_no_memory(client);
    return NULL;
  }
  wl_resource_set_dispatcher(resource, dispatch, interface, NULL, NULL);
  return resource;
}

static int acknowledge_frames(void *data) {
  struct surface *surface = data;
  surface->is_timer_set = false;
  struct wl_resource *frame, *next;
  wl_resource_for_each_safe(frame, next, &surface->frames) {
    wl_callback_send_done(frame, (uint32_t)now_ms());
    wl_resource_destroy(frame);
  }
  return 0;
}

static void end_frame(struct wl_resource *frame) { wl_list_remove(wl_resource_get_link(frame)); }

static void end_buffer(struct wl_listener *listener, void *data) {
  (void)data;
  struct surface *surface = wl_container_of(listener, surface, buffer_end);
  surface->buffer = NULL;
}

static void end_surface(struct wl_resource *resource) {
  struct surface *surface = wl_resource_get_user_data(resource);
  struct wl_resource *frame, *next;
  wl_resource_for_each_safe(frame, next, &surface->frames) wl_resource_destroy(frame);
  if (surface->buffer) wl_list_remove(&surface->buffer_end.link);
  if (surface->window) wl_resource_set_user_data(surface->window, NULL);
  wl_event_source_remove(surface->timer);
  free(surface);
}

static void end_window(struct wl_resource *window) {
  struct surface *surface = wl_resource_get_user_data(window);
  if (surface) surface->window = NULL;
}

static void begin_surface(struct wl_resource *resource) {
  struct surface *surface = calloc(1, sizeof *surface);
  struct wl_event_source *timer =
      surface ? wl_event_loop_add_timer(wl_display_get_event_loop(display), acknowledge_frames, surface) : NULL;
  if (!timer) {
    free(surface);
    wl_resource_post_no_memory(resource);
    return;
  }
  surface->timer = timer;
  surface->start = now_ms();
  surface->buffer_end.notify = end_buffer;
  wl_list_init(&surface->frames);
  wl_resource_set_dispatcher(resource, dispatch, &wl_surface_interface, surface, end_surface);
}

static void attach(struct surface *surface, struct wl_resource *buffer) {
  if (surface->buffer) wl_list_remove(&surface->buffer_end.link);
  surface->buffer = buffer;
  if (buffer) wl_resource_add_destroy_listener(buffer, &surface->buffer_end);
}

static void commit(struct surface *surface) {
  if (surface->buffer) {
    struct wl_resource *buffer = surface->buffer;
    attach(surface, NULL);
    wl_buffer_send_release(buffer);
  }
  if (surface->window && !surface->is_configured) {
    surface->is_configured = true;
    wl_resource_post_event(surface->window, XDG_SURFACE_CONFIGURE, wl_display_next_serial(display));
  }
  if (!surface->is_timer_set && !wl_list_empty(&surface->frames)) {
    bool is_new = now_ms() - surface->start < full_rate_duration;
    surface->is_timer_set = true;
    wl_event_source_timer_update(surface->timer, is_new ? FULL_RATE_DELAY : LOW_RATE_DELAY);
  }
}

static void configure_toplevel(struct wl_resource *toplevel) {
  struct wl_array states;
  wl_array_init(&states);
  uint32_t *state = wl_array_add(&states, sizeof *state);
  if (state) *state = XDG_TOPLEVEL_STATE_ACTIVATED;
  wl_resource_post_event(toplevel, XDG_TOPLEVEL_CONFIGURE, 0, 0, &states);
  wl_array_release(&states);
}

// Makes the object that a request asks for; NULL for a request that asks for none.
static struct wl_resource *make_requested(
    struct wl_resource *target, const struct wl_message *message, union wl_argument *arguments) {
  int index = 0;
  for (const char *type = message->signature; *type; type++) {
    if (*type == '?' || (*type >= '0' && *type <= '9')) continue;
    if (*type == 'n' && message->types[index]) {
      return make(
          wl_resource_get_client(target), message->types[index], wl_resource_get_version(target), arguments[index].n);
    }
    index++;
  }
  return NULL;
}

// Serves every request of every interface but wl_shm's, which libwayland serves.
static int dispatch(
    const void *implementation, void *target, uint32_t opcode, const struct wl_message *message,
    union wl_argument *arguments) {
  const struct wl_interface *interface = implementation;
  struct wl_resource *resource = target;
  if (!strcmp(message->name, "destroy") || !strcmp(message->name, "release")) {
    wl_resource_destroy(resource);
    return 0;
  }
  struct wl_resource *made = make_requested(resource, message, arguments);
  struct surface *surface = interface == &wl_surface_interface ? wl_resource_get_user_data(resource) : NULL;
  if (surface && opcode == SURFACE_ATTACH) attach(surface, (struct wl_resource *)arguments[0].o);
  if (surface && opcode == SURFACE_COMMIT) commit(surface);
  if (!made) return 0;
  if (surface && opcode == SURFACE_FRAME) {
    wl_resource_set_dispatcher(made, dispatch, &wl_callback_interface, surface, end_frame);
    wl_list_insert(surface->frames.prev, wl_resource_get_link(made));
  }
  if (interface == &wl_compositor_interface && opcode == COMPOSITOR_CREATE_SURFACE) begin_surface(made);
  if (interface == &xdg_wm_base_interface && opcode == XDG_WM_BASE_GET_XDG_SURFACE) {
    struct surface *base = wl_resource_get_user_data((struct wl_resource *)arguments[1].o);
    if (!base) return 0;
    base->window = made;
    base->is_configured = false;
    wl_resource_set_dispatcher(made, dispatch, &xdg_surface_interface, base, end_window);
  }
  if (interface == &xdg_surface_interface && opcode == XDG_SURFACE_GET_TOPLEVEL) configure_toplevel(made);
  return 0;
}

static void bind_global(struct wl_client *client, void *data, uint32_t version, uint32_t id) {
  const struct wl_interface *interface = data;
  struct wl_resource *resource = make(client, interface, (int)version, id);
  if (!resource || interface != &wl_output_interface) return;
  wl_output_send_geometry(resource, 0, 0, 480, 270, WL_OUTPUT_SUBPIXEL_UNKNOWN, "none", "none", 0);
  wl_output_send_mode(resource, WL_OUTPUT_MODE_CURRENT | WL_OUTPUT_MODE_PREFERRED, 1920, 1080, 60000);
  if (version >= WL_OUTPUT_SCALE_SINCE_VERSION) wl_output_send_scale(resource, 1);
  if (version >= WL_OUTPUT_DONE_SINCE_VERSION) wl_output_send_done(resource);
}

static void *run(void *argument) {
  (void)argument;
  wl_display_run(display);
  return NULL;
}

const char *hidden_display_start(const char *socket_name, int full_rate_ms) {
  static const struct {
    const struct wl_interface *interface;
    int version;
  } globals[] = {
      {&wl_compositor_interface, 4}, {&wl_subcompositor_interface, 1}, {&wl_data_device_manager_interface, 3},
      {&wl_output_interface, 2},     {&xdg_wm_base_interface, 1},
  };
  if (display) return "the hidden display is open already";
  full_rate_duration = full_rate_ms;
  display = wl_display_create();
  if (!display) return "wl_display_create failed";
  if (wl_display_add_socket(display, socket_name) != 0) return "the hidden display could not make its socket";
  if (wl_display_init_shm(display) != 0) return "wl_display_init_shm failed";
  for (size_t index = 0; index < sizeof globals / sizeof *globals; index++) {
    const struct wl_interface *interface = globals[index].interface;
    if (!wl_global_create(display, interface, globals[index].version, (void *)interface, bind_global)) {
      return "wl_global_create failed";
    }
  }
  // The app's signals are not for this thread.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  int failure = pthread_create(&thread, NULL, run, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (failure) return "the hidden display could not start its thread";
  pthread_detach(thread);
  return NULL;
}
