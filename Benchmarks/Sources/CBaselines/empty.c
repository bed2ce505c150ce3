// libmicrohttpd as it comes, with one empty answer for everything, in a process of its own. Its head is as long as
// the one it is compared with: a longer head costs the library and the system time that no server on it can save.
#include "baselines.h"

#include <microhttpd.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

static enum MHD_Result answer(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *bytes, size_t *count, void **slot) {
  (void)url, (void)method, (void)version, (void)bytes, (void)count;
  // An answer in the first call would close the connection.
  if (!*slot) {
    *slot = context;
    return MHD_YES;
  }
  return MHD_queue_response(connection, 200, context);
}

static void serve(int report, char *fields) {
  struct MHD_Response *empty = MHD_create_response_from_buffer(0, "", MHD_RESPMEM_PERSISTENT);
  for (char *rest, *line = strtok_r(fields, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
    char *value = strstr(line, ": ");
    if (!value) continue;
    *value = 0;
    MHD_add_response_header(empty, line, value + 2);
  }
  struct MHD_Daemon *daemon = MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD, 0, NULL, NULL, answer, empty, MHD_OPTION_END);
  const union MHD_DaemonInfo *info = daemon ? MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT) : NULL;
  int port = info ? info->port : -1;
  if (write(report, &port, sizeof port) != sizeof port) _exit(1);
  for (;;) pause();
}

int baseline_empty_start(const char *fields, int *process) {
  int ends[2], port = -1;
  if (pipe(ends) != 0) return -1;
  pid_t child = fork();
  if (child < 0) return -1;
  if (child == 0) {
#if defined(__linux__)
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    signal(SIGPIPE, SIG_IGN);
    serve(ends[1], strdup(fields));
  }
  close(ends[1]);
  if (read(ends[0], &port, sizeof port) != sizeof port) port = -1;
  close(ends[0]);
  *process = child;
  return port;
}

void baseline_stop(int process) {
  kill(process, SIGKILL);
  waitpid(process, NULL, 0);
}
