// A private Wayland display that shows nothing: enough of the protocol for GTK 4 to open it and to map a window, so that
// a page in that window counts as visible (WT-733). It runs on a thread of its own inside this process.
//
//     wl_compositor, wl_subcompositor, wl_shm, wl_data_device_manager, wl_output, xdg_wm_base
//
// A buffer is released when it is committed, a window is configured at its first commit, and a frame is acknowledged
// after 16 ms, or 100 ms once its surface is older than a minute. All other requests are taken and change nothing.
#ifndef CHIDDENDISPLAY_H
#define CHIDDENDISPLAY_H

// Opens the display under a socket name in the directory of XDG_RUNTIME_DIR; once per process.
//
// `full_rate_ms` is how long a new surface gets 60 frames a second. Returns NULL, or what failed as a static text.
const char *hidden_display_start(const char *socket_name, int full_rate_ms);

#endif
