#include "shell_protocol.h"

#include <stddef.h>

#define COUNT(messages) (sizeof(messages) / sizeof *(messages))

extern const struct wl_interface wl_seat_interface, wl_output_interface, wl_surface_interface;
static const struct wl_interface xdg_positioner_interface, xdg_popup_interface;

static const struct wl_interface *no_objects[4];
static const struct wl_interface *positioner[] = {&xdg_positioner_interface};
static const struct wl_interface *surface[] = {&xdg_surface_interface, &wl_surface_interface};
static const struct wl_interface *toplevel[] = {&xdg_toplevel_interface};
static const struct wl_interface *popup[] = {
    &xdg_popup_interface, &xdg_surface_interface, &xdg_positioner_interface};
static const struct wl_interface *output[] = {&wl_output_interface};
static const struct wl_interface *seat[] = {&wl_seat_interface, NULL, NULL, NULL};

static const struct wl_message wm_base_requests[] = {
    {"destroy", "", no_objects},
    {"create_positioner", "n", positioner},
    {"get_xdg_surface", "no", surface},
    {"pong", "u", no_objects},
};
static const struct wl_message wm_base_events[] = {{"ping", "u", no_objects}};
const struct wl_interface xdg_wm_base_interface = {
    "xdg_wm_base", 1, COUNT(wm_base_requests), wm_base_requests, COUNT(wm_base_events), wm_base_events};

static const struct wl_message positioner_requests[] = {
    {"destroy", "", no_objects},
    {"set_size", "ii", no_objects},
    {"set_anchor_rect", "iiii", no_objects},
    {"set_anchor", "u", no_objects},
    {"set_gravity", "u", no_objects},
    {"set_constraint_adjustment", "u", no_objects},
    {"set_offset", "ii", no_objects},
};
static const struct wl_interface xdg_positioner_interface = {
    "xdg_positioner", 1, COUNT(positioner_requests), positioner_requests, 0, NULL};

static const struct wl_message surface_requests[] = {
    {"destroy", "", no_objects},
    {"get_toplevel", "n", toplevel},
    {"get_popup", "n?oo", popup},
    {"set_window_geometry", "iiii", no_objects},
    {"ack_configure", "u", no_objects},
};
static const struct wl_message surface_events[] = {{"configure", "u", no_objects}};
const struct wl_interface xdg_surface_interface = {
    "xdg_surface", 1, COUNT(surface_requests), surface_requests, COUNT(surface_events), surface_events};

static const struct wl_message toplevel_requests[] = {
    {"destroy", "", no_objects},
    {"set_parent", "?o", toplevel},
    {"set_title", "s", no_objects},
    {"set_app_id", "s", no_objects},
    {"show_window_menu", "ouii", seat},
    {"move", "ou", seat},
    {"resize", "ouu", seat},
    {"set_max_size", "ii", no_objects},
    {"set_min_size", "ii", no_objects},
    {"set_maximized", "", no_objects},
    {"unset_maximized", "", no_objects},
    {"set_fullscreen", "?o", output},
    {"unset_fullscreen", "", no_objects},
    {"set_minimized", "", no_objects},
};
static const struct wl_message toplevel_events[] = {{"configure", "iia", no_objects}, {"close", "", no_objects}};
const struct wl_interface xdg_toplevel_interface = {
    "xdg_toplevel", 1, COUNT(toplevel_requests), toplevel_requests, COUNT(toplevel_events), toplevel_events};

static const struct wl_message popup_requests[] = {{"destroy", "", no_objects}, {"grab", "ou", seat}};
static const struct wl_message popup_events[] = {{"configure", "iiii", no_objects}, {"popup_done", "", no_objects}};
static const struct wl_interface xdg_popup_interface = {
    "xdg_popup", 1, COUNT(popup_requests), popup_requests, COUNT(popup_events), popup_events};
