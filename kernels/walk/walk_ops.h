#ifndef HALOBEAT_WALK_WALK_OPS_H
#define HALOBEAT_WALK_WALK_OPS_H

#include "base/isa.h"

#include <stdint.h>

/* The steps of walkers, compiled for each ISA. All give the same places: they are integers, and the
 * random numbers depend on the number of the walker and the step only. Internal to the walk
 * kernel. */

enum {
    WALK_AXES = 3,
    WALK_GROUP = 64,   /* walkers that are computed together */
    WALK_OUTCOMES = 8, /* 2 a: a step up axis a; 2 a + 1: a step down; WALK_STAY */
    WALK_STAY = 7,
    WALK_TILE_X = 5, /* bits of x within a tile */
    WALK_TILE_Y = 4,
    WALK_LOOK_UP = 16,
    WALK_CHANCE_BITS = 26,
    WALK_WORDS = 4, /* 32-bit random words per block */
    /* For media of two and of three axes: log2 of the cells in a row that share a word, and the
     * steps that one word serves. */
    WALK_FLAT_SHARE = 2,
    WALK_FLAT_REACH = 2,
    WALK_DEEP_SHARE = 2,
    WALK_DEEP_REACH = 1
};

/* Purposes of random numbers: the last word of their counter. */
typedef enum { WALK_DRAWS_HOPS, WALK_DRAWS_START, WALK_DRAWS_CHANCES } walk_draws;

/* The medium of the walkers: a period of it, extended by `margin` cells beyond each edge. A place
 * is the index of a cell, including these. */
typedef struct {
    int axes;   /* 2 or 3 */
    int margin; /* maximum number of steps before a walker is put back into the period: 16 or 8 */
    int32_t n[WALK_AXES]; /* cells of the period */
    int32_t stride[WALK_AXES];
    uint32_t key[2]; /* key of the random numbers */
    /* Walls: for each cell a word that says which cells near it are fluid. The cell at distance dx,
     * dy, dz is bit (31 + dx + turn[2] dy + turn[4] dz) modulo 32, for all cells that `reach` steps
     * can lead to. turn[2 a + 1] is -turn[2 a], modulo 32. */
    const uint32_t *around;
    uint32_t turn[WALK_LOOK_UP];
    int32_t hop[WALK_LOOK_UP]; /* what a step adds to a place. In two axes both tables repeat
                                * every 4 entries */

    /* Or, for a large medium of two axes, a bit per cell in tiles of 32 x 16 cells, each a cache
     * line; the rows of tiles are a power of two long. Places are then, from the lowest bit on: 5
     * bits of x, 4 of y, `tile_bits` of x, and the rest of y. Bit (x + 31) modulo 32 of a word says
     * whether the cell is fluid. side_mask has the bits of the axis of a step, and side_add what is
     * added to them, so that carries skip the others. Both tables repeat every 4 entries. */
    const uint32_t *tiles;
    int tile_bits;
    uint32_t side_mask[WALK_LOOK_UP], side_add[WALK_LOOK_UP];

    /* Or hops with probabilities: the kind of each cell, and for each kind 8 columns of equal
     * probability. A column has a threshold (WALK_CHANCE_BITS bits), the outcome from the threshold
     * on (3 bits), and the outcome below it (3 bits). A 16-bit number after the last kind can be
     * read. */
    const uint16_t *kind;
    const uint32_t *columns;
    int32_t move[WALK_LOOK_UP]; /* what an outcome adds to a place; repeats every 8 entries */
} walk_table;

typedef struct {
    uint32_t number[WALK_GROUP]; /* lower halves of the walkers' numbers */
    uint32_t upper;              /* upper half of all of them */
    uint32_t place[WALK_GROUP];
    int32_t at[WALK_AXES][WALK_GROUP];    /* the cell within the period */
    int32_t moved[WALK_AXES][WALK_GROUP]; /* displacement since the start, in cells */
} walk_group;

typedef struct {
    /* Steps `from` to `to - 1` of a group, with table->around. */
    void (*hop)(const walk_table *table, walk_group *group, int64_t from, int64_t to);
    /* As `hop`, with table->tiles. */
    void (*stride)(const walk_table *table, walk_group *group, int64_t from, int64_t to);
    /* As `hop`, with table->kind. */
    void (*choose)(const walk_table *table, walk_group *group, int64_t from, int64_t to);
} walk_ops;

/* Local, pure. A place in tiles. */
static inline uint32_t walk_tile_place(const walk_table *table, uint32_t x, uint32_t y)
{
    uint32_t inner = (x & 31) | (y & 15) << WALK_TILE_X;
    uint32_t tile = x >> WALK_TILE_X | y >> WALK_TILE_Y << table->tile_bits;
    return inner | tile << (WALK_TILE_X + WALK_TILE_Y);
}

extern const walk_ops walk_ops_avx512, walk_ops_avx2, walk_ops_plain;

/* The variants of walk_ops. */
extern const halo_isa_variant walk_variants[];

#endif
