#ifndef HALOBEAT_FILTER_UNIFORM_OPS_H
#define HALOBEAT_FILTER_UNIFORM_OPS_H

#include "base/isa.h"
#include "base/sample.h"

/* The inner loops of means, compiled for each ISA, all with the same results. Internal to the
 * kernel. Sums of whole numbers are exact, in the smallest type that holds them: X(code, type,
 * sums for which it is used are less than 2 to this). */
#ifdef __SIZEOF_INT128__
__extension__ typedef __int128 filter_long;
#else
typedef int64_t filter_long;
#endif
#define FILTER_SUM_LIST(X) \
    X(S32, int32_t, 31)    \
    X(S64, int64_t, 52)    \
    X(S128, filter_long, 127)

typedef enum {
#define FILTER_SUM_ENUM(code, ...) FILTER_##code,
    FILTER_SUM_LIST(FILTER_SUM_ENUM)
#undef FILTER_SUM_ENUM
        FILTER_SUMS
} filter_sum_type;

typedef struct {
    /* sums[i] += row[i], or -= it, by type of the row, of which REALS have no function. */
    void (*add[FILTER_SUMS][HALO_SAMPLE_TYPES])(const void *row, int64_t count, void *sums);
    void (*subtract[FILTER_SUMS][HALO_SAMPLE_TYPES])(const void *row, int64_t count, void *sums);
    /* The same of sums. */
    void (*add_sums[FILTER_SUMS])(const void *row, int64_t count, void *sums);
    void (*subtract_sums[FILTER_SUMS])(const void *row, int64_t count, void *sums);
    /* out[i] = sums[i] + ... + sums[i + size - 1]. */
    void (*slide[FILTER_SUMS])(const void *sums, int64_t size, int64_t count, void *out);
    /* out[i] = sums[i] / `of`, of whole numbers the nearest one, and of two the even one. */
    void (*divide[FILTER_SUMS][HALO_SAMPLE_TYPES])(const void *sums, double of, int64_t count,
                                                   void *out);
    /* The same of reals: sums[i] += row[i]; out[i] = (a[i] + b[i]) / `of`, or a[i] / `of` where b
     * is NULL, rounded to float if `rounds`. */
    void (*add_reals)(const double *row, int64_t count, double *sums);
    void (*mean)(const double *a, const double *b, double of, int64_t count, bool rounds,
                 double *out);
    /* Means along rows that are columns, as in columns_ops.h: column i of `out` is the mean of the
     * window from column i of `columns` on, which has the coordinate `first` + i. `work` has `size`
     * columns. */
    void (*means_along)(const double *columns, int64_t first, int64_t size, int64_t count,
                        bool rounds, double *work, double *out);
} filter_uniform_ops;

extern const filter_uniform_ops filter_uniform_ops_avx512, filter_uniform_ops_avx2,
    filter_uniform_ops_plain;

#endif
