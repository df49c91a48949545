#ifndef HALOBEAT_LABEL_RELAX_OPS_H
#define HALOBEAT_LABEL_RELAX_OPS_H

#include <stdbool.h>
#include <stdint.h>

/* Operations of the relaxing label methods on one row of labels: 0 is a background pixel, others
 * are compared. Rows have `n` pixels and a readable halo pixel at -1 and n; `corners` is
 * 8-connectivity. All variants give the same labels. Local; internal to the label kernel. */
typedef struct {
    /* out[x]: the maximum label of here[x] and its neighbours, or 0 if here[x] is 0. Returns the
     * number of pixels that differ from `here`. */
    int64_t (*sweep)(const int64_t *above, const int64_t *here, const int64_t *below, int64_t *out,
                     int64_t n, bool corners);
    /* Foreground pixels of `row` take larger labels of their neighbours in `other`, the row above
     * or below. Returns their number. */
    int64_t (*take)(int64_t *row, const int64_t *other, int64_t n, bool corners);
} label_relax_ops;

extern const label_relax_ops label_relax_ops_avx512, label_relax_ops_avx2, label_relax_ops_plain;

#endif
