#ifndef HALOBEAT_BASE_MINMAX_H
#define HALOBEAT_BASE_MINMAX_H

#include <stdint.h>

/* Local. Minimum and maximum of 64-bit counts. */
static inline int64_t halo_min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t halo_max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

#endif
