#ifndef HALOBEAT_LABEL_FOLD_H
#define HALOBEAT_LABEL_FOLD_H

#include "kernels/label/strip.h"

/* Bands of rows, which bands touch, and names of components found by folded rows. Local; internal
 * to the label kernel. */

/* A band that has foreground and comes before the one that is being labelled, or is linked to it
 * around the edge of the planes. */
typedef struct {
    int64_t band;
    int dz, dy; /* planes and rows from here to there; around an edge, to beyond it */
    label_row_pair rows;
} label_contact;

/* The plane before has three bands of them, the plane itself one, and one around its edge. */
enum { LABEL_CONTACTS = 5 };

/* Rows of bits that they take: one of zeroes, and up to one for each. */
enum { LABEL_MASKS = 1 + LABEL_CONTACTS };

/* Those of band `y` of plane (or pair of planes) `z`, the likeliest first. Valid until the next
 * call. Returns how many there are. */
int label_contacts(label_strip *strip, int64_t z, int64_t y, label_contact *contacts);

/* The row whose runs are those of the band. */
const uint64_t *label_band_runs(const label_strip *strip, int64_t z, int64_t y);

/* Find that row for folded rows. Returns its runs. */
int64_t label_fold_rows(label_strip *strip, int64_t z, int64_t y);

/* Of folded rows that are united: name the components in raster order of their first pixels, which
 * is not that of their labels; strip->classes become these names. plane_label[z] is the first label
 * that begins in pair of planes z, [pairs + 1]. */
void label_fold_name(label_strip *strip, const int32_t *plane_label);

#endif
