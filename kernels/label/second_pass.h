#ifndef HALOBEAT_LABEL_SECOND_PASS_H
#define HALOBEAT_LABEL_SECOND_PASS_H

#include "kernels/label/by_number.h"

/* Rows of pixels that come once more after labelling, so that what regions tell of them needs no
 * pixels in memory while it labels. Internal to the label kernel. */

typedef struct {
    halo_label *label;
    halo_label_painting *painting;
    int64_t *row;          /* numbers of one */
    label_by_number table; /* what regions tell */
} label_second_pass;

/* Collective, after a run that has measured, with HALO_LABEL_SCAN as its numbering, which must not
 * be repeated while it is in use. Entries of the table have `size` bytes. HALO_ARGUMENT for another
 * numbering, or a label that does not measure; HALO_MEMORY, HALO_MPI. All ranks get the same.
 * label_second_pass_free in any case. */
halo_status label_second_pass_create(label_second_pass *pass, halo_label *label, size_t size);

/* Local. Pixels `begin` to `end` - 1 of a row belong to the region of `entry`. */
typedef void label_second_pass_add(void *context, void *entry, const void *row, int64_t begin,
                                   int64_t end);

/* Local. Rows of this rank's strip (halo_label_painting_cuts), by their global numbers, in any
 * order. HALO_MEMORY. */
halo_status label_second_pass_take(label_second_pass *pass, int64_t first_row, int64_t rows,
                                   const void *data, size_t pitch, label_second_pass_add *add,
                                   void *context);

/* Local. Accepts a zeroed pass. */
void label_second_pass_free(label_second_pass *pass);

#endif
