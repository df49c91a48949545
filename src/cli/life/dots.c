#include "base/memory.h"
#include "base/minmax.h"
#include "cli/life/job.h"
#include "core/world/collect.h"

#include <stdlib.h>
#include <string.h>

enum { BAND_BYTES = 1 << 20 };

/* ---- who has which ones ---------------------------------------------------------------------- */

static halo_status create(life_dots *dots, const app_run *run, const halo_picture_options *options,
                          bool shared)
{
    int ranks = halo_world_ranks(run->world), rank = halo_world_rank(run->world);
    void *sums;
    HALO_TRY(halo_picture_create(&dots->picture, options));
    halo_picture_size size = halo_picture_dots(dots->picture);
    int64_t pixels = halo_picture_pixels(dots->picture).rows / size.rows;
    dots->cuts = calloc(2 * ((size_t)ranks + 1), sizeof *dots->cuts);
    if (dots->cuts == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: the rows of a picture");
    }
    dots->pixel_cuts = dots->cuts + ranks + 1;
    for (int r = 1; r <= ranks; r++) {
        int64_t even = size.rows / ranks * r + size.rows % ranks * r / ranks;
        dots->cuts[r] = shared ? even : size.rows;
        dots->pixel_cuts[r] = dots->cuts[r] * pixels;
    }
    HALO_TRY(halo_memory_create(&sums,
                                (size_t)(dots->cuts[rank + 1] - dots->cuts[rank]) *
                                    (size_t)size.columns * sizeof(int64_t),
                                "the dots of a picture (--scale 1/N makes it smaller)"));
    dots->sums = sums;
    return HALO_OK;
}

halo_status life_dots_create(life_dots *dots, app_run *run, const halo_picture_options *options,
                             bool shared)
{
    *dots = (life_dots){0};
    return halo_agree(run->world, create(dots, run, options, shared));
}

void life_dots_destroy(life_dots *dots)
{
    halo_picture_destroy(&dots->picture);
    halo_memory_free(dots->sums);
    free(dots->cuts);
    *dots = (life_dots){0};
}

/* ---- from cells to dots ---------------------------------------------------------------------- */

/* What is sent to find the sums. */
typedef struct {
    const life_dots *dots;
    const app_run *run;
    halo_life *life;
    int64_t columns;
    size_t *out, *in; /* [ranks] bytes to and from each rank */
    int64_t *mine;    /* this rank's sums, of its own cells */
} message;

/* Which dot rows a rank's cells are in. */
typedef struct {
    int64_t first, count;
} dot_rows;

static dot_rows rows_of(const message *m, int rank)
{
    const int64_t *cuts = halo_life_cuts(m->life);
    int64_t y = halo_life_size(m->life).lo[HALO_LIFE_ROWS] + cuts[rank];
    dot_rows rows = {0};
    halo_picture_rows_of(m->dots->picture, y, cuts[rank + 1] - cuts[rank], &rows.first,
                         &rows.count);
    return rows;
}

/* Sums of the dot rows that are in `rows` and belong to `rank`. */
static size_t count_shared(const message *m, dot_rows rows, int rank, int64_t *first)
{
    const int64_t *cuts = m->dots->cuts;
    int64_t end = halo_min(rows.first + rows.count, cuts[rank + 1]);
    *first = halo_max(rows.first, cuts[rank]);
    return (size_t)(halo_max(0, end - *first) * m->columns);
}

/* This rank's cells, a band of rows at a time. */
static halo_status add_cells(const message *m, int64_t first)
{
    int rank = halo_world_rank(m->run->world);
    halo_life_box grid = halo_life_size(m->life);
    const int64_t *cuts = halo_life_cuts(m->life);
    size_t pitch = halo_life_row_bytes(m->life);
    int64_t band_rows = BAND_BYTES / (int64_t)pitch + 1;
    void *band;
    HALO_TRY(halo_memory_create(&band, (size_t)band_rows * pitch, "a band of rows"));
    halo_status status = HALO_OK;
    for (int64_t y = cuts[rank]; y < cuts[rank + 1] && status == HALO_OK; y += band_rows) {
        int64_t rows = halo_min(cuts[rank + 1] - y, band_rows);
        const halo_picture_cells cells = {.x = grid.lo[HALO_LIFE_COLUMNS],
                                          .y = grid.lo[HALO_LIFE_ROWS] + y,
                                          .width = grid.n[HALO_LIFE_COLUMNS],
                                          .rows = rows,
                                          .cells = band,
                                          .pitch = pitch};
        status = halo_life_get_rows(m->life, y, rows, band, pitch);
        if (status == HALO_OK) {
            halo_picture_add(m->dots->picture, &cells, first, m->mine);
        }
    }
    halo_memory_free(band);
    return status;
}

static halo_status write_message(message *m)
{
    int ranks = halo_world_ranks(m->run->world);
    dot_rows rows = rows_of(m, halo_world_rank(m->run->world));
    void *mine;
    int64_t first;
    m->out = calloc(2 * (size_t)ranks, sizeof *m->out);
    if (m->out == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: the dots of a picture");
    }
    m->in = m->out + ranks;
    for (int r = 0; r < ranks; r++) {
        m->out[r] = count_shared(m, rows, r, &first) * sizeof *m->mine;
    }
    if (rows.count == 0) {
        return HALO_OK;
    }
    HALO_TRY(halo_memory_create(&mine, (size_t)(rows.count * m->columns) * sizeof *m->mine,
                                "the dots of a picture"));
    m->mine = mine;
    return add_cells(m, rows.first);
}

static void read_message(const message *m, const int64_t *from)
{
    int rank = halo_world_rank(m->run->world);
    const int64_t *cuts = m->dots->cuts;
    int64_t *sums = m->dots->sums;
    memset(sums, 0, (size_t)((cuts[rank + 1] - cuts[rank]) * m->columns) * sizeof *sums);
    for (int r = 0; r < halo_world_ranks(m->run->world); r++) {
        int64_t first;
        size_t count = count_shared(m, rows_of(m, r), rank, &first);
        for (size_t i = 0; i < count; i++) {
            sums[(size_t)((first - cuts[rank]) * m->columns) + i] += from[i];
        }
        from += count;
    }
}

halo_status life_dots_collect(life_dots *dots, app_run *run)
{
    message m = {.dots = dots,
                 .run = run,
                 .life = ((life_job *)run->job)->life,
                 .columns = halo_picture_dots(dots->picture).columns};
    void *came = NULL;
    halo_status status;
    HALO_TRY_OR(done, halo_agree(run->world, write_message(&m)));
    HALO_TRY_OR(done, halo_alltoallv(run->world, m.mine, m.out, &came, m.in));
    read_message(&m, came);
done:
    halo_memory_free(m.mine);
    halo_memory_free(came);
    free(m.out);
    return status;
}
