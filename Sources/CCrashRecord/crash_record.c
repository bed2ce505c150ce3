#define _GNU_SOURCE
#include "CCrashRecord.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

_Static_assert(sizeof(crash_record) == CRASH_RECORD_SIZE, "a record is 512 bytes");
_Static_assert(offsetof(crash_record, reserved) == 184, "no padding before the reserve");

static const struct {
  int number;
  const char *name;
} handled[] = {
    {SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"},   {SIGILL, "SIGILL"},
    {SIGTRAP, "SIGTRAP"}, {SIGABRT, "SIGABRT"}, {SIGFPE, "SIGFPE"},
};
#define HANDLED (sizeof handled / sizeof handled[0])

static const char magic[8] = "TWCRASH";

// Prepared at install; the handler fills in the rest.
static crash_record prepared;
static struct sigaction previous[HANDLED];
static int file = -1;
// Each changes once per install, whatever the number of threads that crash at the same time.
static int has_recorded;
static int has_passed[HANDLED];
static _Alignas(16) char stack[64 * 1024];

// Without a table, which would be one more thing that can be damaged.
static uint32_t checksum(const void *bytes, size_t count) {
  const uint8_t *byte = bytes;
  uint32_t crc = 0xFFFFFFFFu;
  for (size_t at = 0; at < count; at++) {
    crc ^= byte[at];
    for (int bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ (0xEDB88320u & (0u - (crc & 1u)));
  }
  return ~crc;
}

static uint64_t nanoseconds(clockid_t clock) {
  struct timespec time = {0, 0};
  clock_gettime(clock, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

#ifdef CLOCK_BOOTTIME
#define AGE_CLOCK CLOCK_BOOTTIME
#else
#define AGE_CLOCK CLOCK_MONOTONIC
#endif

static void handle(int number, siginfo_t *info, void *context) {
  (void)context;
  int saved = errno;
  // First, so that the process ends whatever happens below. All handled signals are blocked in here: a fault of the
  // handler's own is one that nobody handles.
  // A signal that comes a second time was passed on to somebody who passed it back: then nobody is left.
  for (size_t at = 0; at < HANDLED; at++) {
    if (handled[at].number != number) continue;
    struct sigaction ending = {.sa_handler = SIG_DFL};
    sigaction(number, __atomic_exchange_n(&has_passed[at], 1, __ATOMIC_SEQ_CST) ? &ending : &previous[at], NULL);
  }
  if (!__atomic_exchange_n(&has_recorded, 1, __ATOMIC_SEQ_CST)) {
    prepared.signal = number;
    prepared.code = info ? info->si_code : 0;
    int is_fault = number == SIGSEGV || number == SIGBUS || number == SIGILL || number == SIGFPE || number == SIGTRAP;
    // Only the kernel gives an address; a signal that was sent has its sender there.
    prepared.address = is_fault && info && info->si_code > 0 ? (uint64_t)(uintptr_t)info->si_addr : 0;
    prepared.wall = (int64_t)(nanoseconds(CLOCK_REALTIME) / 1000000u);
    prepared.age_clock = nanoseconds(AGE_CLOCK);
    prepared.crc = checksum(&prepared, offsetof(crash_record, crc));
    ssize_t count;
    do {
      count = write(file, &prepared, sizeof prepared);
    } while (count < 0 && errno == EINTR);
  }
  errno = saved;
  raise(number);
}

static void copy(char *field, size_t size, const char *text) {
  memset(field, 0, size);
  if (text) strncpy(field, text, size - 1);
}

int crash_record_install(const char *path, const char *boot, const char *zone, int32_t utc_offset) {
  crash_record_uninstall();
  int opened = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (opened < 0) return errno;
  int64_t tracker = prepared.tracker;
  memset(&prepared, 0, sizeof prepared);
  memcpy(prepared.magic, magic, sizeof magic);
  prepared.version = CRASH_RECORD_VERSION;
  prepared.utc_offset = utc_offset;
  prepared.tracker = tracker;
  copy(prepared.boot, sizeof prepared.boot, boot);
  copy(prepared.zone, sizeof prepared.zone, zone);
  has_recorded = 0;
  memset(has_passed, 0, sizeof has_passed);
  file = opened;

  stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack, .ss_flags = 0};
  // A thread that has one already keeps it.
  stack_t current;
  if (sigaltstack(NULL, &current) == 0 && (current.ss_flags & SS_DISABLE)) sigaltstack(&alternate, NULL);

  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (size_t at = 0; at < HANDLED; at++) sigaddset(&action.sa_mask, handled[at].number);
  for (size_t at = 0; at < HANDLED; at++) sigaction(handled[at].number, &action, &previous[at]);
  return 0;
}

void crash_record_set_tracker(int64_t tracker) { prepared.tracker = tracker; }

void crash_record_uninstall(void) {
  if (file < 0) return;
  for (size_t at = 0; at < HANDLED; at++) {
    struct sigaction current;
    // Whoever came after us keeps the signal, and still has our handler as the one before.
    if (sigaction(handled[at].number, NULL, &current) == 0 && (current.sa_flags & SA_SIGINFO) &&
        current.sa_sigaction == handle) {
      sigaction(handled[at].number, &previous[at], NULL);
    }
  }
  close(file);
  file = -1;
}

int crash_record_is_valid(const crash_record *record) {
  return memcmp(record->magic, magic, sizeof magic) == 0 && record->version == CRASH_RECORD_VERSION &&
         record->crc == checksum(record, offsetof(crash_record, crc)) && crash_record_signal_name(record->signal) &&
         record->boot[sizeof record->boot - 1] == 0 && record->zone[sizeof record->zone - 1] == 0;
}

const char *crash_record_signal_name(int signal) {
  for (size_t at = 0; at < HANDLED; at++) {
    if (handled[at].number == signal) return handled[at].name;
  }
  return NULL;
}
