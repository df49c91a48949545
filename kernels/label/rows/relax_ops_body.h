/* The loops over a row of labels, compiled once for each ISA (halobeat_isa_body). They are plain C
 * that the compiler vectorises; 64-bit maxima need newer ISAs. No include guard on purpose. */

#include "kernels/label/rows/relax_ops.h"

#define INLINE static inline __attribute__((always_inline))

INLINE int64_t max_of(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* The maximum of three adjacent labels in a row, or only the middle one. */
INLINE int64_t around(const int64_t *row, int64_t x, bool corners)
{
    return corners ? max_of(row[x], max_of(row[x - 1], row[x + 1])) : row[x];
}

INLINE int64_t sweep_row(const int64_t *above, const int64_t *here, const int64_t *below,
                         int64_t *restrict out, int64_t n, bool corners)
{
    int64_t changed = 0;
    for (int64_t x = 0; x < n; x++) {
        int64_t own = around(here, x, true);
        int64_t others = max_of(around(above, x, corners), around(below, x, corners));
        int64_t label = here[x] != 0 ? max_of(own, others) : 0;
        changed += label != here[x];
        out[x] = label;
    }
    return changed;
}

INLINE int64_t take_row(int64_t *restrict row, const int64_t *restrict other, int64_t n,
                        bool corners)
{
    int64_t changed = 0;
    for (int64_t x = 0; x < n; x++) {
        int64_t label = row[x] != 0 ? max_of(row[x], around(other, x, corners)) : 0;
        changed += label != row[x];
        row[x] = label;
    }
    return changed;
}

/* `corners` is tested outside the loops, so that each loop is compiled for a constant. */
static int64_t sweep(const int64_t *above, const int64_t *here, const int64_t *below, int64_t *out,
                     int64_t n, bool corners)
{
    return corners ? sweep_row(above, here, below, out, n, true)
                   : sweep_row(above, here, below, out, n, false);
}

static int64_t take(int64_t *row, const int64_t *other, int64_t n, bool corners)
{
    return corners ? take_row(row, other, n, true) : take_row(row, other, n, false);
}

const label_relax_ops HALO_ISA_OPS(label_relax_ops) = {sweep, take};
