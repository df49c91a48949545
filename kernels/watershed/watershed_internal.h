#ifndef HALOBEAT_WATERSHED_INTERNAL_H
#define HALOBEAT_WATERSHED_INTERNAL_H

#include "kernels/watershed/row_ops.h"
#include "kernels/watershed/watershed.h"

/* The files of the watershed share this. Internal to the kernel.
 *
 * A strip's cells are numbered in one sequence. A layer is what there is for an index of axis 0: a
 * row of an image, or a plane of a volume, whose rows follow one another. Behind each row there is
 * a cell outside, and behind each plane a row outside; before the strip's first layer and after its
 * last one there are those of the neighbouring ranks. So all neighbours of a cell are at fixed
 * distances, and all can be read. */

enum { WATERSHED_NEIGHBOURS = 26 };

/* Values of `steps`: outside the mask, or of the strip; D + 1 where a cell is reached; and not
 * reached. The last has room above it for what row operations add. */
#define WATERSHED_OUTSIDE UINT32_C(0)
#define WATERSHED_SOURCE  UINT32_C(1)

/* Values of `states`: outside the mask, or of the strip; cells that are no minima; and others,
 * which may become such. */
enum { WATERSHED_NO_STATE, WATERSHED_FALLS, WATERSHED_MINIMUM };

/* A list of cells that grows. */
typedef struct {
    int64_t *cells, count, room;
} watershed_list;

/* Cells whose labels wait for those of other ranks: the least of some candidates. Numbers below
 * `halos` are the halo's cells. A label below 0 stands for the number -1 - label. */
typedef struct {
    int64_t halos;
    int32_t *value; /* [halos + count], 0: not known yet; room for them in `room` */
    int64_t room, count, count_room;
    int64_t *end;        /* [count] of its candidates, which begin where those before end */
    int32_t *candidates; /* labels */
    int64_t candidate_count, candidate_room;
} watershed_nodes;

/* E of a cell where it was needed: the pair of C, with 2 added to D; (0, 1) for markers. */
typedef struct {
    uint64_t value;
    uint32_t depth; /* 0: not known */
} watershed_entry;

/* E of the cells that needed it. Zero-initialise it; free it with watershed_entries_free. */
typedef struct {
    int64_t cell; /* 0: free */
    watershed_entry entry;
} watershed_slot;

typedef struct {
    watershed_slot *slots; /* [room], a power of 2 */
    int64_t room, count;
    watershed_entry *border; /* [4 * layer] with several ranks: of the first and the last layer, and
                              * of the halo */
} watershed_entries;

struct halo_watershed {
    halo_world *world;
    halo_watershed_options options;
    halo_domain domain;
    halo_partition strips;
    int before, after; /* ranks with the strips beside this one, or -1 */
    const watershed_row_ops *ops;
    bool cleared, masked;
    bool levels_only;    /* there are no steps, labels and what belongs to them, */
    bool levels_cleared; /* and levels only once they begin */
    bool wide;           /* directions have 32 bits, otherwise 8 */
    int bytes;           /* of a key */

    int64_t layers, layer_rows, columns; /* of the strip; rows of a layer */
    int64_t pitch, layer;                /* cells from row to row, and from layer to layer */
    int64_t first, end;                  /* own cells are in this range */
    int64_t cells;
    int neighbours;
    int64_t step[WATERSHED_NEIGHBOURS]; /* distances, in raster order */
    watershed_span around;              /* all of them, */
    watershed_span earlier, later;      /* and those in rows before a cell's, and after it */

    void *image;          /* [cells] keys: samples; the largest one outside */
    void *level;          /* [cells] the same of V */
    uint32_t *steps;      /* [cells] */
    int32_t *labels;      /* [cells] at first those of markers, and 0 */
    void *directions;     /* [cells] the best neighbours of cells that have no label yet; in the
                           * memory of the image, if that has room for them: levels are final then */
    void *own_directions; /* or NULL: the image's */
    uint64_t *markers;    /* [cells] bits */
    uint8_t *states;      /* [cells] of the search for minima; NULL if there was none */
    uint8_t *flags;       /* [columns] of a row, and 8 more bytes that are 0 */
    watershed_nodes nodes;
    watershed_entries entries;
    int64_t done; /* rows of all passes */
    halo_watershed_report report;
};

/* Memory is touched when the first row is put (watershed.c). */
void watershed_clear(halo_watershed *w);

/* ---- geometry -------------------------------------------------------------------------------- */

static inline int64_t watershed_rows(const halo_watershed *w)
{
    return w->layers * w->layer_rows;
}

/* The first cell of a row of the strip. */
static inline int64_t watershed_row(const halo_watershed *w, int64_t row)
{
    return w->first + row / w->layer_rows * w->layer + row % w->layer_rows * w->pitch;
}

static inline bool watershed_is_own(const halo_watershed *w, int64_t cell)
{
    return cell >= w->first && cell < w->end;
}

/* The number of a halo's cell. */
static inline int64_t watershed_halo_number(const halo_watershed *w, int64_t cell)
{
    return cell < w->first ? cell - (w->first - w->layer) : cell - w->end + w->layer;
}

static inline void *watershed_key(const halo_watershed *w, void *keys, int64_t cell)
{
    return (char *)keys + cell * w->bytes;
}

static inline bool watershed_is_marker(const halo_watershed *w, int64_t cell)
{
    enum { WORD = 64 };
    return w->markers[cell / WORD] >> cell % WORD & 1;
}

static inline uint64_t watershed_level_at(const halo_watershed *w, int64_t cell)
{
    switch (w->bytes) {
    case sizeof(uint8_t):
        return ((const uint8_t *)w->level)[cell];
    case sizeof(uint16_t):
        return ((const uint16_t *)w->level)[cell];
    case sizeof(uint32_t):
        return ((const uint32_t *)w->level)[cell];
    default:
        return ((const uint64_t *)w->level)[cell];
    }
}

static inline uint32_t watershed_directions_at(const halo_watershed *w, int64_t cell)
{
    return w->wide ? ((const uint32_t *)w->directions)[cell]
                   : ((const uint8_t *)w->directions)[cell];
}

/* ---- keys (keys.c) --------------------------------------------------------------------------- */

/* Bytes of the keys of a type. */
int watershed_key_bytes(halo_sample_type type);

/* Fills a row of keys, which have the order of the samples. HALO_ARGUMENT for NaN. */
halo_status watershed_keys(halo_sample_type type, const void *samples, int64_t count, void *keys);

/* Fills a row of labels with markers. Returns false if one is not from 0 to INT32_MAX. */
bool watershed_take_markers(halo_sample_type type, const void *samples, int64_t count,
                            int32_t *labels);

/* Keys become samples, in place. */
void watershed_samples(halo_sample_type type, int64_t count, void *keys);

/* keys = those of samples that are larger by `height`; of the largest sample where there is none
 * so large. */
void watershed_raise(halo_sample_type type, double height, const void *keys, int64_t count,
                     void *raised);

/* ---- borders (borders.c) --------------------------------------------------------------------- */

/* Collective. Fills the halo of an array of `bytes` bytes a cell. HALO_TRANSPORT. */
halo_status watershed_exchange(halo_watershed *w, void *array, size_t bytes);

/* Collective. Sends `bytes` bytes from `own_low` to the rank before this one and from `own_high` to
 * the one after it, and receives as many to `low` and `high`. HALO_TRANSPORT. */
halo_status watershed_swap(halo_watershed *w, void *own_low, void *own_high, void *low, void *high,
                           int64_t bytes);

/* Collective. Agrees on `status`, and adds up *count over all ranks. */
halo_status watershed_vote(halo_watershed *w, halo_status status, int64_t *count);

/* Local. Watches a pass over the rows after `rows` more of them. HALO_CANCELLED. */
halo_status watershed_watch(halo_watershed *w, int64_t rows);

/* Local. Adds a cell. HALO_MEMORY. */
halo_status watershed_grow(watershed_list *list);
static inline halo_status watershed_add(watershed_list *list, int64_t cell)
{
    if (list->count == list->room) {
        HALO_TRY(watershed_grow(list));
    }
    list->cells[list->count++] = cell;
    return HALO_OK;
}

/* ---- costs ----------------------------------------------------------------------------------- */

/* Collective. Lowers the levels, which are at least the image's, until each is the larger one of
 * the sample and the least level of the neighbours, unless it is less (level.c). HALO_MEMORY,
 * HALO_TRANSPORT, HALO_CANCELLED. */
halo_status watershed_settle_levels(halo_watershed *w);

/* Collective. Sets the steps of cells within the mask (steps.c). The same. */
halo_status watershed_settle_steps(halo_watershed *w);

/* The flood of levels within parts of the strip. */
typedef struct watershed_flood watershed_flood;
halo_status watershed_flood_create(watershed_flood **out, halo_watershed *w);
void watershed_flood_destroy(watershed_flood **flood);

/* Local. Adds a cell whose level has been lowered; and lowers those of other cells until nothing
 * changes in the strip. HALO_MEMORY, HALO_CANCELLED. */
halo_status watershed_flood_add(watershed_flood *flood, int64_t cell);
halo_status watershed_flood_run(watershed_flood *flood);

/* ---- labels ---------------------------------------------------------------------------------- */

/* Collective. Sets w->states of all cells from keys (regional.c): those of WATERSHED_MINIMUM are
 * regional minima. Without `borders` cells on edges of the domain are none, along its last `axes`
 * axes. HALO_MEMORY, HALO_TRANSPORT, HALO_CANCELLED. */
halo_status watershed_find_regional(halo_watershed *w, void *keys, bool borders, int axes);

/* Collective. Sets markers to the minima of the image (minima.c). */
halo_status watershed_find_minima(halo_watershed *w);

/* Collective. Gives all cells their labels (labels.c). */
halo_status watershed_label(halo_watershed *w);

/* Collective. Finds E of the cells of borders, and fills the halo with it (entries.c). */
halo_status watershed_exchange_entries(halo_watershed *w);

/* Local. Finds E of a cell, own or of the halo. *known: false if it depends on that of a cell of
 * the halo that is not known. HALO_MEMORY. */
halo_status watershed_find_entry(halo_watershed *w, int64_t cell, watershed_entry *entry,
                                 bool *known);

/* Local. E of a cell that was put into the table; false if it was not. HALO_MEMORY. */
bool watershed_entries_get(const watershed_entries *entries, int64_t cell, watershed_entry *entry);
halo_status watershed_entries_put(watershed_entries *entries, int64_t cell,
                                  const watershed_entry *entry);
void watershed_entries_free(watershed_entries *entries);

/* Local. The label of a cell whose best neighbours have different ones (decide.c). HALO_MEMORY. */
halo_status watershed_decide(halo_watershed *w, int64_t cell, uint32_t directions, int32_t *label);

/* Collective. Finds the labels that wait for those of other ranks (nodes.c). */
halo_status watershed_nodes_create(halo_watershed *w);
halo_status watershed_nodes_add(watershed_nodes *nodes, const int32_t *candidates, int count,
                                int32_t *label);
halo_status watershed_nodes_settle(halo_watershed *w);
void watershed_nodes_free(watershed_nodes *nodes);

#endif
