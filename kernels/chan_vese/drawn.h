#ifndef HALOBEAT_CHAN_VESE_DRAWN_H
#define HALOBEAT_CHAN_VESE_DRAWN_H

#include "core/field/field.h"
#include "kernels/chan_vese/row_ops.h"

/* Which pixels of a strip the force moves inside, as bits. Greys do not change, and the result
 * changes less and less from beat to beat: these rows have an eighth or a sixteenth of the size of
 * the greys, and are recomputed only when the means have moved enough. Internal to the kernel. */
typedef struct {
    const chan_vese_row_ops *ops;
    const chan_vese_shape *shape;
    chan_vese_force *force;
    int margin; /* rows before and after the strip's own */

    halo_box owned; /* of the strip of these rows */
    ptrdiff_t pitch;
    int64_t version; /* of the force's sets */
    chan_vese_set in;
    bool was_plain;      /* all greys are in `in` or in the force's `out` */
    void *memory;        /* the rows */
    size_t capacity;     /* bytes of it */
    int64_t *versions;   /* of each row, when it was computed */
    uint64_t *drawn;     /* address of row -margin */
    uint64_t *undecided; /* [CHAN_VESE_ROWS] rows: pixels with ties */
    uint64_t *wide;      /* [CHAN_VESE_ROWS] rows, for narrow images, whose own rows have one
                          * word */
} chan_vese_drawn;

/* To be called when the force's means have changed. */
void chan_vese_drawn_renew(chan_vese_drawn *of);

/* Bytes for a strip, with a margin of rows, of an image of this width. */
int64_t chan_vese_drawn_bytes(const halo_box *owned, int64_t margin, int64_t width);

/* Allocates it for the strip of `greys`. HALO_MEMORY. */
halo_status chan_vese_drawn_fit(chan_vese_drawn *of, const halo_view *greys);

/* Fills in a chunk's rows for local rows y to y + count - 1. */
void chan_vese_drawn_rows(chan_vese_drawn *of, const halo_view *greys, int64_t y,
                          chan_vese_chunk *chunk);

void chan_vese_drawn_free(chan_vese_drawn *of);

#endif
