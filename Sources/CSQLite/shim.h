#include <sqlite3.h>
// SQLITE_STATIC and SQLITE_TRANSIENT are casts in a macro, sqlite3_db_config is variadic: Swift sees none of them.
static inline int csqlite_bind_blob_static(sqlite3_stmt *s, int i, const void *p, int n) { return sqlite3_bind_blob(s, i, p, n, SQLITE_STATIC); }
static inline int csqlite_bind_blob_transient(sqlite3_stmt *s, int i, const void *p, int n) { return sqlite3_bind_blob(s, i, p, n, SQLITE_TRANSIENT); }
static inline int csqlite_bind_text_static(sqlite3_stmt *s, int i, const char *p, int n) { return sqlite3_bind_text(s, i, p, n, SQLITE_STATIC); }
static inline int csqlite_bind_text_transient(sqlite3_stmt *s, int i, const char *p, int n) { return sqlite3_bind_text(s, i, p, n, SQLITE_TRANSIENT); }
static inline int csqlite_defensive(sqlite3 *d) { return sqlite3_db_config(d, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0); }
