#ifndef HALOBEAT_SPLIT_SPLIT_INTERNAL_H
#define HALOBEAT_SPLIT_SPLIT_INTERNAL_H

#include "kernels/split/row_ops.h"
#include "kernels/split/split.h"

/* The files of splitting share this. Internal to the kernel.
 *
 * A strip's cells are numbered in one sequence. A layer is what there is for an index of axis 0: a
 * row of an image, or a plane of a volume, whose rows follow one another. Behind each row there is
 * a cell outside, and behind each plane a row outside; before the strip's first layer and after its
 * last one there are those of the neighbouring ranks, the halo. So all neighbours of a cell are at
 * fixed distances, and all can be read.
 *
 * Keys are unsigned numbers that are least at peaks: within the kernel things go down, as water
 * does, and peaks are minima. */

/* Pass between two minima, by their numbers among all, from 1 on. With a = 0, the first cell of the
 * domain, as its key, that is in the basin of a minimum. */
typedef struct {
    uint64_t key;
    int32_t a, b; /* a < b */
} split_pass;

/* The least keys of all pairs; of a free entry b is 0. Zero-initialise it. */
typedef struct {
    split_pass *entries; /* [room], a power of 2 */
    int64_t room, count;
} split_pass_table;

/* Numbers of two minima that are one, which strips cut. */
typedef struct {
    int32_t a, b;
} split_pair;

/* How many bits keys have. Those of distances begin with the least, and become wider with the first
 * square that needs it. */
typedef enum { SPLIT_16, SPLIT_32, SPLIT_64 } split_width;

/* A list that grows. */
typedef struct {
    int64_t *cells, count, room;
} split_list;

/* Steps of a flat cell that no cell with a way is joined to. */
#define SPLIT_FAR INT32_MAX

struct halo_split {
    halo_world *world;
    halo_split_options options;
    double height;
    halo_domain domain;
    halo_partition strips;
    int before, after; /* ranks with the strips beside this one, or -1 */
    const split_row_ops *ops;
    split_width width, widest; /* of keys now, and for which there is memory */

    int64_t layers, layer_rows, columns; /* of the strip; rows of a layer */
    int64_t lo;                          /* its first layer in the domain */
    int64_t pitch, layer;                /* cells from row to row, and from layer to layer */
    int64_t first, end;                  /* own cells are in this range */
    int64_t cells;
    split_span around;

    void *keys;       /* [cells]; the largest one outside */
    uint8_t *ways;    /* [cells] */
    int32_t *numbers; /* [cells] steps of flat cells; then numbers of basins: those of the strip's
                       * minima from 1 on, then those of the halo's cells */
    uint8_t *flags;   /* [columns] of a row, and 8 more bytes that are 0 */
    split_list flats; /* cells of the strip that were flat, in order */

    /* Minima of this rank: */
    int64_t minima;    /* so many, from 1 on */
    uint64_t *bottoms; /* [minima] their keys */
    int64_t *counts;   /* [ranks] of minima; */
    int64_t *offsets;  /* [ranks + 1] sums of those of lower ranks: minimum i of rank r has the
                        * number offsets[r] + i among all */
    int32_t *global;   /* [minima + 1 + 2 * layer] numbers among all, from 1 on; 0: none; in the
                        * end, parts */
    split_pair *pairs; /* [pair_count] minima that are one with one of the rank after this one */
    int64_t pair_count, pair_room;
    split_pass_table passes;
    int64_t done; /* rows of all stages */
    halo_split_report report;
};

/* ---- geometry -------------------------------------------------------------------------------- */

static inline int64_t split_row_count(const halo_split *s)
{
    return s->layers * s->layer_rows;
}

/* The first cell of a row of the strip. */
static inline int64_t split_row(const halo_split *s, int64_t row)
{
    return s->first + row / s->layer_rows * s->layer + row % s->layer_rows * s->pitch;
}

static inline bool split_is_own(const halo_split *s, int64_t cell)
{
    return cell >= s->first && cell < s->end;
}

/* The cells of the halo have numbers from 0 to 2 * layer - 1; this is the reverse. */
static inline int64_t split_halo_cell(const halo_split *s, int64_t i)
{
    return i < s->layer ? s->first - s->layer + i : s->end + i - s->layer;
}

static inline bool split_is_alone(const halo_split *s)
{
    return halo_world_ranks(s->world) == 1;
}

static inline size_t split_key_bytes(split_width width)
{
    return sizeof(uint16_t) << width;
}

/* The key of cells outside; of a square, what is left below it. */
static inline uint64_t split_key_limit(split_width width)
{
    return width == SPLIT_16 ? UINT16_MAX : width == SPLIT_32 ? UINT32_MAX : UINT64_MAX;
}

static inline void *split_key_at(const halo_split *s, int64_t cell)
{
    return (char *)s->keys + cell * (int64_t)split_key_bytes(s->width);
}

static inline uint64_t split_key(const halo_split *s, int64_t cell)
{
    return s->width == SPLIT_16   ? ((const uint16_t *)s->keys)[cell]
           : s->width == SPLIT_32 ? ((const uint32_t *)s->keys)[cell]
                                  : ((const uint64_t *)s->keys)[cell];
}

/* ---- borders.c ------------------------------------------------------------------------------- */

/* Collective. Fills the halo of an array of `bytes` bytes a cell. HALO_TRANSPORT. */
halo_status split_exchange(halo_split *s, void *array, size_t bytes);

/* Collective. Sends `bytes` bytes from `own_low` to the rank before this one and from `own_high` to
 * the one after it, and receives as many to `low` and `high`. HALO_TRANSPORT. */
halo_status split_swap(halo_split *s, const void *own_low, const void *own_high, void *low,
                       void *high, int64_t bytes);

/* Collective. Agrees on `status`, and adds up *count over all ranks. */
halo_status split_vote(halo_split *s, halo_status status, int64_t *count);

/* Local. Watches a stage after `rows` more rows. HALO_CANCELLED. */
halo_status split_watch(halo_split *s, int64_t rows);

/* Local. Adds a cell. HALO_MEMORY. */
halo_status split_add(split_list *list, int64_t cell);

/* ---- heights.c ------------------------------------------------------------------------------- */

/* Pure. How many bits keys have at first, and at most. */
split_width split_first_width(const halo_split_options *options);
split_width split_widest(const halo_domain *domain, const halo_split_options *options);

/* Local. Cells of a range are outside. */
void split_clear_range(halo_split *s, int64_t from, int64_t to);

/* ---- stages, in this order ------------------------------------------------------------------- */

/* Collective. Finds ways down to deeper neighbours, and lists flat cells (descents.c). */
halo_status split_descend(halo_split *s);

/* Collective. Finds ways across plateaus; s->numbers of flat cells without one become SPLIT_FAR,
 * and of all others 0 (plateaus.c). */
halo_status split_cross_plateaus(halo_split *s);

/* Collective. Numbers minima, and then all cells (basins.c). */
halo_status split_number_minima(halo_split *s);
halo_status split_follow(halo_split *s);

/* Collective. Finds the minima that pointers out of the strip lead to: s->global (crossings.c). */
halo_status split_resolve(halo_split *s);

/* Local. Finds the lowest passes, and first cells (passes.c). */
halo_status split_find_passes(halo_split *s);

/* Local. Lowers the key of a pair, or adds one (tables.c). HALO_MEMORY. */
halo_status split_passes_put(split_pass_table *table, int32_t a, int32_t b, uint64_t key);
void split_passes_free(split_pass_table *table);

/* Local. Brings passes into the order of their keys, a and b (sort.c). HALO_MEMORY,
 * HALO_CANCELLED. */
halo_status split_sort(const halo_world *world, split_pass *list, int64_t count);

/* Collective. Joins basins, whose parts s->global has then (forest.c). */
halo_status split_join(halo_split *s);

#endif
