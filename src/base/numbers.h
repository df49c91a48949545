#ifndef HALOBEAT_BASE_NUMBERS_H
#define HALOBEAT_BASE_NUMBERS_H

#include <stdint.h>

/* Local. Of rows, cells, generations and whatever else is counted in 64 bits. */
static inline int64_t halo_smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t halo_larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

#endif
