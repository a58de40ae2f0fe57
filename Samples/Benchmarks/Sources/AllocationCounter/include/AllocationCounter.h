// Counts what the whole process takes from the heap, between a beginning and an end.

#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdbool.h>

/// What has happened to the heap since the counting began.
typedef struct {
  /// How often memory was asked for.
  long allocations;
  /// Bytes that were taken and not given back, with what the allocator adds to each piece.
  long bytes;
} allocation_count;

/// Whether this system lets a program count. If not, every count is zero.
bool allocation_counter_works(void);

/// From here on everything is counted, on all threads, from zero.
void allocation_counter_begin(void);

/// No further counting; the count.
allocation_count allocation_counter_end(void);

#endif
