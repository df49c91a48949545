#include "cli/life/dots.h"

#include "base/memory.h"
#include "core/world/collect.h"

#include <stdlib.h>
#include <string.h>

enum {
    BAND_BYTES = 1 << 20,
    MARGIN = 3,
    CLOSE_COLUMNS = 320, /* a cell is a few pixels on any screen */
    CLOSE_ROWS = 180
};

/* Which dot rows a rank's cells are in. */
typedef struct {
    int64_t first, count;
} dot_rows;

static dot_rows dots_of(const halo_life *life, const halo_picture *picture, int rank)
{
    const int64_t *cuts = halo_life_cuts(life);
    int64_t y = halo_life_size(life).lo[HALO_LIFE_ROWS] + cuts[rank];
    dot_rows rows = {0};
    halo_picture_rows_of(picture, y, cuts[rank + 1] - cuts[rank], &rows.first, &rows.count);
    return rows;
}

/* Bytes of the dot rows that are in `rows` and belong to `rank`. */
static size_t shared_bytes(dot_rows rows, const int64_t *cuts, int rank, int64_t columns,
                           int64_t *first)
{
    int64_t lo = rows.first > cuts[rank] ? rows.first : cuts[rank];
    int64_t end = rows.first + rows.count;
    end = end < cuts[rank + 1] ? end : cuts[rank + 1];
    *first = lo;
    return lo < end ? (size_t)(end - lo) * (size_t)columns * sizeof(int64_t) : 0;
}

/* This rank's cells, a band of rows at a time. */
static halo_status add_cells(halo_world *world, halo_life *life, const halo_picture *picture,
                             int64_t first_dots, int64_t *sums)
{
    int rank = halo_world_rank(world);
    halo_life_box grid = halo_life_size(life);
    const int64_t *cuts = halo_life_cuts(life);
    size_t pitch = halo_life_row_bytes(life);
    int64_t band_rows = BAND_BYTES / (int64_t)pitch + 1;
    void *band;
    HALO_TRY(halo_memory_create(&band, (size_t)band_rows * pitch, "a band of rows"));
    halo_status status = HALO_OK;
    for (int64_t y = cuts[rank]; y < cuts[rank + 1] && status == HALO_OK; y += band_rows) {
        int64_t rows = cuts[rank + 1] - y < band_rows ? cuts[rank + 1] - y : band_rows;
        status = halo_life_get_rows(life, y, rows, band, pitch);
        halo_picture_cells cells = {.x = grid.lo[HALO_LIFE_COLUMNS],
                                    .y = grid.lo[HALO_LIFE_ROWS] + y,
                                    .width = grid.n[HALO_LIFE_COLUMNS],
                                    .rows = rows,
                                    .cells = band,
                                    .pitch = pitch};
        if (status == HALO_OK) {
            halo_picture_add(picture, &cells, first_dots, sums);
        }
    }
    halo_memory_free(band);
    return status;
}

typedef struct {
    size_t *out, *in; /* [ranks] bytes to and from each rank */
    void *mine;       /* this rank's sums, of its own cells */
} letters;

static halo_status write_letters(halo_world *world, halo_life *life, const halo_picture *picture,
                                 const int64_t *cuts, letters *all)
{
    int ranks = halo_world_ranks(world);
    int64_t columns = halo_picture_dots(picture).columns, first;
    dot_rows rows = dots_of(life, picture, halo_world_rank(world));
    all->out = calloc(2 * (size_t)ranks, sizeof *all->out);
    if (all->out == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: the dots of a picture");
    }
    all->in = all->out + ranks;
    for (int r = 0; r < ranks; r++) {
        all->out[r] = shared_bytes(rows, cuts, r, columns, &first);
    }
    size_t bytes = (size_t)rows.count * (size_t)columns * sizeof(int64_t);
    if (bytes == 0) {
        return HALO_OK;
    }
    HALO_TRY(halo_memory_create(&all->mine, bytes, "the dots of a picture"));
    return add_cells(world, life, picture, rows.first, all->mine);
}

static void read_letters(halo_world *world, halo_life *life, const halo_picture *picture,
                         const int64_t *cuts, const int64_t *from, int64_t *sums)
{
    int rank = halo_world_rank(world);
    int64_t columns = halo_picture_dots(picture).columns;
    for (int r = 0; r < halo_world_ranks(world); r++) {
        int64_t first;
        size_t bytes = shared_bytes(dots_of(life, picture, r), cuts, rank, columns, &first);
        size_t count = bytes / sizeof *from;
        for (size_t i = 0; i < count; i++) {
            sums[(size_t)((first - cuts[rank]) * columns) + i] += from[i];
        }
        from += count;
    }
}

halo_status life_dots_collect(halo_world *world, halo_life *life, const halo_picture *picture,
                              const int64_t *cuts, int64_t *sums)
{
    letters all = {0};
    void *came = NULL;
    int rank = halo_world_rank(world);
    int64_t rows = cuts[rank + 1] - cuts[rank];
    halo_status status;
    HALO_TRY_OR(done, halo_agree(world, write_letters(world, life, picture, cuts, &all)));
    HALO_TRY_OR(done, halo_alltoallv(world, all.mine, all.out, &came, all.in));
    if (rows > 0) {
        memset(sums, 0, (size_t)rows * (size_t)halo_picture_dots(picture).columns * sizeof *sums);
        read_letters(world, life, picture, cuts, came, sums);
    }
done:
    halo_memory_free(all.mine);
    halo_memory_free(came);
    free(all.out);
    return status;
}

halo_picture_window life_dots_window(const halo_life_box *grid, const halo_life_edge *edges,
                                     const halo_life_box *live)
{
    int64_t lo[HALO_LIFE_AXES], n[HALO_LIFE_AXES];
    for (int a = 0; a < HALO_LIFE_AXES; a++) {
        bool grows = edges[a] == HALO_LIFE_GROW && live->n[a] > 0;
        lo[a] = grows ? live->lo[a] - MARGIN : grid->lo[a];
        n[a] = grows ? live->n[a] + (int64_t)2 * MARGIN : grid->n[a];
    }
    return (halo_picture_window){.x = lo[HALO_LIFE_COLUMNS],
                                 .y = lo[HALO_LIFE_ROWS],
                                 .width = n[HALO_LIFE_COLUMNS],
                                 .height = n[HALO_LIFE_ROWS]};
}

/* `most` cells around the middle of `first`, but no further out than the window. */
static void narrow(int64_t *lo, int64_t *n, int64_t first_lo, int64_t first_n, int64_t most)
{
    int64_t wide = first_n + first_n / 2, end = *lo + *n;
    most = wide > most ? wide : most;
    if (*n > most) {
        int64_t from = first_lo + first_n / 2 - most / 2;
        from = from < end - most ? from : end - most;
        *lo = from > *lo ? from : *lo;
        *n = most;
    }
}

halo_picture_window life_dots_close_up(const halo_picture_window *window,
                                       const halo_life_edge *edges, const halo_life_box *first)
{
    halo_picture_window close = *window;
    if (edges[HALO_LIFE_COLUMNS] == HALO_LIFE_GROW) {
        narrow(&close.x, &close.width, first->lo[HALO_LIFE_COLUMNS], first->n[HALO_LIFE_COLUMNS],
               CLOSE_COLUMNS);
    }
    if (edges[HALO_LIFE_ROWS] == HALO_LIFE_GROW) {
        narrow(&close.y, &close.height, first->lo[HALO_LIFE_ROWS], first->n[HALO_LIFE_ROWS],
               CLOSE_ROWS);
    }
    return close;
}
