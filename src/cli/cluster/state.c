#include "cli/cluster/job.h"
#include "core/world/collect.h"

#include <stdlib.h>

/* Checkpoints of clusters: a row for each cluster. */
typedef struct {
    halo_cluster_record now, before; /* the labels are those of the centres before */
} saved_row;

static bool check_saved(app_run *run, const halo_checkpoint *info, const json_t *saved)
{
    int64_t clusters = json_integer_value(json_object_get(saved, "clusters"));
    run->changed = json_integer_value(json_object_get(saved, "changed"));
    return clusters >= 1 && clusters <= HALO_CLUSTER_MAX && clusters == info->rows &&
           info->row_bytes == sizeof(saved_row);
}

/* Number and change go first, as in all checkpoints of this command before. */
static bool keep(app_run *run, json_t *saved)
{
    json_t *all = json_pack("{s:O?, s:I}", "clusters", json_object_get(saved, "clusters"),
                            "changed", (json_int_t)run->changed);
    bool good = all != NULL && json_object_update(all, saved) == 0 &&
                json_object_clear(saved) == 0 && json_object_update(saved, all) == 0;
    json_decref(all);
    return good;
}

static void get_records(saved_row *rows, int64_t clusters, const halo_beat *beat)
{
    const halo_cluster_record *now = halo_cluster_records(beat);
    const halo_cluster_record *before = halo_cluster_records_before(beat);
    for (int64_t k = 0; k < clusters; k++) {
        rows[k].now = now[k];
        rows[k].before = before != NULL ? before[k] : (halo_cluster_record){0};
    }
}

static halo_status put_records(const saved_row *rows, int64_t clusters, halo_beat *beat)
{
    halo_cluster_record *now = malloc(2 * (size_t)clusters * sizeof *now);
    halo_cluster_record *before = now + clusters;
    if (now == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: records of clusters");
    }
    for (int64_t k = 0; k < clusters; k++) {
        now[k] = rows[k].now;
        before[k] = rows[k].before;
    }
    halo_status status = halo_cluster_restore(beat, before, now);
    free(now);
    return status;
}

static halo_status layout(app_run *run, app_layout *rows, bool reads)
{
    const cluster_job *job = run->job;
    *rows = (app_layout){.rows = job->options.clusters, .row_bytes = sizeof(saved_row)};
    rows->records = calloc((size_t)rows->rows, rows->row_bytes);
    if (rows->records != NULL && !reads) {
        get_records(rows->records, rows->rows, run->beat);
    }
    return halo_agree(run->world,
                      rows->records != NULL
                          ? HALO_OK
                          : halo_fail(HALO_MEMORY, "out of memory: records of clusters"));
}

/* Before the first beat, there are no records of a beat before. */
static halo_status recall(app_run *run, app_layout *rows)
{
    return run->first_beat > 0
               ? halo_agree(run->world, put_records(rows->records, rows->rows, run->beat))
               : cluster_fill(run);
}

static void release(app_run *run, app_layout *rows)
{
    (void)run;
    free(rows->records);
}

const app_state cluster_state = {.image = "image",
                                 .check = check_saved,
                                 .keep = keep,
                                 .layout = layout,
                                 .recall = recall,
                                 .release = release};
