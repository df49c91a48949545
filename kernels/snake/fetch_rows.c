#include "kernels/snake/fetch_rows.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "core/world/collect.h"

#include <stdlib.h>
#include <string.h>

/* Return the number of rows of rank `from` that rank `to` needs; *first is the first one. */
static int64_t wanted(const int64_t *cuts, int ranks, int depth, int from, int to, int64_t *first)
{
    int64_t lo = cuts[to], hi = cuts[to + 1];
    if (from == to || lo == hi) {
        return 0;
    }
    int64_t begin = from < to ? halo_max(lo - depth, 0) : hi;
    int64_t end = from < to ? lo : halo_min(hi + depth, cuts[ranks]);
    *first = halo_max(begin, cuts[from]);
    return halo_max(halo_min(end, cuts[from + 1]) - *first, 0);
}

/* The rows that others need, in rank order. */
static halo_status pack(const halo_world *world, const halo_view *view, const int64_t *cuts,
                        int depth, size_t *counts, void **out)
{
    int ranks = halo_world_ranks(world), me = halo_world_rank(world);
    size_t row = (size_t)(view->owned.n[1] * view->cell_bits / 8);
    size_t total = 0;
    int64_t first = 0;
    for (int r = 0; r < ranks; r++) {
        counts[r] = (size_t)wanted(cuts, ranks, depth, me, r, &first) * row;
        total += counts[r];
    }
    HALO_TRY(halo_memory_create(out, total + 1, "rows for other ranks"));
    char *at = *out;
    for (int r = 0; r < ranks; r++) {
        int64_t rows = wanted(cuts, ranks, depth, me, r, &first);
        for (int64_t y = first; y < first + rows; y++, at += row) {
            memcpy(at, halo_row(view, y - cuts[me]), row);
        }
    }
    return HALO_OK;
}

halo_status snake_fetch_rows(halo_world *world, const halo_view *view, const int64_t *cuts,
                             int depth, void **rows)
{
    size_t ranks = (size_t)halo_world_ranks(world);
    void *out = NULL;
    *rows = NULL;
    size_t *counts;
    halo_status status = HALO_ALLOCATE(counts, 2 * ranks, "counts of rows");
    if (status == HALO_OK) {
        status = pack(world, view, cuts, depth, counts, &out);
    }
    status = halo_agree(world, status);
    if (status == HALO_OK) {
        status = halo_alltoallv(world, out, counts, rows, counts + ranks);
    }
    halo_memory_free(out);
    free(counts);
    return status;
}
