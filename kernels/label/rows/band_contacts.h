#ifndef HALOBEAT_LABEL_BAND_CONTACTS_H
#define HALOBEAT_LABEL_BAND_CONTACTS_H

#include "kernels/label/rows/strip.h"

/* Bands of rows, and which of them touch. Local; internal to the label kernel. */

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

/* Finds the contacts of band `y` of plane (or pair of planes) `z`, the most likely first: of bands
 * of single rows, or of 2 x 2 rows. Valid until the next call. Returns their number. */
int label_contacts_of_row(const label_strip *strip, int64_t z, int64_t y, label_contact *contacts);
int label_contacts_of_fold(const label_strip *strip, int64_t z, int64_t y, label_contact *contacts);

/* The row with the runs of the band. */
const uint64_t *label_band_runs(const label_strip *strip, int64_t z, int64_t y);

/* Row y of plane z; zeroes where there is none. */
static inline const uint64_t *label_row_or_none(const label_strip *strip, int64_t z, int64_t y)
{
    const label_input *input = &strip->input;
    return z < input->planes && y < input->rows ? label_input_row_of(input, z, y) : strip->masks;
}

#endif
