#ifndef HALOBEAT_BASE_READ_AT_H
#define HALOBEAT_BASE_READ_AT_H

#include <stddef.h>
#include <stdint.h>

/* Local. Reads `bytes` bytes of an open file from byte `at` on, or as many as there are, with as
 * many calls of pread as that takes. Returns how many; -1 after a failure, for which errno has the
 * reason. */
int64_t halo_read_at(int file, void *out, size_t bytes, int64_t at);

#endif
