#define _GNU_SOURCE  // strcasestr
// A server in a process of its own, so that its processor time is nobody's: it reads heads and lengths, no more.
#include "baselines.h"

#include <arpa/inet.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

enum { CONNECTIONS = 64, HEAD = 16384 };

struct connection {
  char head[HEAD + 1];
  size_t length;
  size_t body;
  int acknowledges;
  int hits;
};

static int answer(struct connection *connection, int socket) {
  static const char plain[] = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
  if (!connection->acknowledges) return write(socket, plain, sizeof plain - 1) == sizeof plain - 1;
  char body[160], text[320];
  int count = snprintf(body, sizeof body, "{\"v\":1,\"received\":%d,\"accepted\":%d,\"duplicate\":[],\"rejected\":[],"
                       "\"deferred\":[]}", connection->hits, connection->hits);
  int length = snprintf(text, sizeof text, "HTTP/1.1 200 OK\r\nContent-Type: application/vnd.tagworks.ack+json\r\n"
                        "Content-Length: %d\r\n\r\n%s", count, body);
  return write(socket, text, (size_t)length) == length;
}

/// Takes bytes in; 0 when the connection is of no more use.
static int take(struct connection *connection, int socket, const char *bytes, size_t count) {
  while (count > 0) {
    if (connection->body > 0) {
      size_t part = count < connection->body ? count : connection->body;
      for (size_t i = 0; connection->acknowledges && i < part; i++) connection->hits += bytes[i] == '\n';
      connection->body -= part;
      bytes += part;
      count -= part;
      if (connection->body == 0 && !answer(connection, socket)) return 0;
      continue;
    }
    if (connection->length == HEAD) return 0;
    connection->head[connection->length++] = *bytes++;
    count--;
    if (connection->length < 4 || memcmp(connection->head + connection->length - 4, "\r\n\r\n", 4) != 0) continue;
    connection->head[connection->length] = 0;
    const char *field = strcasestr(connection->head, "\r\ncontent-length:");
    connection->body = field ? strtoul(field + 17, NULL, 10) : 0;
    connection->length = 0;
    connection->acknowledges = strncmp(connection->head, "POST /v1/hits ", 14) == 0;
    connection->hits = 1;  // the last line has no end
    if (connection->body == 0 && !answer(connection, socket)) return 0;
  }
  return 1;
}

static void serve(int listener) {
  static struct connection connections[CONNECTIONS];
  static char bytes[65536];
  struct pollfd sockets[CONNECTIONS + 1] = {{.fd = listener, .events = POLLIN}};
  for (int i = 1; i <= CONNECTIONS; i++) sockets[i].fd = -1;
  while (poll(sockets, CONNECTIONS + 1, -1) >= 0) {
    for (int i = 1; i <= CONNECTIONS; i++) {
      if (sockets[i].fd < 0 || sockets[i].revents == 0) continue;
      ssize_t count = read(sockets[i].fd, bytes, sizeof bytes);
      if (count > 0 && take(&connections[i - 1], sockets[i].fd, bytes, (size_t)count)) continue;
      close(sockets[i].fd);
      sockets[i].fd = -1;
    }
    if (sockets[0].revents == 0) continue;
    int accepted = accept(listener, NULL, NULL), place = 1;
    while (place <= CONNECTIONS && sockets[place].fd >= 0) place++;
    if (accepted < 0) continue;
    if (place > CONNECTIONS) {
      close(accepted);
      continue;
    }
    sockets[place] = (struct pollfd){.fd = accepted, .events = POLLIN};
    connections[place - 1].length = connections[place - 1].body = 0;
  }
}

int baseline_sink_start(int *process) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address) != 0 ||
      listen(listener, CONNECTIONS) != 0 || getsockname(listener, (struct sockaddr *)&address, &length) != 0)
    return -1;
  pid_t child = fork();
  if (child < 0) return -1;
  if (child == 0) {
#if defined(__linux__)
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    signal(SIGPIPE, SIG_IGN);
    serve(listener);
    _exit(1);
  }
  close(listener);
  *process = child;
  return ntohs(address.sin_port);
}
