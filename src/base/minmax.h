#ifndef HALOBEAT_BASE_MINMAX_H
#define HALOBEAT_BASE_MINMAX_H

#include <stdbool.h>
#include <stdint.h>

/* Local. Of rows, cells, generations and whatever else is counted in 64 bits. */
static inline int64_t halo_min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t halo_max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Local. Read a decimal integer at *text, `min` to `max`, without blanks or a plus in front of it;
 * *text is then behind it. False if there is none, and nothing is changed. */
bool halo_scan_integer(const char **text, int64_t min, int64_t max, int64_t *out);

#endif
