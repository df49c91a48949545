#ifndef HALOBEAT_LABEL_FOLD_H
#define HALOBEAT_LABEL_FOLD_H

#include "kernels/label/strip.h"

/* Bands of rows, which bands touch, and names of components found by folded rows. Local; internal
 * to the label kernel. */

/* A band with foreground that comes before the current one, or touches it across a periodic edge of
 * the planes. */
typedef struct {
    int64_t band;
    int dz, dy; /* planes and rows from this band to that one; across an edge, as if it were
                 * beyond the edge */
    label_row_pair rows;
} label_contact;

/* Three bands of the plane before, one of the plane itself, and one across its edge. */
enum { LABEL_CONTACTS = 5 };

/* Rows of bits needed for them: one of zeroes, and up to one for each. */
enum { LABEL_MASKS = 1 + LABEL_CONTACTS };

/* Finds the contacts of band `y` of plane (or pair of planes) `z`, the most likely first. Valid
 * until the next call. Returns their number. */
int label_contacts(label_strip *strip, int64_t z, int64_t y, label_contact *contacts);

/* The row with the runs of the band. */
const uint64_t *label_band_runs(const label_strip *strip, int64_t z, int64_t y);

/* Computes that row for folded rows. Returns the number of its runs. */
int64_t label_fold_rows(label_strip *strip, int64_t z, int64_t y);

/* For united folded rows: names components in raster order of their first pixels, which is not the
 * order of their labels, and sets strip->classes to these names. plane_label[z], [pairs + 1], is
 * the first label of the pair of planes z. */
void label_fold_name(label_strip *strip, const int32_t *plane_label);

#endif
