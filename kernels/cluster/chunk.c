#include "kernels/cluster/cluster_chunk.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "core/world/collect.h"
#include "kernels/cluster/engine.h"

enum { CHUNK_ROWS = 64 };

/* Bring each strip the first row of the next one that has any. */
static halo_status bring_after(halo_cluster_chunk *chunk, halo_world *world)
{
    const int64_t *cuts = halo_beat_cuts(chunk->beat);
    int rank = halo_world_rank(world), ranks = halo_world_ranks(world);
    int lower = rank - 1, higher = rank + 1;
    size_t bytes = (size_t)chunk->width * sizeof *chunk->labels;
    while (lower >= 0 && cuts[lower] == cuts[lower + 1]) {
        lower--;
    }
    while (higher < ranks && cuts[higher] == cuts[higher + 1]) {
        higher++;
    }
    bool sends = chunk->rows > 0 && lower >= 0, receives = chunk->rows > 0 && higher < ranks;
    halo_message out = {.rank = lower, .data = chunk->labels, .bytes = bytes};
    halo_message in = {.rank = higher, .data = chunk->after, .bytes = bytes};
    HALO_TRY(halo_agree(world, halo_sendrecv(world, &out, sends, &in, receives)));
    if (!receives) {
        halo_memory_free(chunk->after);
        chunk->after = NULL;
    }
    return HALO_OK;
}

static halo_status create_rows(halo_cluster_chunk *chunk, bool below)
{
    HALO_TRY(HALO_ALLOCATE_LARGE(chunk->labels, (CHUNK_ROWS + 1) * chunk->width, "rows of labels"));
    if (below) {
        HALO_TRY(HALO_ALLOCATE_LARGE(chunk->after, chunk->width, "a row of labels"));
    }
    chunk->count = halo_min(chunk->rows, CHUNK_ROWS + 1);
    return chunk->count > 0 ? halo_cluster_labels(chunk->beat, 0, chunk->count, chunk->labels,
                                                  (size_t)chunk->width)
                            : HALO_OK;
}

halo_status halo_cluster_chunk_create(halo_cluster_chunk *chunk, halo_world *world,
                                      const halo_beat *beat, bool below)
{
    *chunk = (halo_cluster_chunk){.beat = beat,
                                  .width = cluster_job_of(beat)->domain.n[1],
                                  .rows = halo_beat_view(beat, 0)->owned.n[0]};
    HALO_TRY(halo_agree(world, create_rows(chunk, below)));
    return below ? bring_after(chunk, world) : HALO_OK;
}

void halo_cluster_chunk_free(halo_cluster_chunk *chunk)
{
    halo_memory_free(chunk->labels);
    halo_memory_free(chunk->after);
    chunk->labels = chunk->after = NULL;
}

halo_status halo_cluster_chunk_row(halo_cluster_chunk *chunk, int64_t row, const uint16_t **labels,
                                   const uint16_t **below)
{
    int64_t last = halo_min(below != NULL ? row + 1 : row, chunk->rows - 1);
    if (row < chunk->first || last >= chunk->first + chunk->count) {
        chunk->first = row;
        chunk->count = halo_min(chunk->rows - row, CHUNK_ROWS + 1);
        HALO_TRY(halo_cluster_labels(chunk->beat, row, chunk->count, chunk->labels,
                                     (size_t)chunk->width));
    }
    *labels = chunk->labels + (row - chunk->first) * chunk->width;
    if (below != NULL) {
        *below = row + 1 < chunk->rows ? *labels + chunk->width : chunk->after;
    }
    return HALO_OK;
}
