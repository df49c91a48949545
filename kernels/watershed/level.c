#include "kernels/watershed/watershed_internal.h"

#include "base/minmax.h"

/* V: the reconstruction by erosion. Two sweeps over all rows bring most levels to their place;
 * what is left is flooded from there. */

static const watershed_key_ops *ops_of(const halo_watershed *w)
{
    return &w->ops->keys[__builtin_ctz((unsigned)w->bytes)];
}

/* From above with the neighbours in rows before a cell's, and then from below. */
static halo_status sweep(halo_watershed *w)
{
    const watershed_key_ops *ops = ops_of(w);
    int64_t rows = watershed_rows(w);
    for (int64_t i = 0; i < 2 * rows; i++) {
        bool back = i >= rows;
        int64_t cell = watershed_row(w, back ? 2 * rows - 1 - i : i);
        ops->sweep(back ? &w->later : &w->earlier, watershed_key(w, w->level, cell),
                   watershed_key(w, w->image, cell), back);
        HALO_TRY(watershed_watch(w, 1));
    }
    return HALO_OK;
}

/* The larger one of the sample and the least level around the cell. */
#define DEFINE_LOWER(key)                                        \
    static bool lower_##key(halo_watershed *w, int64_t cell)     \
    {                                                            \
        const key *image = w->image;                             \
        key *level = w->level, least = level[cell + w->step[0]]; \
        for (int k = 1; k < w->neighbours; k++) {                \
            key other = level[cell + w->step[k]];                \
            least = other < least ? other : least;               \
        }                                                        \
        least = least > image[cell] ? least : image[cell];       \
        bool falls = least < level[cell];                        \
        level[cell] = falls ? least : level[cell];               \
        return falls;                                            \
    }
DEFINE_LOWER(uint8_t)
DEFINE_LOWER(uint16_t)
DEFINE_LOWER(uint32_t)
DEFINE_LOWER(uint64_t)

static bool lower(halo_watershed *w, int64_t cell)
{
    switch (w->bytes) {
    case sizeof(uint8_t):
        return lower_uint8_t(w, cell);
    case sizeof(uint16_t):
        return lower_uint16_t(w, cell);
    case sizeof(uint32_t):
        return lower_uint32_t(w, cell);
    default:
        return lower_uint64_t(w, cell);
    }
}

/* Starts the flood from the cells of `count` rows whose level their neighbours would lower. */
static halo_status start_flood(halo_watershed *w, watershed_flood *flood, int64_t first,
                               int64_t count, int64_t *lowered)
{
    const watershed_key_ops *ops = ops_of(w);
    for (int64_t row = first; row < first + count; row++) {
        int64_t cell = watershed_row(w, row);
        if (ops->falls(&w->around, watershed_key(w, w->level, cell),
                       watershed_key(w, w->image, cell), w->flags)) {
            for (int64_t x = 0; x < w->columns; x++) {
                if (w->flags[x] != 0 && lower(w, cell + x)) {
                    HALO_TRY(watershed_flood_add(flood, cell + x));
                    ++*lowered;
                }
            }
        }
        HALO_TRY(watershed_watch(w, 0));
    }
    return HALO_OK;
}

/* Takes the halo's levels. */
static halo_status take_halo(halo_watershed *w, watershed_flood *flood, int64_t *lowered)
{
    int64_t rows = watershed_rows(w), border = halo_min(w->layer_rows, rows);
    HALO_TRY(start_flood(w, flood, 0, border, lowered));
    HALO_TRY(start_flood(w, flood, rows - border, border, lowered));
    return watershed_flood_run(flood);
}

static halo_status settle_strip(halo_watershed *w, watershed_flood **flood)
{
    int64_t lowered = 0;
    HALO_TRY(watershed_flood_create(flood, w));
    HALO_TRY(sweep(w));
    HALO_TRY(start_flood(w, *flood, 0, watershed_rows(w), &lowered));
    return watershed_flood_run(*flood);
}

halo_status watershed_settle_levels(halo_watershed *w)
{
    watershed_flood *flood = NULL;
    int64_t changed = halo_world_ranks(w->world) - 1;
    halo_status status = halo_agree(w->world, settle_strip(w, &flood));
    while (status == HALO_OK && changed > 0) {
        changed = 0;
        status = watershed_exchange(w, w->level, (size_t)w->bytes);
        if (status == HALO_OK) {
            halo_status mine = take_halo(w, flood, &changed);
            status = watershed_vote(w, mine, &changed);
        }
    }
    watershed_flood_destroy(&flood);
    return status;
}
