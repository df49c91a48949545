#ifndef HALOBEAT_DISTANCE_DISTANCE_INTERNAL_H
#define HALOBEAT_DISTANCE_DISTANCE_INTERNAL_H

#include "kernels/distance/distance.h"
#include "kernels/distance/distance_ops.h"

/* A run of distances on one rank. Internal to the kernel. Domains have 3 axes here: images of two
 * are volumes of one row a layer.
 *
 * Layers, which follow one another along axis 0, are computed in blocks. Before a block the nearest
 * background above it and below it is known in each column (int32, as the index of a layer), so
 * that distances along axis 0 take two passes over the block: down from its end, and up again. They
 * have 8 bits; DISTANCE_GAP says that both are at least so far away, which is then beyond the
 * block. */

/* How squares are computed. */
typedef enum {
    DISTANCE_SHORT, /* 16 bits where they are enough, otherwise 32 */
    DISTANCE_32,
    DISTANCE_64,
    DISTANCE_REAL
} distance_kind;

/* Trials of 16 bits, after whose failures some layers or rows go without. */
typedef struct {
    int64_t left, pause; /* now, and after the last failure */
} distance_trials;

/* Lines next to each other, each of `pitch` elements; memory of the lines' solution
 * (distance_ops.h). */
enum { DISTANCE_LINES = 16 };
typedef struct {
    int64_t pitch;
    void *lines;      /* [DISTANCE_LINES][pitch] */
    int32_t *nearest; /* the same */
    void *values, *places;
    int32_t *numbers, *best;
} distance_scratch;

typedef struct {
    halo_world *world;
    const halo_distance_options *options;
    const distance_ops *ops;
    halo_distance_take *take;
    void *context;
    distance_kind kind;
    size_t bytes;               /* of a square of the kind, except for DISTANCE_SHORT: 4 */
    int axes;                   /* of the domain */
    halo_domain domain;         /* as it is given */
    bool edge[HALO_AXES];       /* in 3 axes */
    double spacing[HALO_AXES];  /* the same */
    uint64_t weight[HALO_AXES]; /* of squares, for DISTANCE_64 */
    halo_view bits;             /* inverted bits are a copy */
    halo_field *inverted;
    int64_t layers, rows, width; /* of the whole domain, in 3 axes */
    int64_t first, own;          /* layers of this rank */
    int64_t words, columns;      /* of a row; columns of all rows of a layer, in whole words */

    /* Along axis 0 (carry.c): */
    int64_t block, blocks;  /* layers of a block, but the last; number of blocks */
    int32_t *above, *below; /* [columns] the nearest background above the block at hand, and below
                             * this rank's layers */
    int32_t *next;          /* [blocks][columns] below each block; until it is computed, among the
                             * rank's own layers */
    uint8_t *state;         /* [columns] */
    uint8_t *gaps;          /* [block][columns] */

    /* Squares of a layer (short.c): */
    uint16_t *tall_memory, *lines_memory;
    uint16_t *tall;    /* rows of DISTANCE_WORD columns, with DISTANCE_REACH more at both ends */
    uint16_t *lines;   /* [rows] after the second axis, with DISTANCE_REACH elements at both ends */
    uint16_t *squares; /* of a row */
    distance_trials by_layer, by_row;

    /* Lines of any length (exact.c): */
    double unit;        /* of squares that are not in units of length */
    bool finds, spaced; /* nearest pixels are found; squares are in units of length */
    int64_t layer_now;
    void *exact;                 /* [rows][words * 64] squares of a layer */
    int32_t *before;             /* [columns] the nearest background above the layer or in it */
    int32_t *by_axis[2];         /* [rows][words * 64] nearest along axis 0 and 1 */
    int32_t *nearest[HALO_AXES]; /* [width] of a row */
    double *reals;               /* [width] squares of a row */
    distance_scratch scratch;

    int64_t max; /* largest square of this rank */
    double max_real;
    bool none; /* there is no background at all */
} distance_run;

/* Local. The loops for the best ISA of this machine (distance.c). */
const distance_ops *distance_best_ops(void);

/* ---- carry.c --------------------------------------------------------------------------------- */

/* Local. Finds the nearest background below each block among this rank's layers, and the first and
 * the last background of each column: run->below and run->above. */
halo_status distance_carry_find(distance_run *run);

/* Collective. These become the nearest background beyond the rank's layers. */
halo_status distance_carry_share(distance_run *run);

/* Local. Begin a block: distances along axis 0 of all its layers; and end it. */
void distance_carry_begin(distance_run *run, int64_t block);
void distance_carry_end(distance_run *run, int64_t block);

/* Local. The nearest background along axis 0, above and below the block, of a pixel whose gap is
 * DISTANCE_GAP. */
static inline const int32_t *distance_below(const distance_run *run, int64_t block)
{
    return run->next + block * run->columns;
}

/* ---- short.c --------------------------------------------------------------------------------- */

/* Local. Passes the rows of a layer to run->take. *done becomes false, without any having been
 * passed, if 16 bits are not enough. `gaps` are those of the layer. */
halo_status distance_short_layer(distance_run *run, int64_t layer, const uint8_t *gaps, bool *done);

/* Local. Memory, once the shape is known. HALO_MEMORY. */
halo_status distance_short_create(distance_run *run);
void distance_short_free(distance_run *run);

/* ---- exact.c --------------------------------------------------------------------------------- */

/* Local. The same, whatever the squares are. Layers come one after the other. */
halo_status distance_exact_layer(distance_run *run, int64_t block, int64_t layer,
                                 const uint8_t *gaps);

/* Local. A single row, with the squares that it has after all other axes. */
halo_status distance_exact_row(distance_run *run, int64_t row, const uint16_t *squares);

/* Local. Begins a block: run->above is the nearest background above it. */
void distance_exact_begin(distance_run *run);

halo_status distance_exact_create(distance_run *run);
void distance_exact_free(distance_run *run);

#endif
