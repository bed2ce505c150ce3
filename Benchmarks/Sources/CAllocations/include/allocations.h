#ifndef ALLOCATIONS_H
#define ALLOCATIONS_H

#include <stdint.h>

/// How often memory was asked for since the process started; realloc counts when it grows from nothing.
uint64_t allocations_count(void);

/// Bytes asked for since the process started.
uint64_t allocations_bytes(void);

#endif
