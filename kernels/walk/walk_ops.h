#ifndef HALOBEAT_WALK_WALK_OPS_H
#define HALOBEAT_WALK_WALK_OPS_H

#include "base/isa.h"

#include <stdint.h>

/* The steps of walkers, compiled for each ISA. All give the same places: they are integers, and
 * what a walker draws depends on its number and the step alone. Internal to the walk kernel. */

enum {
    WALK_AXES = 3,
    WALK_GROUP = 64,   /* walkers that go together */
    WALK_OUTCOMES = 8, /* 2 a for a step up axis a, 2 a + 1 for one down; WALK_STAY */
    WALK_STAY = 7,
    WALK_TILE_X = 5, /* bits of a place within a tile */
    WALK_TILE_Y = 4,
    WALK_LOOK_UP = 16,
    WALK_CHANCE_BITS = 26,
    WALK_WORDS = 4, /* random words of 32 bits of a block */
    /* Of a medium of two axes, and of three: cells in a row that share a word, as a power of two,
     * and the steps that one word serves for. */
    WALK_FLAT_SHARE = 2,
    WALK_FLAT_REACH = 2,
    WALK_DEEP_SHARE = 2,
    WALK_DEEP_REACH = 1
};

/* What else random numbers are for: the last word of their counter. */
typedef enum { WALK_DRAWS_HOPS, WALK_DRAWS_START, WALK_DRAWS_CHANCES } walk_draws;

/* A medium as walkers see it: a period of it, which goes on for `margin` cells beyond each edge. A
 * place is the index of a cell, among these too. */
typedef struct {
    int axes;   /* 2 or 3 */
    int margin; /* steps after which a walker is put back into the period, at most: 16 or 8 */
    int32_t n[WALK_AXES]; /* cells of the period */
    int32_t stride[WALK_AXES];
    uint32_t key[2]; /* of random numbers */
    /* Walls: a word for each cell that says which cells near it are fluid: that so many steps away,
     * dx, dy, dz, in bit (31 + dx + turn[2] dy + turn[4] dz) modulo 32, for all cells that `reach`
     * steps can lead to. turn[2 a + 1] is -turn[2 a], modulo 32. */
    const uint32_t *around;
    uint32_t turn[WALK_LOOK_UP];
    int32_t hop[WALK_LOOK_UP]; /* what a step adds to a place. Of two axes, both repeat each 4 */

    /* Or, of a large medium of two axes, a bit a cell in tiles of 32 x 16 cells, a line of a cache
     * each, whose rows are a power of two long: places are not as above, but, from the lowest bit
     * on, 5 bits of x, 4 of y, `tile_bits` of x, and the rest of y. Bit (x + 31) modulo 32 of a
     * word says whether the cell is fluid. side_mask has the bits of the axis of a step, and
     * side_add what to add to them, so that carries pass over the others. Both repeat each 4. */
    const uint32_t *tiles;
    int tile_bits;
    uint32_t side_mask[WALK_LOOK_UP], side_add[WALK_LOOK_UP];

    /* Or hops with chances: the kind of each cell, and of each kind 8 columns of the same chance,
     * each with a threshold (WALK_CHANCE_BITS bits), the outcome from there on (3 bits), and the
     * one below (3 bits). A 16-bit number behind the last kind can be read. */
    const uint16_t *kind;
    const uint32_t *columns;
    int32_t move[WALK_LOOK_UP]; /* what an outcome adds to a place; repeats each 8 */
} walk_table;

typedef struct {
    uint32_t number[WALK_GROUP]; /* the walkers', lower half; and */
    uint32_t upper;              /* the upper half of all */
    uint32_t place[WALK_GROUP];
    int32_t at[WALK_AXES][WALK_GROUP];    /* the cell, within the period */
    int32_t moved[WALK_AXES][WALK_GROUP]; /* since the start, in cells */
} walk_group;

typedef struct {
    /* Steps `from` to `to` - 1 of a group, from table->around. */
    void (*hop)(const walk_table *table, walk_group *group, int64_t from, int64_t to);
    /* The same, from table->tiles. */
    void (*stride)(const walk_table *table, walk_group *group, int64_t from, int64_t to);
    /* The same, from table->kind. */
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

/* Tables of walk_ops. */
extern const halo_isa_variant walk_variants[];

#endif
