// Functions of this program's own in front of libc's, for its own code and for SQLite: they make the system call, or fail.
#define _GNU_SOURCE
#include "system_faults.h"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

#if defined(__linux__) && !defined(SANITIZED)

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FILES = 4096 };

static char place[4096];
static size_t place_length;
static enum system_call armed_call;
static int armed_error, is_lasting;
static atomic_int is_armed, calls_left, failed;
static atomic_char is_watched[FILES];

int system_faults_work(void) { return 1; }

void system_faults_arm(const char *directory, enum system_call call, int error, int nth, int lasting) {
  strncpy(place, directory, sizeof place - 1);
  place_length = strlen(place);
  armed_call = call;
  armed_error = error;
  is_lasting = lasting;
  calls_left = nth;
  failed = 0;
  is_armed = 1;
}

int system_faults_disarm(void) {
  is_armed = 0;
  return failed;
}

static int is_below(const char *path) { return place_length > 0 && strncmp(path, place, place_length) == 0; }

static int is_due(enum system_call call) {
  if (!is_armed || call != armed_call) return 0;
  int left = atomic_fetch_sub(&calls_left, 1);
  if (left != 1 && !(left < 1 && is_lasting)) return 0;
  failed++;
  return 1;
}

static int fails_at(enum system_call call, const char *path) {
  if (!is_armed || !is_below(path) || !is_due(call)) return 0;
  errno = armed_error;
  return 1;
}

static int fails_on(enum system_call call, int file) {
  if (!is_armed || file < 0 || file >= FILES || !is_watched[file] || !is_due(call)) return 0;
  errno = armed_error;
  return 1;
}

static int open_file(const char *path, int flags, int mode) {
  if (fails_at(CALL_OPEN, path)) return -1;
  int file = (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
  if (file >= 0 && file < FILES) is_watched[file] = is_armed && is_below(path);
  return file;
}

#define OPEN(name)                                              \
  int name(const char *path, int flags, ...) {                  \
    va_list rest;                                               \
    va_start(rest, flags);                                      \
    int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, int) : 0; \
    va_end(rest);                                               \
    return open_file(path, flags, mode);                        \
  }
OPEN(open)
OPEN(open64)

int close(int file) {
  if (file >= 0 && file < FILES) is_watched[file] = 0;
  return (int)syscall(SYS_close, file);
}

static size_t taken(int file, size_t count, int *fails) {
  if (!fails_on(CALL_WRITE, file)) return count;
  if (armed_error == 0 && count > 1) return count / 2;
  *fails = armed_error != 0;
  return count;
}

ssize_t write(int file, const void *bytes, size_t count) {
  int fails = 0;
  count = taken(file, count, &fails);
  return fails ? -1 : syscall(SYS_write, file, bytes, count);
}

#define PWRITE(name)                                                      \
  ssize_t name(int file, const void *bytes, size_t count, off_t offset) { \
    int fails = 0;                                                        \
    count = taken(file, count, &fails);                                   \
    return fails ? -1 : syscall(SYS_pwrite64, file, bytes, count, offset); \
  }
PWRITE(pwrite)
PWRITE(pwrite64)

int fsync(int file) { return fails_on(CALL_SYNC, file) ? -1 : (int)syscall(SYS_fsync, file); }
int fdatasync(int file) { return fails_on(CALL_SYNC, file) ? -1 : (int)syscall(SYS_fdatasync, file); }

int ftruncate(int file, off_t length) {
  return fails_on(CALL_TRUNCATE, file) ? -1 : (int)syscall(SYS_ftruncate, file, length);
}
int ftruncate64(int file, off_t length) { return ftruncate(file, length); }

int rename(const char *from, const char *to) {
  return fails_at(CALL_RENAME, to) ? -1 : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int unlink(const char *path) {
  return fails_at(CALL_UNLINK, path) ? -1 : (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

int flock(int file, int operation) {
  return fails_on(CALL_LOCK, file) ? -1 : (int)syscall(SYS_flock, file, operation);
}

static void *map(void *address, size_t length, int protection, int flags, int file, off_t offset) {
  if (fails_on(CALL_MAP, file)) return MAP_FAILED;
  return (void *)syscall(SYS_mmap, address, length, protection, flags, file, offset);
}
void *mmap(void *address, size_t length, int protection, int flags, int file, off_t offset) {
  return map(address, length, protection, flags, file, offset);
}
void *mmap64(void *address, size_t length, int protection, int flags, int file, off_t offset) {
  return map(address, length, protection, flags, file, offset);
}

#else

int system_faults_work(void) { return 0; }
void system_faults_arm(const char *directory, enum system_call call, int error, int nth, int lasting) {}
int system_faults_disarm(void) { return 0; }

#endif
