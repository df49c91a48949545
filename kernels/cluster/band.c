#include "kernels/cluster/cluster_band.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "core/world/collect.h"
#include "kernels/cluster/engine.h"

enum { BAND_ROWS = 64 };

/* Bring each strip the first row of the next one that has any. */
static halo_status bring_after(halo_cluster_band *band, halo_world *world)
{
    const int64_t *cuts = halo_beat_cuts(band->beat);
    int rank = halo_world_rank(world), ranks = halo_world_ranks(world);
    int lower = rank - 1, higher = rank + 1;
    size_t bytes = (size_t)band->width * sizeof *band->labels;
    while (lower >= 0 && cuts[lower] == cuts[lower + 1]) {
        lower--;
    }
    while (higher < ranks && cuts[higher] == cuts[higher + 1]) {
        higher++;
    }
    bool sends = band->rows > 0 && lower >= 0, receives = band->rows > 0 && higher < ranks;
    halo_message out = {.rank = lower, .data = band->labels, .bytes = bytes};
    halo_message in = {.rank = higher, .data = band->after, .bytes = bytes};
    HALO_TRY(halo_sendrecv(world, &out, sends ? 1 : 0, &in, receives ? 1 : 0));
    if (!receives) {
        halo_memory_free(band->after);
        band->after = NULL;
    }
    return HALO_OK;
}

static halo_status create_rows(halo_cluster_band *band, bool below)
{
    size_t row = (size_t)band->width * sizeof *band->labels;
    void *labels, *after = NULL;
    HALO_TRY(halo_memory_create(&labels, (BAND_ROWS + 1) * row, "rows of labels"));
    band->labels = labels;
    if (below) {
        HALO_TRY(halo_memory_create(&after, row, "a row of labels"));
    }
    band->after = after;
    band->count = halo_min(band->rows, BAND_ROWS + 1);
    return band->count > 0
               ? halo_cluster_labels(band->beat, 0, band->count, band->labels, (size_t)band->width)
               : HALO_OK;
}

halo_status halo_cluster_band_create(halo_cluster_band *band, halo_world *world,
                                     const halo_beat *beat, bool below)
{
    *band = (halo_cluster_band){.beat = beat,
                                .width = cluster_job_of(beat)->domain.n[1],
                                .rows = halo_beat_view(beat, 0)->owned.n[0]};
    HALO_TRY(halo_agree(world, create_rows(band, below)));
    return below ? bring_after(band, world) : HALO_OK;
}

void halo_cluster_band_free(halo_cluster_band *band)
{
    halo_memory_free(band->labels);
    halo_memory_free(band->after);
    band->labels = band->after = NULL;
}

halo_status halo_cluster_band_row(halo_cluster_band *band, int64_t row, const uint16_t **labels,
                                  const uint16_t **below)
{
    int64_t last = halo_min(below != NULL ? row + 1 : row, band->rows - 1);
    if (row < band->first || last >= band->first + band->count) {
        band->first = row;
        band->count = halo_min(band->rows - row, BAND_ROWS + 1);
        HALO_TRY(
            halo_cluster_labels(band->beat, row, band->count, band->labels, (size_t)band->width));
    }
    *labels = band->labels + (row - band->first) * band->width;
    if (below != NULL) {
        *below = row + 1 < band->rows ? *labels + band->width : band->after;
    }
    return HALO_OK;
}
