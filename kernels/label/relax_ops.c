#include "kernels/label/relax_ops.h"

#include "base/isa.h"

#include <stddef.h>

/* The loops are plain C that the compiler turns into vectors; compiled once for each instruction
 * set, because 64-bit maxima need more than the oldest ones have. */
#define INLINE static inline __attribute__((always_inline))

INLINE int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* The largest of three labels side by side in a row, or only of the middle one. */
INLINE int64_t around(const int64_t *row, int64_t x, bool corners)
{
    return corners ? larger(row[x], larger(row[x - 1], row[x + 1])) : row[x];
}

INLINE int64_t sweep_row(const int64_t *above, const int64_t *here, const int64_t *below,
                         int64_t *restrict out, int64_t n, bool corners)
{
    int64_t changed = 0;
    for (int64_t x = 0; x < n; x++) {
        int64_t own = around(here, x, true);
        int64_t others = larger(around(above, x, corners), around(below, x, corners));
        int64_t label = here[x] != 0 ? larger(own, others) : 0;
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
        int64_t label = row[x] != 0 ? larger(row[x], around(other, x, corners)) : 0;
        changed += label != row[x];
        row[x] = label;
    }
    return changed;
}

/* `corners` is tested outside the loops, so that each is compiled for a known value. */
#define VERSION(name)                                                                        \
    TARGET_##name static int64_t sweep_##name(const int64_t *above, const int64_t *here,     \
                                              const int64_t *below, int64_t *out, int64_t n, \
                                              bool corners)                                  \
    {                                                                                        \
        return corners ? sweep_row(above, here, below, out, n, true)                         \
                       : sweep_row(above, here, below, out, n, false);                       \
    }                                                                                        \
    TARGET_##name static int64_t take_##name(int64_t *row, const int64_t *other, int64_t n,  \
                                             bool corners)                                   \
    {                                                                                        \
        return corners ? take_row(row, other, n, true) : take_row(row, other, n, false);     \
    }

#define TARGET_plain
VERSION(plain)

/* name, what it needs */
#if defined(__x86_64__)
#define TARGET_avx2   __attribute__((target("avx2")))
#define TARGET_avx512 __attribute__((target("avx512f,avx512vl,avx512dq")))
VERSION(avx2)
VERSION(avx512)
#define VERSIONS(X) X(plain, PLAIN) X(avx2, AVX2) X(avx512, AVX512)
#else
#define VERSIONS(X) X(plain, PLAIN)
#endif

static const struct {
    relax_rows rows;
    halo_instructions needs;
} versions[] = {
#define VERSION_ENTRY(name, set) {{sweep_##name, take_##name}, HALO_INSTRUCTIONS_##set},
    VERSIONS(VERSION_ENTRY)
#undef VERSION_ENTRY
};

enum { COUNT = sizeof versions / sizeof versions[0] };

const relax_rows *relax_rows_version(int index, bool *exists)
{
    *exists = index < COUNT;
    return *exists && halo_instructions_run(versions[index].needs) ? &versions[index].rows : NULL;
}

const relax_rows *relax_rows_best(void)
{
    const relax_rows *best = NULL;
    bool exists;
    for (int i = COUNT - 1; best == NULL; i--) {
        best = relax_rows_version(i, &exists);
    }
    return best;
}
