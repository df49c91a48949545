#include "io/array/chunks.h"

#include "base/minmax.h"
#include "core/move/common_parts.h"
#include "core/world/collect.h"
#include "io/array/format.h"
#include "partition/cuts.h"

#include <stdlib.h>
#include <string.h>

static int64_t chunk_of(const halo_chunks *l, int64_t row)
{
    return row / l->rows / l->depth * l->across + row % l->rows / l->height;
}

/* The first row of a chunk, and the one after the last; rows that fill it up do not count. */
static int64_t begin_of(const halo_chunks *l, int64_t chunk)
{
    return chunk / l->across * l->depth * l->rows + chunk % l->across * l->height;
}

static int64_t end_of(const halo_chunks *l, int64_t chunk)
{
    int64_t plane = chunk / l->across * l->depth;
    return l->across > 1 ? halo_min(begin_of(l, chunk) + l->height, (plane + 1) * l->rows)
                         : halo_min(plane + l->depth, l->planes) * l->rows;
}

static int owner_of(const halo_chunks *l, int64_t row)
{
    int rank = 0;
    while (l->cuts[rank + 1] <= row) {
        rank++;
    }
    return rank;
}

/* ---- rows for the owners of chunks ----------------------------------------------------------- */

/* Return the first row of this rank that is in a chunk of its own: rows before it belong to a
 * chunk that another rank writes. */
static int64_t find_begin(const halo_chunks *l)
{
    int64_t lo = l->cuts[l->rank], hi = l->cuts[l->rank + 1];
    if (lo == hi || l->row_bytes == 0) {
        return lo;
    }
    int64_t chunk = chunk_of(l, lo);
    return begin_of(l, chunk) == lo ? lo : halo_min(end_of(l, chunk), hi);
}

/* Return the bytes that other ranks have of the last own chunk. */
static size_t rest_bytes(const halo_chunks *l)
{
    int64_t hi = l->cuts[l->rank + 1];
    return find_begin(l) < hi && l->row_bytes > 0
               ? (size_t)(end_of(l, chunk_of(l, hi - 1)) - hi) * l->row_bytes
               : 0;
}

/* Make rows of a chunk of another rank where that rank wants them. */
static halo_status make_there(const halo_chunks *l, const halo_common_parts *rests,
                              const halo_rows *rows)
{
    int64_t lo = l->cuts[l->rank], count = find_begin(l) - lo;
    if (count == 0) {
        return HALO_OK;
    }
    int owner = owner_of(l, begin_of(l, chunk_of(l, lo)));
    const halo_part *rest;
    HALO_TRY(halo_common_parts_borrow(rests, owner, "its rows of a chunk", &rest));
    size_t before = (size_t)(lo - l->cuts[owner + 1]) * l->row_bytes;
    halo_status status = rows->fill(rows->context, lo, count, rest->origin + before, l->row_bytes);
    halo_common_parts_give_back(rests, owner);
    return status;
}

/* Collective, of threads. */
static halo_status make_rests(halo_chunks *l, halo_world *world, const halo_rows *rows)
{
    halo_common_parts rests;
    halo_status status = halo_memory_create(&l->rest, rest_bytes(l) + 1, "rows of other ranks");
    const halo_part mine = {.origin = l->rest};
    HALO_TRY(halo_common_parts_join(&rests, world, &mine));
    status = halo_agree(world, status);
    if (status == HALO_OK) {
        status = halo_agree(world, make_there(l, &rests, rows));
    }
    halo_common_parts_leave(&rests);
    return status;
}

/* Collective, of processes. */
static halo_status send_rests(halo_chunks *l, halo_world *world, const halo_rows *rows)
{
    size_t *counts = NULL;
    int64_t lo = l->cuts[l->rank], count = find_begin(l) - lo;
    halo_status status = HALO_ALLOCATE(counts, 2 * l->ranks, "rows for other ranks");
    if (status == HALO_OK && count > 0) {
        counts[owner_of(l, begin_of(l, chunk_of(l, lo)))] = (size_t)count * l->row_bytes;
        status = rows->fill(rows->context, lo, count, l->buffer, l->row_bytes);
    }
    status = halo_agree(world, status);
    if (status == HALO_OK) {
        status = halo_agree(world,
                            halo_alltoallv(world, l->buffer, counts, &l->rest, counts + l->ranks));
    }
    free(counts);
    return status;
}

halo_status halo_chunks_exchange(halo_chunks *l, halo_world *world, const halo_rows *rows)
{
    halo_memory_free(l->rest);
    l->rest = NULL;
    return l->ranks > 1 && halo_world_is_process(world) ? make_rests(l, world, rows)
                                                        : send_rests(l, world, rows);
}

/* ---- chunks ---------------------------------------------------------------------------------- */

/* Sets what is known of the array. */
static halo_status begin(halo_chunks *l, const halo_world *world, const halo_npy_header *header,
                         const int64_t *cuts)
{
    halo_buffer checked = {0};
    *l = (halo_chunks){.header = header,
                       .cuts = cuts,
                       .rank = halo_world_rank(world),
                       .ranks = halo_world_ranks(world)};
    halo_status status = halo_npy_begin(&checked, header); /* which knows what sizes there are */
    halo_buffer_free(&checked);
    HALO_TRY(status);
    HALO_TRY(halo_cuts_check(cuts, l->ranks, header->height, "the array"));
    l->planes = halo_array_planes(header);
    l->rows = halo_array_plane_rows(header);
    l->row_bytes = halo_npy_row_bytes(header);
    return HALO_OK;
}

static halo_status set_sizes(halo_chunks *l, int64_t depth, int64_t height)
{
    l->depth = depth;
    l->height = height;
    l->across = halo_max((l->rows + l->height - 1) / l->height, 1);
    l->count = (l->planes + l->depth - 1) / l->depth * l->across;
    l->bytes = (size_t)(l->depth * l->height) * l->row_bytes;
    return halo_memory_create(&l->buffer, l->bytes, "rows on their way into an array's chunks");
}

halo_status halo_chunks_open(halo_chunks *l, const halo_world *world, const halo_npy_header *header,
                             const int64_t *cuts, int64_t bytes, bool deep)
{
    HALO_TRY(begin(l, world, header, cuts));
    int64_t row = halo_max((int64_t)l->row_bytes, 1);
    int64_t depth = halo_min(l->planes, bytes / row / halo_max(l->rows, 1));
    return set_sizes(l, deep ? halo_max(depth, 1) : 1, halo_max(halo_min(l->rows, bytes / row), 1));
}

halo_status halo_chunks_open_as(halo_chunks *l, const halo_world *world,
                                const halo_npy_header *header, const int64_t *cuts, int64_t depth,
                                int64_t height)
{
    HALO_TRY(begin(l, world, header, cuts));
    return set_sizes(l, depth, depth > 1 ? halo_max(l->rows, 1) : height);
}

void halo_chunks_close(halo_chunks *l)
{
    halo_memory_free(l->rest);
    halo_memory_free(l->buffer);
    l->rest = l->buffer = NULL;
}

halo_status halo_chunks_each(const halo_chunks *l, const halo_rows *rows, halo_chunks_put *put,
                             void *context)
{
    int64_t lo = l->cuts[l->rank], hi = l->cuts[l->rank + 1];
    unsigned char *buffer = l->buffer;
    for (int64_t at = find_begin(l), end; at < hi && l->row_bytes > 0; at = end) {
        int64_t chunk = chunk_of(l, at);
        end = end_of(l, chunk);
        int64_t own = halo_min(end, hi) - at;
        size_t bytes = (size_t)own * l->row_bytes, whole = (size_t)(end - at) * l->row_bytes;
        HALO_TRY(rows->fill(rows->context, at, own, buffer, l->row_bytes));
        if (whole > bytes) {
            memcpy(buffer + bytes, l->rest, whole - bytes);
        }
        memset(buffer + whole, 0, l->bytes - whole);
        HALO_TRY(put(context, chunk, buffer, whole));
        if (rows->progress != NULL) {
            rows->progress(rows->context, at + own - lo, hi - lo);
        }
    }
    return HALO_OK;
}
