#ifndef HALOBEAT_CORE_KERNEL_H
#define HALOBEAT_CORE_KERNEL_H

#include "core/field.h"

/* What is computed: a table of functions that knows nothing of ranks. */

enum { HALO_KERNEL_FIELDS = 4 }; /* most fields of a kernel */

/* One call of a kernel: update the cells of `todo` from `in` to `out`. Both hold a view for each
 * field of the kernel, so that `step->in` is the first one's. */
typedef struct {
    const halo_view *in;  /* cells before this beat; readable `depth` cells around `todo` */
    const halo_view *out; /* cells after it, the same fields for a kernel in place; every cell of
                           * `todo` must be written */
    halo_box todo;        /* local indices; never empty */
    int64_t beat;         /* from 0 */
    void *state;          /* the kernel's own, or NULL */
    int64_t changed;      /* out: add the cells that changed; 0 at the start */
} halo_step;

typedef struct {
    const char *name, *help;
    int cell_bits[HALO_KERNEL_FIELDS]; /* of each field: 1 or a multiple of 8; ends with 0 */
    int depth;                         /* cells of halo one beat reads */
    bool corners;                      /* diagonal neighbours too; strips bring them in any case */
    bool whole;    /* wants the whole box after the exchange, not first interior, then edges */
    bool in_place; /* one copy of each field: `in` and `out` are the same */
    bool settles;  /* counts `changed`; a beat that changes nothing anywhere ends the run */
    int sums;      /* numbers that ride on the vote for `beat` */

    /* Local. Computes one box. A failure ends the run on all ranks. */
    halo_status (*step)(halo_step *step);

    /* All below are optional. `options` is handed over from the run's options. */
    halo_status (*create)(void **state, const halo_domain *domain, const void *options);
    void (*destroy)(void **state);

    /* Local, twice a beat on every rank, owner of cells or not: before the vote with `agreed`
     * false, to fill in this rank's `sums` (zero at first); after it with `agreed` true and the
     * sums over all ranks, to read them. A failure ends the run on all ranks. */
    halo_status (*beat)(void *state, int64_t *sums, bool agreed);
} halo_kernel;

#endif
