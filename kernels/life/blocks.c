#include "kernels/life/blocks.h"

#include "base/memory.h"
#include "base/minmax.h"

#include <inttypes.h>
#include <stdlib.h>

halo_status life_blocks_check(const halo_life_options *options, int ranks)
{
    int rows = options->parts[HALO_LIFE_ROWS], columns = options->parts[HALO_LIFE_COLUMNS];
    if (rows == 0 && columns == 0) {
        return HALO_OK;
    }
    if (rows < 1 || columns < 1 || (int64_t)rows * columns != ranks) {
        return halo_fail(HALO_ARGUMENT,
                         "%d rows of %d blocks are not one for each of %d ranks; use as many "
                         "blocks as ranks, or 0 and 0 for strips",
                         rows, columns, ranks);
    }
    if (columns > 1 && options->balancing != NULL) {
        return halo_fail(HALO_ARGUMENT,
                         "boundaries of Life move between strips only, and %d x %d blocks were "
                         "asked for; use strips, or leave out balancing",
                         rows, columns);
    }
    if (columns > 1 && options->beats_per_exchange > LIFE_GHOSTS) {
        return halo_fail(HALO_ARGUMENT,
                         "a halo depth of %d is more than the %d that blocks have; use that or "
                         "less, or strips",
                         options->beats_per_exchange, LIFE_GHOSTS);
    }
    return HALO_OK;
}

static halo_status check_columns(const int parts[HALO_LIFE_AXES], int64_t columns)
{
    int64_t max = columns / LIFE_GHOSTS, ranks = (int64_t)parts[0] * parts[1];
    if (parts[HALO_LIFE_COLUMNS] <= max) {
        return HALO_OK;
    }
    int64_t better = halo_max(1, halo_min(max, ranks));
    while (ranks % better != 0) {
        better--;
    }
    return halo_fail(HALO_RANKS,
                     "%d columns of blocks are too many for a grid of %" PRId64 " columns: each "
                     "needs at least %d; use %" PRId64 " x %" PRId64 " blocks, or strips",
                     parts[HALO_LIFE_COLUMNS], columns, LIFE_GHOSTS, ranks / better, better);
}

/* The last column of blocks takes the rest. */
static void cut_columns(int64_t *cuts, int parts, int64_t columns)
{
    halo_cuts_even(columns / LIFE_GHOSTS, parts, cuts);
    for (int part = 1; part < parts; part++) {
        cuts[part] *= LIFE_GHOSTS;
    }
    cuts[parts] = columns;
}

static halo_status make(life_blocks *blocks, const int parts[HALO_LIFE_AXES],
                        const int64_t n[HALO_LIFE_AXES])
{
    const int all[HALO_AXES] = {parts[0], parts[1], 1};
    halo_domain cells = {.axes = 2, .n = {n[0], n[1], 1}};
    halo_domain run = {.axes = 2, .n = {n[0], parts[1], 1}};
    HALO_TRY(check_columns(parts, n[HALO_LIFE_COLUMNS]));
    HALO_TRY(halo_partition_blocks(&blocks->cells, &cells, all));
    HALO_TRY(halo_partition_blocks(&blocks->run, &run, all));
    cut_columns(blocks->cells.cuts[HALO_LIFE_COLUMNS], parts[1], n[HALO_LIFE_COLUMNS]);
    int ranks = halo_partition_parts(&blocks->cells);
    HALO_TRY(HALO_ALLOCATE(blocks->strips, ranks + 1, "the rows of ranks"));
    halo_cuts_even(n[HALO_LIFE_ROWS], ranks, blocks->strips);
    return HALO_OK;
}

halo_status life_blocks_create(life_blocks **out, const int parts[HALO_LIFE_AXES],
                               const int64_t n[HALO_LIFE_AXES], bool periodic)
{
    HALO_TRY(HALO_ALLOCATE(*out, 1, "blocks of a grid"));
    (*out)->periodic = periodic;
    halo_status status = make(*out, parts, n);
    if (status != HALO_OK) {
        life_blocks_destroy(out);
    }
    return status;
}

void life_blocks_destroy(life_blocks **blocks)
{
    if (*blocks != NULL) {
        halo_partition_free(&(*blocks)->cells);
        halo_partition_free(&(*blocks)->run);
        free((*blocks)->strips);
        free(*blocks);
        *blocks = NULL;
    }
}

static life_engine_span span_of_column(const life_blocks *blocks, int column)
{
    const int64_t *cuts = blocks->cells.cuts[HALO_LIFE_COLUMNS];
    int last = blocks->cells.parts[HALO_LIFE_COLUMNS] - 1;
    bool before = blocks->periodic || column > 0, after = blocks->periodic || column < last;
    life_engine_span span = {.owned = cuts[column + 1] - cuts[column],
                             .first = before ? LIFE_GHOSTS : 0};
    span.width = span.first + span.owned + (after ? LIFE_GHOSTS : 0);
    return span;
}

life_engine_span life_blocks_span(const life_blocks *blocks, int rank)
{
    int place[HALO_AXES];
    halo_partition_place(&blocks->cells, rank, place);
    return span_of_column(blocks, place[HALO_LIFE_COLUMNS]);
}

int64_t life_blocks_max_width(const life_blocks *blocks)
{
    int64_t max = 0;
    for (int column = 0; column < blocks->cells.parts[HALO_LIFE_COLUMNS]; column++) {
        max = halo_max(max, span_of_column(blocks, column).width);
    }
    return max;
}
