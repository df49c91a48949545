#ifndef HALOBEAT_LABEL_RELAX_H
#define HALOBEAT_LABEL_RELAX_H

#include "core/beat/beat.h"

/* Region labelling by relaxation, the textbook's way: every foreground pixel starts with a label of
 * its own and takes the largest one of its foreground neighbours, beat after beat, until nothing
 * changes (G. R. Andrews, Foundations of Multithreaded, Parallel, and Distributed Programming,
 * 2000, section 9.2.1). A region that winds needs as many sweeps as its path is long. */

#define HALO_RELAX_LIST(X)                                         \
    X(sweep, "each beat every pixel looks at its neighbours once") \
    X(settle, "each beat a part is settled in itself, then borders are exchanged")

/* Zero-initialise it: 0 means the default. */
typedef struct {
    const char *method;   /* a name of the list above; sweep */
    int connectivity;     /* 4 or 8; 4 */
    int64_t max_beats;    /* 0 is no limit; with one, the report says whether labels are final */
    halo_beat_options on; /* vote, exchange, balancing, watcher; kernel_options is not used */
} halo_relax_options;

/* Collective. Label the regions of foreground pixels. `domain` has 2 axes; `partition` cuts it into
 * strips or blocks, one for each rank. `foreground` is this rank's part, bit-packed, of any depth;
 * `labels` its part of 64-bit integers (no halo needed), which becomes 0 where a pixel is not
 * foreground and 1 + the largest row-major index (row * width + column) of its region where it is.
 * The same on any number of ranks, by any method. `report` may be NULL. HALO_ARGUMENT for an
 * unknown method, another connectivity, another number of axes, views of other cells or a partition
 * that is not valid; HALO_MEMORY, HALO_MPI. */
halo_status halo_label_relax(halo_world *world, const halo_domain *domain,
                             const halo_partition *partition, const halo_view *foreground,
                             const halo_relax_options *options, const halo_view *labels,
                             halo_beat_report *report);

#endif
