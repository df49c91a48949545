#include "app/services/dots.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "core/world/collect.h"
#include "partition/cuts.h"

#include <stdlib.h>
#include <string.h>

/* ---- who draws which ones -------------------------------------------------------------------- */

static int64_t own_rows(const app_dots *dots)
{
    int rank = halo_world_rank(dots->world);
    return dots->cuts[rank + 1] - dots->cuts[rank];
}

static halo_status create(app_dots *dots, bool shared)
{
    static const char *const what = "the dots of a picture (a smaller one takes less)";
    int ranks = halo_world_ranks(dots->world);
    HALO_TRY(HALO_ALLOCATE(dots->cuts, ranks + 1, what));
    HALO_TRY(HALO_ALLOCATE(dots->pixel_cuts, ranks + 1, what));
    HALO_TRY(HALO_ALLOCATE(dots->spans, 2 * ranks, what));
    HALO_TRY(HALO_ALLOCATE(dots->bytes, 2 * ranks, what));
    halo_cuts_even(dots->rows, ranks, dots->cuts);
    for (int r = 1; r <= ranks; r++) {
        dots->cuts[r] = shared ? dots->cuts[r] : dots->rows;
        dots->pixel_cuts[r] = dots->cuts[r] * dots->enlarge;
    }
    return HALO_ALLOCATE_LARGE(dots->sums, own_rows(dots) * dots->columns, what);
}

halo_status app_dots_create(app_dots *dots, halo_world *world, int64_t rows, int64_t columns,
                            int scale, bool shared)
{
    *dots = (app_dots){.world = world,
                       .cells = {rows, columns},
                       .enlarge = halo_max(1, scale),
                       .reduce = halo_max(1, -(int64_t)scale)};
    dots->rows = (rows + dots->reduce - 1) / dots->reduce;
    dots->columns = (columns + dots->reduce - 1) / dots->reduce;
    return halo_agree(world, create(dots, shared));
}

void app_dots_destroy(app_dots *dots)
{
    free(dots->cuts);
    free(dots->pixel_cuts);
    free(dots->spans);
    free(dots->bytes);
    halo_memory_free(dots->sums);
    *dots = (app_dots){0};
}

/* ---- from cells to dots ---------------------------------------------------------------------- */

/* Agree which rows of dots each rank has cells of. */
static halo_status find_spans(app_dots *dots, int64_t row, int64_t rows)
{
    int rank = halo_world_rank(dots->world), ranks = halo_world_ranks(dots->world);
    int64_t from = halo_max(row, 0), end = halo_min(row + rows, dots->cells[0]);
    memset(dots->spans, 0, 2 * (size_t)ranks * sizeof *dots->spans);
    if (from < end) {
        dots->spans[2 * rank] = from / dots->reduce;
        dots->spans[2 * rank + 1] = (end - 1) / dots->reduce + 1 - from / dots->reduce;
    }
    return halo_allreduce_sum(dots->world, dots->spans, 2 * ranks);
}

/* Sums that rank `from` has of the rows that rank `to` draws, and the first of these rows. */
static int64_t count_shared(const app_dots *dots, int from, int to, int64_t *first)
{
    const int64_t *span = dots->spans + (ptrdiff_t)2 * from;
    int64_t end = halo_min(span[0] + span[1], dots->cuts[to + 1]);
    *first = halo_max(span[0], dots->cuts[to]);
    return halo_max(0, end - *first) * dots->columns;
}

static halo_status add_own(const app_dots *dots, app_dots_add *add, void *context, int64_t **sums)
{
    int rank = halo_world_rank(dots->world);
    const int64_t *span = dots->spans + (ptrdiff_t)2 * rank;
    for (int r = 0; r < halo_world_ranks(dots->world); r++) {
        int64_t first;
        dots->bytes[r] = (size_t)count_shared(dots, rank, r, &first) * sizeof **sums;
    }
    if (span[1] == 0) {
        return HALO_OK;
    }
    HALO_TRY(HALO_ALLOCATE_LARGE(*sums, span[1] * dots->columns, "the dots of a picture"));
    return add(context, dots, span[0], *sums);
}

static void take(const app_dots *dots, const int64_t *came)
{
    int rank = halo_world_rank(dots->world);
    memset(dots->sums, 0, (size_t)(own_rows(dots) * dots->columns) * sizeof *dots->sums);
    for (int r = 0; r < halo_world_ranks(dots->world); r++) {
        int64_t first, count = count_shared(dots, r, rank, &first);
        for (int64_t i = 0; i < count; i++) {
            dots->sums[(first - dots->cuts[rank]) * dots->columns + i] += came[i];
        }
        came += count;
    }
}

halo_status app_dots_collect(app_dots *dots, int64_t row, int64_t rows, app_dots_add *add,
                             void *context)
{
    int ranks = halo_world_ranks(dots->world);
    int64_t *sums = NULL;
    void *came = NULL;
    halo_status status;
    HALO_TRY(find_spans(dots, row, rows));
    HALO_TRY_OR(done, halo_agree(dots->world, add_own(dots, add, context, &sums)));
    HALO_TRY_OR(done, halo_alltoallv(dots->world, sums, dots->bytes, &came, dots->bytes + ranks));
    take(dots, came);
done:
    halo_memory_free(sums);
    halo_memory_free(came);
    return status;
}

/* ---- from dots to pixels --------------------------------------------------------------------- */

/* Cells in the dot of this row and column: those at the far edges may have fewer. */
static int64_t cells_of_dot(const app_dots *dots, int64_t row, int64_t column)
{
    return halo_min(dots->reduce, dots->cells[0] - row * dots->reduce) *
           halo_min(dots->reduce, dots->cells[1] - column * dots->reduce);
}

void app_dots_paint(const app_dots *dots, int64_t maximum, unsigned char *pixels)
{
    enum { WHITE = 255, NONE = 255 };
    size_t side = (size_t)dots->enlarge, width = (size_t)dots->columns * side;
    int64_t first = dots->cuts[halo_world_rank(dots->world)];
    const int64_t *sums = dots->sums;
    for (int64_t y = first; y < first + own_rows(dots); y++, pixels += side * width) {
        for (int64_t x = 0; x < dots->columns; x++) {
            int64_t sum = *sums++, cells = cells_of_dot(dots, y, x);
            int64_t grey = sum < 0 ? NONE : sum * WHITE / (cells * maximum);
            memset(pixels + (size_t)x * side, (int)grey, side);
        }
        for (size_t i = 1; i < side; i++) {
            memcpy(pixels + i * width, pixels, width);
        }
    }
}

halo_status app_dots_fill(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const app_dots_drawn *drawn = context;
    const app_dots *dots = drawn->dots;
    size_t width = (size_t)app_dots_width(dots);
    int64_t own = dots->pixel_cuts[halo_world_rank(dots->world)];
    for (int64_t i = 0; i < rows; i++) {
        memcpy((char *)out + (size_t)i * pitch, drawn->pixels + (size_t)(first - own + i) * width,
               width);
    }
    return HALO_OK;
}
