// What the queue's work costs in plain C with the same libraries: baselines A, B (insert), C and D (drain).
#include "baselines.h"

#include <curl/curl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

static sqlite3 *open_store(const char *path, const char *synchronous) {
  sqlite3 *store = NULL;
  if (sqlite3_open(path, &store) != SQLITE_OK) return NULL;
  const char *setup = "PRAGMA journal_mode = WAL;"
                      "CREATE TABLE IF NOT EXISTS hit(id INTEGER PRIMARY KEY AUTOINCREMENT, body BLOB NOT NULL);";
  if (sqlite3_exec(store, synchronous, NULL, NULL, NULL) == SQLITE_OK &&
      sqlite3_exec(store, setup, NULL, NULL, NULL) == SQLITE_OK)
    return store;
  sqlite3_close(store);
  return NULL;
}

static int run(sqlite3_stmt *statement) {
  int result = sqlite3_step(statement);
  sqlite3_reset(statement);
  return result == SQLITE_DONE ? 0 : 1;
}

static int insert(const char *path, const char *synchronous, int rows, int bytes, int rows_a_transaction) {
  sqlite3 *store = open_store(path, synchronous);
  char *body = malloc((size_t)bytes);
  if (!store || !body) return 1;
  memset(body, 'x', (size_t)bytes);
  sqlite3_stmt *begin, *insert, *commit;
  if (sqlite3_prepare_v2(store, "BEGIN IMMEDIATE", -1, &begin, NULL) != SQLITE_OK ||
      sqlite3_prepare_v2(store, "INSERT INTO hit(body) VALUES (?)", -1, &insert, NULL) != SQLITE_OK ||
      sqlite3_prepare_v2(store, "COMMIT", -1, &commit, NULL) != SQLITE_OK)
    return 1;
  sqlite3_bind_blob(insert, 1, body, bytes, SQLITE_STATIC);
  int failed = 0;
  for (int row = 0; row < rows && !failed; row += rows_a_transaction) {
    failed |= run(begin);
    for (int i = row; i < rows && i < row + rows_a_transaction; i++) failed |= run(insert);
    failed |= run(commit);
  }
  sqlite3_finalize(begin);
  sqlite3_finalize(insert);
  sqlite3_finalize(commit);
  sqlite3_close(store);
  free(body);
  return failed;
}

int baseline_insert(const char *path, int rows, int bytes, int rows_a_transaction) {
  return insert(path, "PRAGMA synchronous = NORMAL;", rows, bytes, rows_a_transaction);
}

int baseline_insert_for_power_loss(const char *path, int rows, int bytes, int rows_a_transaction) {
  return insert(path, "PRAGMA synchronous = FULL;", rows, bytes, rows_a_transaction);
}

/// One request of rows; the last row's id, 0 when there is none, below 0 on failure.
static sqlite3_int64 send_rows(sqlite3_stmt *select, CURL *client, char **buffer) {
  sqlite3_int64 last = 0;
  size_t length = 0;
  while (sqlite3_step(select) == SQLITE_ROW) {
    last = sqlite3_column_int64(select, 0);
    size_t bytes = (size_t)sqlite3_column_bytes(select, 1);
    char *grown = realloc(*buffer, length + bytes + 1);
    if (!grown) return -1;
    *buffer = grown;
    memcpy(grown + length, sqlite3_column_blob(select, 1), bytes);
    length += bytes;
    grown[length++] = '\n';
  }
  sqlite3_reset(select);
  if (last == 0) return 0;
  long status = 0;
  curl_easy_setopt(client, CURLOPT_POSTFIELDS, *buffer);
  curl_easy_setopt(client, CURLOPT_POSTFIELDSIZE, (long)length);
  if (curl_easy_perform(client) != CURLE_OK) return -1;
  curl_easy_getinfo(client, CURLINFO_RESPONSE_CODE, &status);
  return status == 200 ? last : -1;
}

int baseline_drain(const char *path, const char *url, int rows_a_request) {
  sqlite3 *store = open_store(path, "PRAGMA synchronous = NORMAL;");
  CURL *client = curl_easy_init();
  if (!store || !client) return 1;
  curl_easy_setopt(client, CURLOPT_URL, url);
  sqlite3_stmt *select, *delete;
  if (sqlite3_prepare_v2(store, "SELECT id, body FROM hit ORDER BY id LIMIT ?", -1, &select, NULL) != SQLITE_OK ||
      sqlite3_prepare_v2(store, "DELETE FROM hit WHERE id <= ?", -1, &delete, NULL) != SQLITE_OK)
    return 1;
  sqlite3_bind_int(select, 1, rows_a_request);
  char *buffer = NULL;
  sqlite3_int64 last;
  int failed = 0;
  while (!failed && (last = send_rows(select, client, &buffer)) > 0) {
    sqlite3_bind_int64(delete, 1, last);
    failed = run(delete);
  }
  free(buffer);
  sqlite3_finalize(select);
  sqlite3_finalize(delete);
  curl_easy_cleanup(client);
  sqlite3_close(store);
  return failed || last < 0;
}
