#ifndef HALOBEAT_LABEL_SHAPE_BORDER_H
#define HALOBEAT_LABEL_SHAPE_BORDER_H

#include "kernels/label/measure/by_number.h"
#include "kernels/label/measure/shape_sums.h"

/* Border pixels of regions, row by row, from numbers of regions (0: none). Local; internal to the
 * label kernel. */

/* Rows on both sides of a row on which its border pixels depend. */
enum { SHAPE_REACH = 2 };

/* A window over the last rows. */
typedef struct {
    int64_t width;
    bool around;      /* the last column is a neighbour of the first */
    int64_t *numbers; /* five rows, with an additional column on either side */
    uint8_t *edge;    /* three rows: 1 where a pixel is on the border of its region */
} shape_rows;

/* HALO_MEMORY. */
halo_status shape_rows_create(shape_rows *rows, int64_t width, bool around);

/* Accepts zeroed rows. */
void shape_rows_free(shape_rows *rows);

/* Pixel 0 of row `i`, from 0, to be written; then call shape_rows_done. */
int64_t *shape_rows_at(const shape_rows *rows, int64_t i);
void shape_rows_done(const shape_rows *rows, int64_t i);

/* Finds the border pixels of row i, after rows up to i + 1 are done. */
void shape_rows_find(const shape_rows *rows, int64_t i);

/* Counts the border pixels of row i for their regions, whose entries are shape_sums, after rows up
 * to i + 1 were found. HALO_MEMORY. */
halo_status shape_rows_count(const shape_rows *rows, int64_t i, label_by_number *table);

#endif
