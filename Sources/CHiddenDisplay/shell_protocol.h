// The interfaces of xdg-shell, version 1: what libwayland needs to take its requests apart. The table of each message is
// its name, its signature and the interfaces of its object arguments, as the protocol's description gives them.
#ifndef SHELL_PROTOCOL_H
#define SHELL_PROTOCOL_H

#include <wayland-util.h>

// Number of each request and event that this display knows by number.
enum { XDG_WM_BASE_GET_XDG_SURFACE = 2, XDG_SURFACE_GET_TOPLEVEL = 1 };
enum { XDG_SURFACE_CONFIGURE = 0, XDG_TOPLEVEL_CONFIGURE = 0 };
enum { XDG_TOPLEVEL_STATE_ACTIVATED = 4 };

extern const struct wl_interface xdg_wm_base_interface, xdg_surface_interface, xdg_toplevel_interface;

#endif
