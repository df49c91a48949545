#include "kernels/filter/filter.h"

#include "base/minmax.h"

/* Samples beyond the edges of an image. */

static int64_t modulo(int64_t i, int64_t n)
{
    int64_t left = i % n;
    return left < 0 ? left + n : left;
}

int64_t filter_edge_index(int mode, int64_t i, int64_t n)
{
    int64_t at;
    if (i >= 0 && i < n) {
        return i;
    }
    switch ((filter_mode)mode) {
    case FILTER_REFLECT:
        at = modulo(i, 2 * n);
        return at < n ? at : 2 * n - 1 - at;
    case FILTER_MIRROR:
        at = n > 1 ? modulo(i, 2 * n - 2) : 0;
        return at < n ? at : 2 * n - 2 - at;
    case FILTER_NEAREST:
        return halo_max(0, halo_min(i, n - 1));
    case FILTER_WRAP:
        return modulo(i, n);
    default:
        return -1;
    }
}
