#include "io/array/ome/ome_internal.h"

#include "base/minmax.h"
#include "partition/cuts.h"

/* The levels of an image and their chunks. Chunks are tiles, so that viewers read what they show,
 * and lie in bands of the whole width, each of which one rank writes. */

enum { LONGEST = 256, TILE = 256, TILE_MAX = 1024, DEPTH_MAX = 64 };

static const int64_t BAND_BYTES = (int64_t)8 << 20;

/* The largest power of two that is not above n, from `least` to `most`, which are such, too. */
static int64_t power_within(int64_t n, int64_t least, int64_t most)
{
    int64_t power = least;
    while (power < most && 2 * power <= n) {
        power *= 2;
    }
    return power;
}

static int64_t parts(int64_t n, int64_t size)
{
    return halo_max((n + size - 1) / size, 1);
}

/* Small planes come several into a chunk; of large ones a band has as many rows as fit. */
static void plan_tiles(halo_ome_level *level, int64_t bytes)
{
    int64_t row = halo_max(level->n[2], 1) * bytes, plane = halo_max(level->n[1], 1) * row;
    int64_t depth = halo_min(power_within(BAND_BYTES / plane, 1, DEPTH_MAX), level->n[0]);
    bool deep = depth > 1;
    int64_t side = deep ? TILE : power_within(BAND_BYTES / row, TILE, TILE_MAX);
    level->tile[0] = halo_max(depth, 1);
    for (int axis = 1; axis < HALO_OME_AXES; axis++) {
        level->tile[axis] = halo_max(halo_min(side, level->n[axis]), 1);
    }
    level->rows = deep ? parts(level->n[1], level->tile[1]) : 1;
    level->columns = parts(level->n[2], level->tile[2]);
}

/* Makes the next level. Rows and columns are halved together, as viewers of pictures expect it,
 * planes if they are many. False if the last one is small enough. */
static bool halve(halo_ome_levels *levels)
{
    const halo_ome_level *last = &levels->level[levels->count - 1];
    halo_ome_level *next = &levels->level[levels->count];
    bool any = false, empty = false;
    if (levels->count == HALO_OME_LEVELS) {
        return false;
    }
    bool flat = halo_max(last->n[1], last->n[2]) > LONGEST;
    for (int axis = 0; axis < HALO_OME_AXES; axis++) {
        bool long_one = axis == 0 ? last->n[axis] > LONGEST : flat && last->n[axis] > 1;
        int64_t by = long_one ? 2 : 1;
        next->n[axis] = (last->n[axis] + by - 1) / by;
        next->factor[axis] = last->factor[axis] * by;
        any = any || by > 1;
        empty = empty || last->n[axis] == 0;
    }
    levels->count += any && !empty;
    return any && !empty;
}

void halo_ome_plan(halo_ome_levels *out, const halo_npy_header *header)
{
    int64_t bytes = (int64_t)halo_npy_sample_bytes(header);
    *out = (halo_ome_levels){.axes = halo_array_space(header), .count = 1};
    out->level[0] = (halo_ome_level){
        .n = {halo_array_planes(header), halo_array_plane_rows(header), halo_array_columns(header)},
        .factor = {1, 1, 1}};
    do {
        plan_tiles(&out->level[out->count - 1], bytes);
    } while (halve(out));
}

halo_npy_header halo_ome_header(const halo_ome_levels *levels, int level, halo_sample_type type)
{
    const int64_t *n = levels->level[level].n;
    return (halo_npy_header){.width = n[2],
                             .height = n[0] * n[1],
                             .type = type == HALO_SAMPLE_BIT ? HALO_SAMPLE_U8 : type,
                             .axes = levels->axes,
                             .planes = levels->axes == HALO_OME_AXES ? n[0] : 0};
}

void halo_ome_cuts(const halo_ome_level *level, int ranks, int64_t *cuts)
{
    int64_t across = level->tile[0] > 1 ? 1 : parts(level->n[1], level->tile[1]);
    halo_cuts_even(parts(level->n[0], level->tile[0]) * across, ranks, cuts);
    for (int r = 0; r <= ranks; r++) {
        int64_t row =
            cuts[r] / across * level->tile[0] * level->n[1] + cuts[r] % across * level->tile[1];
        cuts[r] = halo_min(row, level->n[0] * level->n[1]);
    }
}
