#ifndef HALOBEAT_LABEL_CHORDS_H
#define HALOBEAT_LABEL_CHORDS_H

#include "kernels/label/measure/numbered.h"

/* Chords: the pixels of one region that follow each other along an axis, from border to border, as
 * many lines as there are pixels across. Internal to the label kernel and its commands. */

/* counts[axis][length], [n[axis] + 1] along planes, rows and columns: of whole chords, and of those
 * that an edge of the image cuts. Zero-initialise it. */
typedef struct {
    int64_t *whole[HALO_AXES], *cut[HALO_AXES];
} label_chords;

/* Collective. Counts the chords of all regions of an image; all ranks get the counts of all.
 * Periodic axes are taken as open. Takes memory for four planes of labels, of an image for rows.
 * HALO_MEMORY, HALO_TRANSPORT; the same on all ranks. Call label_chords_free in any case. */
halo_status label_chords_count(label_chords *chords, const label_numbered *image);

/* Local. Accepts zeroed chords. */
void label_chords_free(label_chords *chords);

#endif
