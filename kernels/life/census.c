#include "base/memory.h"
#include "base/minmax.h"
#include "base/option.h"
#include "core/world/collect.h"
#include "kernels/life/grid.h"

#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

enum { WORD = 64 };

/* One rank's census of its rows. */
typedef struct {
    int64_t population;
    int64_t first_row, last_row; /* with a live cell, counted from the grid's first; -1 for none */
    uint64_t hash;
    char *any; /* lanes: which columns of the grid have a live cell */
} findings;

static int64_t floor_divide(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* A row's live words as they would lie if words began at multiples of 64 from x = 0 on. */
static uint64_t hash_plane(const uint64_t *plain, int64_t words, int shift, uint64_t *moved)
{
    uint64_t carry = 0;
    for (int64_t i = 0; i < words; i++) {
        moved[i] = shift == 0 ? plain[i] : plain[i] << shift | carry;
        carry = shift == 0 ? 0 : plain[i] >> (WORD - shift);
    }
    moved[words] = carry;
    int64_t first = 0, end = words + 1;
    while (end > 0 && moved[end - 1] == 0) {
        end--;
    }
    while (first < end && moved[first] == 0) {
        first++;
    }
    moved[words + 1] = (uint64_t)first;
    return first == end ? 0 : XXH3_64bits(moved + first, (size_t)(end - first) * sizeof *moved);
}

/* Rows without live cells add nothing, so empty space does not count. `row` counts from the grid's
 * first; its cells in the plane are the bits `plain`. */
static uint64_t hash_of(const life_grid *grid, int64_t row, int plane, const uint64_t *plain,
                        uint64_t *moved)
{
    int64_t words = (grid->box.n[HALO_LIFE_COLUMNS] + WORD - 1) / WORD;
    int64_t x = grid->box.lo[HALO_LIFE_COLUMNS], word = floor_divide(x, WORD);
    uint64_t cells = hash_plane(plain, words, (int)(x - word * WORD), moved);
    if (cells == 0) {
        return 0;
    }
    int64_t place[3] = {grid->box.lo[HALO_LIFE_ROWS] + row, word + (int64_t)moved[words + 1],
                        plane};
    return XXH3_64bits_withSeed(place, sizeof place, cells);
}

static uint64_t hash_row(const life_grid *grid, int64_t y, int64_t row, uint64_t *plain,
                         uint64_t *moved)
{
    const life_lanes *lanes = &grid->engine->lanes;
    uint64_t hash = 0;
    for (int plane = 0; plane < lanes->planes; plane++) {
        life_lanes_unpack(lanes, grid->engine->ops->transpose,
                          life_grid_row(grid, y) + (size_t)plane * lanes->plane_bytes, plain);
        hash += hash_of(grid, row, plane, plain, moved);
    }
    return hash;
}

typedef struct {
    uint64_t *plain, *moved;
    char *scratch;
    void *memory;
} room;

static halo_status make_findings(const life_grid *grid, findings *found, room *r)
{
    int64_t width = halo_max(grid->box.n[HALO_LIFE_COLUMNS], grid->engine->lanes.width);
    size_t words = (size_t)(width + WORD - 1) / WORD;
    size_t plane = grid->engine->lanes.plane_bytes;
    *found = (findings){.first_row = -1, .last_row = -1};
    HALO_TRY(halo_memory_create(&r->memory, 2 * plane + (2 * words + 2) * sizeof(uint64_t),
                                "a census of the cells"));
    r->scratch = r->memory;
    found->any = r->scratch + plane;
    r->plain = (uint64_t *)(void *)(found->any + plane);
    r->moved = r->plain + words;
    return HALO_OK;
}

/* In blocks, whose rows are in pieces: by the plain rows that this rank holds. */
static uint64_t hash_plain_rows(const life_grid *grid, room *r)
{
    const int64_t *cuts = life_grid_cuts(grid) + grid->rank;
    uint64_t hash = 0;
    for (int64_t y = 0; grid->staging.rows != NULL && y < cuts[1] - cuts[0]; y++) {
        const char *row = grid->staging.rows + (size_t)y * life_grid_row_bytes(grid);
        for (int plane = 0; plane < grid->engine->lanes.planes; plane++) {
            const uint64_t *bits = life_plain_plane(grid, row, plane, r->plain);
            hash += hash_of(grid, cuts[0] + y, plane, bits, r->moved);
        }
    }
    return hash;
}

/* Only the rank's own cells. */
static void forget_others(const life_engine *engine, char *lanes)
{
    uint64_t *words = (uint64_t *)(void *)lanes;
    const uint64_t *mask = (const uint64_t *)(const void *)engine->mask;
    for (int64_t i = 0; i < engine->lanes.columns * LIFE_COLUMN_WORDS; i++) {
        words[i] &= mask[i];
    }
}

/* Look at all rows; the hash costs more than all else, so only where it is wanted. */
static void find(const halo_life *life, findings *found, room *r, bool hashes)
{
    const life_grid *grid = life->grid;
    const life_engine *engine = grid->engine;
    int64_t columns = engine->lanes.columns;
    int64_t first = life_grid_first_row(grid);
    bool blocks = grid->blocks != NULL;
    for (int64_t y = 0; y < life_grid_rows(grid); y++) {
        const char *live = life_grid_live_lanes(grid, y, r->scratch);
        int64_t population = engine->ops->population(live, engine->mask, columns);
        if (population == 0) {
            continue;
        }
        found->population += population;
        found->first_row = found->first_row < 0 ? first + y : found->first_row;
        found->last_row = first + y;
        life_lanes_add(found->any, live, columns);
        if (hashes && !blocks) {
            found->hash += hash_row(grid, y, first + y, r->plain, r->moved);
        }
    }
    if (hashes && blocks) {
        found->hash = hash_plain_rows(grid, r);
    }
    forget_others(engine, found->any);
}

static void find_columns(const uint64_t *plain, int64_t words, int64_t *first, int64_t *last)
{
    *first = *last = -1;
    for (int64_t i = 0; i < words; i++) {
        if (plain[i] != 0) {
            *first = *first < 0 ? i * WORD + __builtin_ctzll(plain[i]) : *first;
            *last = i * WORD + WORD - 1 - __builtin_clzll(plain[i]);
        }
    }
}

/* The box over all ranks: the smallest of firsts is the largest of their negatives. */
static halo_status agree_on_box(halo_life *life, const findings *found, uint64_t *plain,
                                halo_life_box *live)
{
    const life_grid *grid = life->grid;
    int64_t first, last, ends[2 * HALO_LIFE_AXES];
    const life_lanes *lanes = &grid->engine->lanes;
    halo_life_report at;
    life_grid_place(grid, halo_world_ranks(life->world), &at);
    int64_t left = at.own.lo[HALO_LIFE_COLUMNS] - grid->engine->span.first;
    life_lanes_unpack(lanes, grid->engine->ops->transpose, found->any, plain);
    find_columns(plain, (lanes->width + WORD - 1) / WORD, &first, &last);
    ends[0] = found->first_row < 0 ? INT64_MIN : -found->first_row;
    ends[1] = found->last_row;
    ends[2] = first < 0 ? INT64_MIN : -(left + first);
    ends[3] = last < 0 ? -1 : left + last;
    HALO_TRY(halo_allreduce_max(life->world, ends, 2 * HALO_LIFE_AXES));
    *live = (halo_life_box){{0}, {0}};
    for (int axis = 0; axis < HALO_LIFE_AXES && ends[1] >= 0; axis++) {
        live->lo[axis] = grid->box.lo[axis] - ends[2 * axis];
        live->n[axis] = ends[2 * axis + 1] + ends[2 * axis] + 1;
    }
    return HALO_OK;
}

static halo_status look(halo_life *life, halo_life_census *census, bool hashes)
{
    findings found;
    room r = {0};
    HALO_TRY(hashes ? life_staging_bring(life, life->grid)
                    : life_staging_hand_over(life, life->grid));
    halo_status status = halo_agree(life->world, make_findings(life->grid, &found, &r));
    if (status == HALO_OK) {
        find(life, &found, &r, hashes);
        int64_t sums[2] = {found.population, (int64_t)found.hash};
        status = halo_allreduce_sum(life->world, sums, 2);
        census->population = sums[0];
        census->hash = (uint64_t)sums[1];
    }
    if (status == HALO_OK) {
        status = agree_on_box(life, &found, r.plain, &census->live);
    }
    halo_memory_free(r.memory);
    return status;
}

halo_status halo_life_take_census_sized(halo_life *life, halo_life_census *census,
                                        size_t census_bytes)
{
    halo_life_census own;
    halo_status status = look(life, &own, true);
    halo_report_give(census, census_bytes, status == HALO_OK ? &own : NULL, sizeof own);
    return status;
}

halo_status life_count_live(halo_life *life, halo_life_census *census)
{
    return look(life, census, false);
}

halo_status halo_life_keep(halo_life *life)
{
    HALO_TRY(halo_life_take_census(life, &life->kept_census));
    life->kept_background = halo_life_background(&life->options.rule, life->generation);
    life->kept = true;
    return HALO_OK;
}

halo_status halo_life_is_kept(halo_life *life, bool *same)
{
    halo_life_census now;
    HALO_TRY(halo_life_take_census(life, &now));
    bool background = halo_life_background(&life->options.rule, life->generation);
    bool matters = life->grid->engine->relative;
    *same = life->kept && (!matters || background == life->kept_background) &&
            now.hash == life->kept_census.hash && now.population == life->kept_census.population &&
            memcmp(&now.live, &life->kept_census.live, sizeof now.live) == 0;
    return HALO_OK;
}
