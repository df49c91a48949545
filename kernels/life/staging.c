#include "base/memory.h"
#include "base/minmax.h"
#include "core/world/collect.h"
#include "kernels/life/grid.h"

#include <stdlib.h>
#include <string.h>

/* Rows on their way between blocks and plain rows: every rank sends a chunk of its rows at a time
 * straight to those who want them, so that no more is held than the rows themselves and some
 * chunks.
 */

enum { CHUNK_BYTES = 4 << 20, WORD = 64 };

/* Rows lo to end - 1. */
typedef struct {
    int64_t lo, end;
} row_range;

static int64_t length(row_range s)
{
    return halo_max(0, s.end - s.lo);
}

static row_range meet(row_range a, row_range b)
{
    return (row_range){halo_max(a.lo, b.lo), halo_min(a.end, b.end)};
}

static row_range strip_of(const life_grid *grid, int rank)
{
    return (row_range){grid->blocks->strips[rank], grid->blocks->strips[rank + 1]};
}

static row_range block_of(const life_grid *grid, int rank)
{
    halo_box box = halo_partition_box(&grid->blocks->cells, rank);
    return (row_range){box.lo[HALO_LIFE_ROWS], box.lo[HALO_LIFE_ROWS] + box.n[HALO_LIFE_ROWS]};
}

/* Bytes of this number of cells in a plain row. */
static size_t plain_bytes(const life_grid *grid, int64_t cells)
{
    return (size_t)((cells + WORD - 1) / WORD) * WORD * (size_t)life_grid_cell_bits(grid) / 8;
}

/* Return the offset of a rank's block in plain rows of the grid, and in bytes_of its bytes. */
static size_t offset_of(const life_grid *grid, int rank)
{
    return plain_bytes(grid, halo_partition_box(&grid->blocks->cells, rank).lo[HALO_LIFE_COLUMNS]);
}

static size_t bytes_of(const life_grid *grid, int rank)
{
    return plain_bytes(grid, halo_partition_box(&grid->blocks->cells, rank).n[HALO_LIFE_COLUMNS]);
}

static char *staged_row(const life_grid *grid, int64_t y)
{
    return grid->staging.rows + (size_t)y * life_grid_row_bytes(grid);
}

/* ---- this rank's plain rows ------------------------------------------------------------------ */

static halo_status make_rows(life_grid *grid)
{
    life_staging *staging = &grid->staging;
    row_range mine = strip_of(grid, grid->rank);
    if (staging->rows != NULL) {
        return HALO_OK;
    }
    size_t count = (size_t)length(mine);
    HALO_TRY(HALO_ALLOCATE_LARGE(staging->rows, count * (life_grid_row_bytes(grid) + 1) + 1,
                                 "rows of cells on their way between blocks and files"));
    staging->put = (unsigned char *)staging->rows + count * life_grid_row_bytes(grid);
    return HALO_OK;
}

void life_staging_free(life_grid *grid)
{
    halo_memory_free(grid->staging.rows);
    grid->staging = (life_staging){0};
}

halo_status life_staging_put(life_grid *grid, int64_t y, int64_t rows, const void *data,
                             size_t pitch)
{
    HALO_TRY(make_rows(grid));
    for (int64_t i = 0; i < rows; i++) {
        memcpy(staged_row(grid, y + i), (const char *)data + (size_t)i * pitch,
               life_grid_row_bytes(grid));
        grid->staging.put[y + i] = 1;
        grid->staging.waits = true;
    }
    return HALO_OK;
}

halo_status life_staging_get(const life_grid *grid, int64_t y, int64_t rows, void *out,
                             size_t pitch)
{
    if (!grid->staging.current) {
        return halo_fail(HALO_ARGUMENT, "rows of blocks cannot be read before halo_life_stage has "
                                        "brought them together");
    }
    for (int64_t i = 0; i < rows; i++) {
        char *row = (char *)out + (size_t)i * pitch;
        if (grid->staging.rows != NULL) {
            memcpy(row, staged_row(grid, y + i), life_grid_row_bytes(grid));
        } else {
            memset(row, 0, life_grid_row_bytes(grid));
        }
    }
    return HALO_OK;
}

/* ---- rounds ---------------------------------------------------------------------------------- */

typedef struct {
    halo_world *world;
    life_grid *grid;
    int64_t chunk; /* rows of each rank in a round */
    int64_t rounds;
    size_t *counts_out, *counts_in; /* [ranks] */
    char *out;
    char *line; /* a row of this rank's block, with its ghosts */
    size_t line_bytes;
    halo_status status; /* this rank's first failure */
} routing;

static int64_t max_rows(const life_grid *grid, int ranks)
{
    int64_t rows = 0;
    for (int rank = 0; rank < ranks; rank++) {
        rows = halo_max(rows, length(strip_of(grid, rank)));
        rows = halo_max(rows, length(block_of(grid, rank)));
    }
    return rows;
}

static halo_status begin(routing *r, halo_world *world, life_grid *grid)
{
    int ranks = halo_world_ranks(world);
    size_t row = life_grid_row_bytes(grid) + (size_t)ranks * sizeof(uint64_t);
    *r = (routing){.world = world,
                   .grid = grid,
                   .chunk = CHUNK_BYTES / (int64_t)row + 1,
                   .line_bytes = plain_bytes(grid, grid->engine->span.width)};
    r->chunk = halo_min(r->chunk, halo_max(1, max_rows(grid, ranks)));
    r->rounds = (max_rows(grid, ranks) + r->chunk - 1) / r->chunk;
    HALO_TRY(make_rows(grid));
    HALO_TRY(
        HALO_ALLOCATE_LARGE(r->out, (size_t)r->chunk * row + r->line_bytes, "a chunk of rows"));
    r->line = r->out + (size_t)r->chunk * row;
    HALO_TRY(HALO_ALLOCATE(r->counts_out, 2 * ranks, "the rows of ranks"));
    r->counts_in = r->counts_out + ranks;
    return HALO_OK;
}

static void end(routing *r)
{
    halo_memory_free(r->out);
    free(r->counts_out);
}

static row_range chunk_of(const routing *r, row_range all, int64_t round)
{
    return (row_range){all.lo + round * r->chunk,
                       halo_min(all.end, all.lo + (round + 1) * r->chunk)};
}

static void note(routing *r, halo_status status)
{
    r->status = r->status == HALO_OK ? status : r->status;
}

/* ---- blocks become plain rows ---------------------------------------------------------------- */

/* This rank's cells of a row, without ghosts. */
static void read_block_row(routing *r, int64_t y, char *out)
{
    const life_grid *grid = r->grid;
    const life_engine_span *span = &grid->engine->span;
    int bits = life_grid_cell_bits(grid);
    size_t bytes = bytes_of(grid, grid->rank);
    note(r, life_grid_unpack_rows(grid, y, 1, r->line, r->line_bytes));
    memcpy(out, r->line + plain_bytes(grid, span->first), bytes);
    int64_t rest = span->owned % WORD; /* cells in the last word; ghosts may follow them */
    char *last = out + bytes - plain_bytes(grid, WORD);
    if (rest != 0 && bits == 1) {
        uint64_t word;
        memcpy(&word, last, sizeof word);
        word &= ((uint64_t)1 << rest) - 1;
        memcpy(last, &word, sizeof word);
    } else if (rest != 0) {
        memset(last + rest, 0, (size_t)(WORD - rest));
    }
}

static halo_status gather_round(routing *r, int64_t round)
{
    life_grid *grid = r->grid;
    row_range block = block_of(grid, grid->rank), strip = strip_of(grid, grid->rank);
    row_range mine = chunk_of(r, block, round);
    size_t bytes = bytes_of(grid, grid->rank), pitch = life_grid_row_bytes(grid);
    int ranks = halo_world_ranks(r->world);
    for (int64_t y = mine.lo; y < mine.end; y++) {
        read_block_row(r, y - block.lo, r->out + (size_t)(y - mine.lo) * bytes);
    }
    for (int rank = 0; rank < ranks; rank++) {
        r->counts_out[rank] = (size_t)length(meet(mine, strip_of(grid, rank))) * bytes;
    }
    void *in;
    HALO_TRY(halo_alltoallv(r->world, r->out, r->counts_out, &in, r->counts_in));
    const char *next = in;
    for (int rank = 0; rank < ranks; rank++) {
        row_range came = meet(chunk_of(r, block_of(grid, rank), round), strip);
        size_t size = bytes_of(grid, rank), at = offset_of(grid, rank);
        for (int64_t y = came.lo; y < came.end; y++, next += size) {
            memcpy(grid->staging.rows + (size_t)(y - strip.lo) * pitch + at, next, size);
        }
    }
    halo_memory_free(in);
    return HALO_OK;
}

/* ---- plain rows become blocks ---------------------------------------------------------------- */

/* A part of a row is sent behind a word: 0 if the row was not put on this rank, which the receiver
 * then passes over. */
static size_t write_message(const routing *r, int64_t y, int rank, char *out)
{
    const life_grid *grid = r->grid;
    uint64_t put = grid->staging.put[y];
    size_t bytes = bytes_of(grid, rank);
    memcpy(out, &put, sizeof put);
    memcpy(out + sizeof put, staged_row(grid, y) + offset_of(grid, rank), bytes);
    return sizeof put + bytes;
}

static void read_message(routing *r, int64_t y, const char *in)
{
    uint64_t put;
    memcpy(&put, in, sizeof put);
    if (put != 0) {
        memset(r->line, 0, r->line_bytes);
        memcpy(r->line + plain_bytes(r->grid, r->grid->engine->span.first), in + sizeof put,
               bytes_of(r->grid, r->grid->rank));
        note(r, life_grid_pack_rows(r->grid, y, 1, r->line, r->line_bytes));
    }
}

static halo_status scatter_round(routing *r, int64_t round)
{
    life_grid *grid = r->grid;
    row_range block = block_of(grid, grid->rank), strip = strip_of(grid, grid->rank);
    row_range mine = chunk_of(r, strip, round);
    int ranks = halo_world_ranks(r->world);
    char *end_of_out = r->out;
    for (int rank = 0; rank < ranks; rank++) {
        row_range theirs = meet(mine, block_of(grid, rank));
        char *begun = end_of_out;
        for (int64_t y = theirs.lo; y < theirs.end; y++) {
            end_of_out += write_message(r, y - strip.lo, rank, end_of_out);
        }
        r->counts_out[rank] = (size_t)(end_of_out - begun);
    }
    void *in;
    HALO_TRY(halo_alltoallv(r->world, r->out, r->counts_out, &in, r->counts_in));
    const char *next = in;
    size_t size = sizeof(uint64_t) + bytes_of(grid, grid->rank);
    for (int rank = 0; rank < ranks; rank++) {
        row_range came = meet(chunk_of(r, strip_of(grid, rank), round), block);
        for (int64_t y = came.lo; y < came.end; y++, next += size) {
            read_message(r, y - block.lo, next);
        }
    }
    halo_memory_free(in);
    return HALO_OK;
}

static halo_status run_rounds(halo_life *life, life_grid *grid,
                              halo_status (*round)(routing *r, int64_t round))
{
    routing r;
    halo_status status = halo_agree(life->world, begin(&r, life->world, grid));
    halo_stretch time = halo_clock_begin(life->world);
    for (int64_t i = 0; i < r.rounds && status == HALO_OK; i++) {
        status = round(&r, i);
    }
    halo_clock_end(&life->past_beats.clock, HALO_PHASE_DISTRIBUTE, time, life->world);
    end(&r);
    return status == HALO_OK ? halo_agree(life->world, r.status) : status;
}

/* ---- together -------------------------------------------------------------------------------- */

halo_status life_staging_hand_over(halo_life *life, life_grid *grid)
{
    int64_t waits = grid->staging.waits;
    if (grid->blocks == NULL) {
        return HALO_OK;
    }
    HALO_TRY(halo_allreduce_max(life->world, &waits, 1));
    if (waits != 0) {
        HALO_TRY(run_rounds(life, grid, scatter_round));
        memset(grid->staging.put, 0, (size_t)length(strip_of(grid, grid->rank)));
        grid->staging.waits = false;
    }
    return HALO_OK;
}

halo_status life_staging_bring(halo_life *life, life_grid *grid)
{
    HALO_TRY(life_staging_hand_over(life, grid));
    if (grid->blocks != NULL && !grid->staging.current) {
        HALO_TRY(run_rounds(life, grid, gather_round));
        grid->staging.current = true;
    }
    return HALO_OK;
}

halo_status life_staging_end(halo_life *life, life_grid *grid)
{
    HALO_TRY(life_staging_hand_over(life, grid));
    life_staging_free(grid);
    return HALO_OK;
}
