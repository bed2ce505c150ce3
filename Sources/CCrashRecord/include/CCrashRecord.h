// One record of a crash, written by a signal handler and read at the next start (HQ-271, HQ-272).
//
// The handler runs on an alternate stack of the installing thread, uses async-signal-safe calls only, and ends by giving
// the signal to whoever had it before.
#ifndef CCRASHRECORD_H
#define CCRASHRECORD_H

#include <stdint.h>

#define CRASH_RECORD_SIZE 512
#define CRASH_RECORD_VERSION 1

// The file's content. The byte order is the device's own: nobody else reads it.
typedef struct {
  char magic[8];         // "TWCRASH" and a zero
  uint32_t version;
  int32_t signal;
  int32_t code;          // si_code
  int32_t utc_offset;    // seconds east of UTC when the handler was installed
  int64_t tracker;       // the lane of the tracker that reports it; 0 for none
  uint64_t address;      // si_addr of faults, else 0
  int64_t wall;          // milliseconds since 1970 UTC
  uint64_t age_clock;    // nanoseconds of the clock that runs on in sleep
  char boot[64];         // the boot's id, ended by a zero
  char zone[64];         // the zone's identifier, ended by a zero
  uint8_t reserved[CRASH_RECORD_SIZE - 184 - 4];
  uint32_t crc;          // CRC-32 (IEEE) of all bytes before it
} crash_record;

// Opens the file anew and installs the handlers. Returns 0, or an errno; then nothing is installed.
int crash_record_install(const char *path, const char *boot, const char *zone, int32_t utc_offset);

// Sets the tracker of records to come.
void crash_record_set_tracker(int64_t tracker);

// Gives the signals back to whoever had them before, and closes the file.
void crash_record_uninstall(void);

// Whether 512 bytes are a record that was written whole.
int crash_record_is_valid(const crash_record *record);

// The signal's name, such as SIGSEGV; NULL for one that is not handled.
const char *crash_record_signal_name(int signal);

#endif
