#include "allocations.h"

#if defined(__linux__)
#include <stdatomic.h>
#include <stddef.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static _Atomic uint64_t count, bytes;

static void note(size_t size) {
  atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&bytes, size, memory_order_relaxed);
}

void *malloc(size_t size) { note(size); return __libc_malloc(size); }
void *calloc(size_t items, size_t size) { note(items * size); return __libc_calloc(items, size); }
void *realloc(void *old, size_t size) { note(size); return __libc_realloc(old, size); }
void *aligned_alloc(size_t alignment, size_t size) { note(size); return __libc_memalign(alignment, size); }
int posix_memalign(void **out, size_t alignment, size_t size) {
  note(size);
  *out = __libc_memalign(alignment, size);
  return *out ? 0 : 12;
}

uint64_t allocations_count(void) { return atomic_load(&count); }
uint64_t allocations_bytes(void) { return atomic_load(&bytes); }
#else
uint64_t allocations_count(void) { return 0; }
uint64_t allocations_bytes(void) { return 0; }
#endif
