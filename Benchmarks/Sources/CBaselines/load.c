#define _GNU_SOURCE  // strcasestr, memmem
// Many requests over kept connections, one at a time on each: what a server can do, asked by a client that does little.
#include "baselines.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { CONNECTIONS = 16, ROOM = 65536 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int open_connection(int port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  address.sin_port = htons((uint16_t)port);
  int one = 1, descriptor = socket(AF_INET, SOCK_STREAM, 0);
  if (descriptor < 0 || connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) return -1;
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  return descriptor;
}

static int send_request(int descriptor, const struct baseline_request *request) {
  return write(descriptor, request->bytes, request->count) == (ssize_t)request->count;
}

/// How long the answer in a buffer is; 0 while it is not whole, -1 for another status.
static long answer_length(const char *bytes, size_t count, int status) {
  const char *end = memmem(bytes, count, "\r\n\r\n", 4);
  if (!end) return 0;
  long head = end - bytes + 4;
  if (count < 12 || atoi(bytes + 9) != status) return -1;
  if (status == 304 || status == 204) return head;
  const char *field = strcasestr(bytes, "\r\ncontent-length:");
  long body = field && field < end ? strtol(field + 17, NULL, 10) : 0;
  return count >= (size_t)(head + body) ? head + body : 0;
}

/// Sends requests in turn, over and over, until so many are answered.
static double load(int port, const struct baseline_request *requests, long distinct, int connections, int status,
                   long count) {
  static char buffers[CONNECTIONS][ROOM + 1];
  size_t filled[CONNECTIONS] = {0};
  struct pollfd sockets[CONNECTIONS];
  long sent = 0, answered = 0;
  double result = -1;
  for (int i = 0; i < connections; i++) {
    sockets[i] = (struct pollfd){.fd = open_connection(port), .events = POLLIN};
  }
  double begin = now();
  for (int i = 0; i < connections && sent < count; i++) {
    if (!send_request(sockets[i].fd, &requests[sent++ % distinct])) goto end;
  }
  while (answered < count) {
    if (poll(sockets, (nfds_t)connections, 10000) <= 0) goto end;
    for (int i = 0; i < connections; i++) {
      if (!sockets[i].revents) continue;
      ssize_t bytes = read(sockets[i].fd, buffers[i] + filled[i], ROOM - filled[i]);
      if (bytes <= 0) goto end;
      filled[i] += (size_t)bytes;
      buffers[i][filled[i]] = 0;
      long whole = answer_length(buffers[i], filled[i], status);
      if (whole < 0 || (whole == 0 && filled[i] == ROOM)) goto end;
      if (whole == 0) continue;
      filled[i] = 0;
      answered++;
      if (sent < count && !send_request(sockets[i].fd, &requests[sent++ % distinct])) goto end;
    }
  }
  result = now() - begin;
end:
  for (int i = 0; i < connections; i++) if (sockets[i].fd >= 0) close(sockets[i].fd);
  return result;
}

double baseline_load(int port, const char *request, int status, long requests) {
  struct baseline_request same = {.bytes = request, .count = strlen(request)};
  return load(port, &same, 1, CONNECTIONS, status, requests);
}

double baseline_send_each(int port, const struct baseline_request *requests, long count, int connections) {
  if (connections > CONNECTIONS) return -1;
  return load(port, requests, count, connections, 200, count);
}
