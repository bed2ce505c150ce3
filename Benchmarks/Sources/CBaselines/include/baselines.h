#ifndef BASELINES_H
#define BASELINES_H

#include <stddef.h>

/// Inserts rows of some bytes into a new write-ahead logged SQLite file, some a transaction; 0 is success.
int baseline_insert(const char *path, int rows, int bytes, int rows_a_transaction);

/// The same, each transaction on disk before the next (synchronous FULL).
int baseline_insert_for_power_loss(const char *path, int rows, int bytes, int rows_a_transaction);

/// Sends what `baseline_insert` wrote, some rows a request over one connection, and deletes rows once a request is
/// answered with 200; 0 is success.
int baseline_drain(const char *path, const char *url, int rows_a_request);

/// Starts a process that answers every HTTP request on a port of this machine with 200, and on /v1/hits takes every line
/// of the body. Gives the port, or a number below 0, and the process to stop, which is a copy of this one and keeps all
/// memory that this one had.
int baseline_sink_start(int *process);

/// Starts a process in which libmicrohttpd answers every request on a port of this machine with an empty 200 and the
/// fields of some lines; gives the port, or a number below 0, and the process to stop.
int baseline_empty_start(const char *fields, int *process);

/// Ends a process of one of the two; without it, it ends with this one.
void baseline_stop(int process);

/// Sends a request so many times over 16 kept connections and waits for answers of a status; gives the seconds it took,
/// or a number below 0.
double baseline_load(int port, const char *request, int status, long requests);

/// A request as it goes over a connection.
struct baseline_request {
  const void *bytes;
  size_t count;
};

/// Sends each of some requests once over kept connections, one at a time on each, and waits for answers of status 200;
/// gives the seconds it took, or a number below 0.
double baseline_send_each(int port, const struct baseline_request *requests, long count, int connections);

/// How many bytes are left of others when zlib compresses them at level 6.
size_t baseline_compressed_size(const void *bytes, size_t count);

#endif
