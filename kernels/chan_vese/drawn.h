#ifndef HALOBEAT_CHAN_VESE_DRAWN_H
#define HALOBEAT_CHAN_VESE_DRAWN_H

#include "core/field/field.h"
#include "kernels/chan_vese/row_ops.h"

/* Which pixels of a strip the force draws inside, as bits. Greys do not change, and what is drawn
 * in changes less and less from beat to beat: these rows are an eighth or a sixteenth of what
 * greys are, and are made anew only when the means have moved by enough. Internal to the kernel. */
typedef struct {
    const chan_vese_row_ops *ops;
    const chan_vese_shape *shape;
    chan_vese_force *force;
    int margin; /* rows before and after the strip's own */

    halo_box owned; /* of the strip that the rows are of */
    ptrdiff_t pitch;
    int64_t version; /* of the force's sets */
    chan_vese_set in;
    bool was_plain;      /* all of them are in `in` or driven out */
    void *memory;        /* the rows, */
    size_t capacity;     /* bytes of it */
    int64_t *versions;   /* of each row, at its beginning */
    uint64_t *drawn;     /* row -margin */
    uint64_t *undecided; /* [CHAN_VESE_ROWS] rows: where there are ties */
    uint64_t *wide;      /* [CHAN_VESE_ROWS] rows, of narrow pictures, whose own have one word */
} chan_vese_drawn;

/* The force's means have changed. */
void chan_vese_drawn_renew(chan_vese_drawn *of);

/* Bytes that a strip takes, with a margin of rows, of a picture of this width. */
int64_t chan_vese_drawn_bytes(const halo_box *owned, int64_t margin, int64_t width);

/* The strip is that of `greys` now. HALO_MEMORY. */
halo_status chan_vese_drawn_fit(chan_vese_drawn *of, const halo_view *greys);

/* Fill in a chunk's rows for local rows y to y + count - 1. */
void chan_vese_drawn_rows(chan_vese_drawn *of, const halo_view *greys, int64_t y,
                          chan_vese_chunk *chunk);

void chan_vese_drawn_free(chan_vese_drawn *of);

#endif
