#ifndef HALOBEAT_LABEL_SHAPE_JOIN_H
#define HALOBEAT_LABEL_SHAPE_JOIN_H

#include "kernels/label/measure/by_number.h"
#include "kernels/label/measure/shape_sums.h"

/* Joining the regions of a periodic image from pieces. Local; internal to the label kernel. */

/* A piece is a region of the image without periodic axes. A region consists of pieces with links
 * between them, each with the number of images from one piece to the other. */

typedef struct {
    int64_t number, region;
    shape_moments moments;
} piece_sums;

/* Piece `b` is by[axis] images further than piece `a`. */
typedef struct {
    int64_t region, a, b;
    int8_t by[8]; /* [HALO_AXES]; the rest avoids padding */
} piece_link;

/* All pieces and links of this rank's regions, in any order. */
typedef struct {
    piece_sums *parts; /* [part_count] */
    int64_t part_count;
    const piece_link *links; /* [link_count] */
    int64_t link_count;
} shape_pieces;

/* Places pieces side by side, in images of n[axis] pixels, and adds their moments to the regions of
 * `table`, of shape_sums; regions whose links lead around an axis get its bit. Sorts and moves
 * pieces->parts. HALO_ARGUMENT for 2^31 pieces, HALO_MEMORY. */
halo_status shape_join(const shape_pieces *pieces, const int64_t n[HALO_AXES],
                       label_by_number *table);

#endif
