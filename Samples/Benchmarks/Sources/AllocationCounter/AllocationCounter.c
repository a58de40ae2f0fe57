// Stands before the allocator of glibc: an executable's `malloc` takes the place of the library's. While nobody counts,
// it costs one comparison. On other systems, and under a sanitizer (which brings an allocator of its own), it is not there.

#include "AllocationCounter.h"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define HAS_OTHER_ALLOCATOR 1
#endif
#endif

#include <stdlib.h>

#if defined(__GLIBC__) && !defined(HAS_OTHER_ALLOCATOR)

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static atomic_bool is_counting;
static atomic_long allocations;
static atomic_long bytes;

// What glibc keeps in front of each piece.
static const long header = sizeof(size_t);

static void *taken(void *memory) {
  if (atomic_load_explicit(&is_counting, memory_order_relaxed) && memory) {
    atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&bytes, (long)malloc_usable_size(memory) + header, memory_order_relaxed);
  }
  return memory;
}

static void given_back(void *memory) {
  if (atomic_load_explicit(&is_counting, memory_order_relaxed) && memory) {
    atomic_fetch_sub_explicit(&bytes, (long)malloc_usable_size(memory) + header, memory_order_relaxed);
  }
}

void *malloc(size_t size) { return taken(__libc_malloc(size)); }

void *calloc(size_t count, size_t size) { return taken(__libc_calloc(count, size)); }

void *realloc(void *memory, size_t size) {
  given_back(memory);
  return taken(__libc_realloc(memory, size));
}

void *memalign(size_t alignment, size_t size) { return taken(__libc_memalign(alignment, size)); }

void *aligned_alloc(size_t alignment, size_t size) { return taken(__libc_memalign(alignment, size)); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
  *memory = taken(__libc_memalign(alignment, size));
  return *memory ? 0 : ENOMEM;
}

void free(void *memory) {
  given_back(memory);
  __libc_free(memory);
}

bool allocation_counter_works(void) { return true; }

void allocation_counter_begin(void) {
  atomic_store(&allocations, 0);
  atomic_store(&bytes, 0);
  atomic_store(&is_counting, true);
}

allocation_count allocation_counter_end(void) {
  atomic_store(&is_counting, false);
  allocation_count count = {atomic_load(&allocations), atomic_load(&bytes)};
  return count;
}

#else

bool allocation_counter_works(void) { return false; }

void allocation_counter_begin(void) {}

allocation_count allocation_counter_end(void) {
  allocation_count count = {0, 0};
  return count;
}

#endif
