#ifndef HALOBEAT_LABEL_SECOND_PASS_H
#define HALOBEAT_LABEL_SECOND_PASS_H

#include "kernels/label/measure/by_number.h"

/* A second pass over rows of pixels after labelling, so that statistics of regions do not need
 * pixels in memory during labelling. Internal to the label kernel. */

typedef struct {
    halo_label *label;
    halo_label_painting *painting; /* or NULL: rows are those of this rank's part */
    int64_t *row;                  /* numbers of a row */
    int64_t width;                 /* of it */
    int64_t plane, line, left;     /* position in the image of the row that is being added */
    label_by_number table;         /* data about regions */
} label_second_pass;

/* Which rows a pass takes. */
typedef enum {
    LABEL_PASS_STRIPS, /* of this rank's strip (halo_label_painting_cuts), by their global numbers
                        */
    LABEL_PASS_PART    /* of its part of halo_label_partition, counted from 0 through all planes */
} label_pass_rows;

/* Collective, after a run with `measure` and with the numbering HALO_LABEL_SCAN (or
 * halo_label_paint_scan), which must not be repeated while the pass is in use. Entries of the table
 * have `size` bytes. HALO_ARGUMENT for another numbering, or a label without `measure`;
 * HALO_MEMORY, HALO_MPI; the same on all ranks. Call label_second_pass_free in any case. */
halo_status label_second_pass_create(label_second_pass *pass, halo_label *label, size_t size,
                                     label_pass_rows rows);

/* Local. Adds pixels `begin` to `end - 1` of a row to the region of `entry`. */
typedef void label_second_pass_add(void *context, void *entry, const void *row, int64_t begin,
                                   int64_t end);

/* Local. Processes rows in any order. HALO_MEMORY. */
halo_status label_second_pass_take(label_second_pass *pass, int64_t first_row, int64_t rows,
                                   const void *data, size_t pitch, label_second_pass_add *add,
                                   void *context);

/* Local. Accepts a zeroed pass. */
void label_second_pass_free(label_second_pass *pass);

#endif
