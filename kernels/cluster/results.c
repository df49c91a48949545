#include "base/memory.h"
#include "kernels/cluster/state.h"

#include <stdlib.h>
#include <string.h>

/* Results of a run: labels and records, of clusters or of superpixels. */

halo_status halo_cluster_labels(const halo_beat *beat, int64_t first, int64_t rows, uint16_t *out,
                                size_t pitch)
{
    cluster_state *state = halo_beat_state(beat);
    const cluster_shown *shown = &state->shown;
    if (shown->clusters == 0) {
        return state->engine->labels(state->finds, &state->job, halo_beat_view(beat, 0), first,
                                     rows, out, pitch);
    }
    for (int64_t y = 0; y < rows; y++) {
        memcpy(out + (size_t)y * pitch, shown->labels + (first + y) * shown->width,
               (size_t)shown->width * sizeof *out);
    }
    return HALO_OK;
}

const cluster_job *cluster_job_of(const halo_beat *beat)
{
    const cluster_state *state = halo_beat_state(beat);
    return &state->job;
}

const halo_cluster_record *halo_cluster_records(const halo_beat *beat)
{
    const cluster_state *state = halo_beat_state(beat);
    return state->records;
}

const halo_cluster_record *halo_cluster_records_before(const halo_beat *beat)
{
    const cluster_state *state = halo_beat_state(beat);
    return state->job.begun ? state->records_before : NULL;
}

int64_t halo_cluster_shown(const halo_beat *beat, const halo_cluster_record **records)
{
    const cluster_state *state = halo_beat_state(beat);
    bool connected = state->shown.clusters > 0;
    *records = connected ? state->shown.records : state->records;
    return connected ? state->shown.clusters : state->job.clusters;
}

void cluster_show(halo_beat *beat, cluster_shown *shown)
{
    cluster_state *state = halo_beat_state(beat);
    cluster_shown_free(&state->shown);
    state->shown = *shown;
    *shown = (cluster_shown){0};
}

void cluster_shown_free(cluster_shown *shown)
{
    halo_memory_free(shown->labels);
    free(shown->records);
    free(shown->sums);
    *shown = (cluster_shown){0};
}

const char *halo_cluster_engine_name(const halo_beat *beat)
{
    const cluster_state *state = halo_beat_state(beat);
    return state->engine->name;
}

const char *halo_cluster_instructions(const halo_beat *beat)
{
    const cluster_state *state = halo_beat_state(beat);
    return halo_isa_name(state->job.variant->isa);
}
