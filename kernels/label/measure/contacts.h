#ifndef HALOBEAT_LABEL_CONTACTS_H
#define HALOBEAT_LABEL_CONTACTS_H

#include "kernels/label/label.h"

/* Pairs of touching regions. Regions touch only if values are compared (halo_label_options.near);
 * otherwise touching foreground is one region. */

/* Numbers of two regions, first < second. */
typedef struct {
    int64_t first, second;
    int64_t faces[HALO_AXES]; /* number of pixel faces they share, by the axis across them:
                               * planes, rows, columns */
} halo_contact;

/* Collective, after a run with the numbering HALO_LABEL_SCAN. Finds all pairs of regions that share
 * a face of two pixels. *out [*count] is this rank's part of them; the parts of all ranks, one
 * after another, are in ascending order. Opposite edges of a periodic axis share faces. The caller
 * frees *out with halo_memory_free. HALO_ARGUMENT for another numbering; HALO_MEMORY,
 * HALO_TRANSPORT; the same on all ranks. */
halo_status halo_label_contacts(halo_label *label, halo_contact **out, int64_t *count);

#endif
