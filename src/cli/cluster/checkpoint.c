#include "cli/cluster/checkpoint.h"

#include "core/world/collect.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A row of the file. */
typedef struct {
    halo_cluster_record now, before; /* the labels are those of the centres before */
} saved_row;

/* ---- what it is of -----------------------------------------------------------------------------
 */

static bool read_state(cluster_checkpoint *saved, const halo_checkpoint *info)
{
    const json_t *clusters = json_object_get(saved->json, "clusters");
    const json_t *weight = json_object_get(saved->json, "weight");
    saved->beat = info->beat;
    saved->clusters = json_integer_value(clusters);
    saved->image = json_incref(json_object_get(saved->json, "image"));
    saved->changed = json_integer_value(json_object_get(saved->json, "changed"));
    return json_number_value(weight) >= 0 && saved->clusters >= 1 &&
           saved->clusters <= HALO_CLUSTER_MAX && saved->clusters == info->rows &&
           info->row_bytes == sizeof(saved_row) && saved->beat <= INT64_MAX / 4;
}

/* ---- opening -----------------------------------------------------------------------------------
 */

static halo_status check_kernel(const halo_checkpoint *info, const char *path)
{
    return strcmp(info->kernel, "cluster") == 0
               ? HALO_OK
               : halo_fail(HALO_FORMAT,
                           "\"%s\" is a checkpoint of `halobeat %s`, and cannot be restored by "
                           "`halobeat cluster`",
                           path, info->kernel);
}

halo_status cluster_checkpoint_open(cluster_checkpoint *saved, halo_world *world,
                                    app_options *given, const cluster_arguments *arguments)
{
    *saved = (cluster_checkpoint){.changed = -1};
    if (arguments->saving.restore == NULL) {
        return HALO_OK;
    }
    HALO_TRY(halo_checkpoint_open(&saved->reader, world, arguments->saving.restore));
    const halo_checkpoint *info = halo_checkpoint_info(saved->reader);
    HALO_TRY(halo_agree(world, check_kernel(info, arguments->saving.restore)));
    saved->json = json_loads(info->options, 0, NULL);
    bool good = read_state(saved, info);
    HALO_TRY(halo_agree(world, good ? HALO_OK
                                    : halo_fail(HALO_FORMAT,
                                                "\"%s\" is a checkpoint of another version of "
                                                "`halobeat cluster`: %.200s",
                                                arguments->saving.restore, info->options)));
    return app_options_restore(given, saved->json, arguments->saving.restore);
}

void cluster_checkpoint_close(cluster_checkpoint *saved)
{
    halo_checkpoint_close(&saved->reader);
    json_decref(saved->image);
    json_decref(saved->json);
    saved->image = saved->json = NULL;
}

/* ---- records -----------------------------------------------------------------------------------
 */

/* Rank 0 has all rows. */
static int64_t *make_cuts(halo_world *world, int64_t rows)
{
    int ranks = halo_world_ranks(world);
    int64_t *cuts = malloc(((size_t)ranks + 1) * sizeof *cuts);
    for (int r = 0; cuts != NULL && r <= ranks; r++) {
        cuts[r] = r == 0 ? 0 : rows;
    }
    return cuts;
}

static halo_status create_room(halo_world *world, int64_t clusters, saved_row **rows,
                               int64_t **cuts)
{
    *rows = calloc((size_t)clusters, sizeof **rows);
    *cuts = make_cuts(world, clusters);
    return halo_agree(world, *rows != NULL && *cuts != NULL
                                 ? HALO_OK
                                 : halo_fail(HALO_MEMORY, "out of memory: records of clusters"));
}

static halo_status take(void *context, int64_t first, int64_t rows, const void *data, size_t pitch)
{
    saved_row *into = context;
    for (int64_t i = 0; i < rows; i++) {
        memcpy(&into[first + i], (const char *)data + (size_t)i * pitch, sizeof *into);
    }
    return HALO_OK;
}

static halo_status fill(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const saved_row *from = context;
    for (int64_t i = 0; i < rows; i++) {
        memcpy((char *)out + (size_t)i * pitch, &from[first + i], sizeof *from);
    }
    return HALO_OK;
}

static halo_status put(const saved_row *rows, int64_t clusters, halo_beat *beat)
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

static void get(saved_row *rows, int64_t clusters, const halo_beat *beat)
{
    const halo_cluster_record *now = halo_cluster_records(beat);
    const halo_cluster_record *before = halo_cluster_records_before(beat);
    for (int64_t k = 0; k < clusters; k++) {
        rows[k].now = now[k];
        rows[k].before = before != NULL ? before[k] : (halo_cluster_record){0};
    }
}

halo_status cluster_checkpoint_restore(cluster_checkpoint *saved, halo_world *world,
                                       halo_beat *beat, halo_clock *clock)
{
    saved_row *rows = NULL;
    int64_t *cuts = NULL;
    halo_status status = create_room(world, saved->clusters, &rows, &cuts);
    HALO_TRY_OR(done, status);
    halo_stretch stretch = halo_clock_begin(world);
    status = halo_checkpoint_read(saved->reader, cuts, take, rows);
    halo_clock_end(clock, HALO_PHASE_DECODE, stretch, world);
    HALO_TRY_OR(done, status);
    HALO_TRY_OR(done, halo_bcast(world, rows, (size_t)saved->clusters * sizeof *rows, 0));
    status = halo_agree(world, put(rows, saved->clusters, beat));
done:
    free(rows);
    free(cuts);
    return status;
}

static char *make_text(const cluster_checkpoint *what, const app_options *given)
{
    json_t *json = json_pack("{s:n, s:I}", "clusters", "changed", (json_int_t)what->changed);
    bool good = json != NULL && app_options_save(given, json) &&
                json_object_set(json, "image", what->image) == 0;
    char *text = good ? json_dumps(json, JSON_COMPACT) : NULL;
    json_decref(json);
    return text;
}

halo_status cluster_checkpoint_write(const cluster_checkpoint *what, halo_world *world,
                                     const app_options *given, const char *path,
                                     const halo_beat *beat, halo_clock *clock)
{
    saved_row *rows = NULL;
    int64_t *cuts = NULL;
    char *text = make_text(what, given);
    halo_status status =
        text != NULL ? HALO_OK : halo_fail(HALO_MEMORY, "out of memory: a checkpoint's text");
    HALO_TRY_OR(done, halo_agree(world, status));
    HALO_TRY_OR(done, create_room(world, what->clusters, &rows, &cuts));
    get(rows, what->clusters, beat);
    halo_checkpoint checkpoint = {.kernel = "cluster",
                                  .options = text,
                                  .beat = what->beat,
                                  .rows = what->clusters,
                                  .row_bytes = sizeof *rows};
    halo_rows from = {.fill = fill, .context = rows};
    halo_stretch stretch = halo_clock_begin(world);
    status = halo_checkpoint_write(world, path, &checkpoint, cuts, &from);
    halo_clock_end(clock, HALO_PHASE_ENCODE, stretch, world);
done:
    free(rows);
    free(cuts);
    free(text);
    return status;
}
