#ifndef HALOBEAT_LABEL_CONTACTS_H
#define HALOBEAT_LABEL_CONTACTS_H

#include "kernels/label/label.h"

/* Which regions touch each other: only those of values do (halo_label_options.near), since all
 * other foreground that touches is one region. */

/* Regions `first` and `second`, by their numbers, first < second. */
typedef struct {
    int64_t first, second;
    int64_t faces[HALO_AXES]; /* that pixels of both share, by the axis that they are across:
                               * planes, rows, columns */
} halo_contact;

/* Collective, after a run with HALO_LABEL_SCAN as its numbering. All pairs of regions that share a
 * face of two pixels: `*out` [*count] is this rank's part of them, and all ranks' parts one after
 * another are in ascending order. Opposite edges of a periodic axis share faces. The caller frees
 * `*out` with halo_memory_free. HALO_ARGUMENT for another numbering; HALO_MEMORY, HALO_MPI. All
 * ranks get the same. */
halo_status halo_label_contacts(halo_label *label, halo_contact **out, int64_t *count);

#endif
