#include "cli/motion/checkpoint.h"

#include "core/world/collect.h"

#include <stdlib.h>
#include <string.h>

static const char kernel_name[] = "motion";

static const char *flow_name(const halo_motion_options *options)
{
    return options->flow != NULL ? options->flow : "fine";
}

/* As checkpoints have it: 0 is the default, less is none at all. */
static double saved_weight(const halo_motion_options *options)
{
    return options->place_only ? -1 : options->weight;
}

/* ---- the options ------------------------------------------------------------------------------
 */

static char *options_text(const cli_motion_job *job)
{
    const halo_motion_options *options = &job->options;
    json_t *json = json_pack("{s:i, s:i, s:b, s:f, s:s, s:I, s:o}", "clusters", options->clusters,
                             "radius", options->radius, "still", (int)options->still, "weight",
                             saved_weight(options), "flow", flow_name(options), "first_frame",
                             (json_int_t)job->frames.first, "frame", cli_image_sign(&job->image));
    char *text = json != NULL ? json_dumps(json, JSON_COMPACT) : NULL;
    json_decref(json);
    return text;
}

/* What a checkpoint has; its strings are the JSON's. */
typedef struct {
    int clusters, radius, still;
    double weight;
    const char *flow;
    json_int_t first;
} saved_options;

static const char *find_flow(const char *name)
{
    static const char *const flows[] = {
#define FLOW_ENTRY(flow, help) #flow,
        HALO_MOTION_FLOW_LIST(FLOW_ENTRY)
#undef FLOW_ENTRY
    };
    for (size_t i = 0; i < sizeof flows / sizeof flows[0]; i++) {
        if (strcmp(name, flows[i]) == 0) {
            return flows[i];
        }
    }
    return NULL;
}

static bool unpack(const cli_motion_job *job, const halo_checkpoint *info, saved_options *saved)
{
    return json_unpack(job->saved, "{s:i, s:i, s:b, s:F, s:s, s:I}", "clusters", &saved->clusters,
                       "radius", &saved->radius, "still", &saved->still, "weight", &saved->weight,
                       "flow", &saved->flow, "first_frame", &saved->first) == 0 &&
           find_flow(saved->flow) != NULL && saved->clusters == info->rows &&
           info->row_bytes == sizeof(halo_motion_centre) && saved->first >= 0 && info->beat > 0;
}

static halo_status contradiction(const cli_motion_job *job, const char *option)
{
    return halo_fail(HALO_ARGUMENT,
                     "the sequence of \"%s\" has another --%s; leave it out, as the checkpoint has "
                     "it",
                     job->arguments->saving.restore, option);
}

/* What is asked for besides must be the same. */
static halo_status take_options(cli_motion_job *job, const saved_options *saved)
{
    halo_motion_options *options = &job->options;
    if (options->clusters != 0 && options->clusters != saved->clusters) {
        return contradiction(job, "clusters");
    }
    if (app_given(job->given, &job->arguments->radius) &&
        (options->radius != saved->radius || options->still != (saved->still != 0))) {
        return contradiction(job, "radius");
    }
    if (app_given(job->given, &job->arguments->motion.weight) &&
        saved_weight(options) != saved->weight) {
        return contradiction(job, "weight");
    }
    if (options->flow != NULL && strcmp(options->flow, saved->flow) != 0) {
        return contradiction(job, "flow");
    }
    options->clusters = saved->clusters;
    options->radius = saved->radius;
    options->still = saved->still != 0;
    options->place_only = saved->weight < 0;
    options->weight = options->place_only ? 0 : saved->weight;
    options->flow = find_flow(saved->flow);
    return HALO_OK;
}

/* ---- reading ----------------------------------------------------------------------------------
 */

/* Local. */
static halo_status read_options(cli_motion_job *job, int64_t *pairs, int64_t *first)
{
    const halo_checkpoint *info = halo_checkpoint_info(job->reader);
    const char *path = job->arguments->saving.restore;
    saved_options saved;
    if (strcmp(info->kernel, kernel_name) != 0) {
        return halo_fail(HALO_FORMAT,
                         "\"%s\" is a checkpoint of `halobeat %s`, not of `halobeat motion`", path,
                         info->kernel);
    }
    job->saved = json_loads(info->options, 0, NULL);
    if (!unpack(job, info, &saved)) {
        return halo_fail(HALO_FORMAT,
                         "\"%s\" is a checkpoint whose options make no sense here: %.200s", path,
                         info->options);
    }
    HALO_TRY(take_options(job, &saved));
    *pairs = info->beat;
    *first = saved.first;
    job->centres = calloc((size_t)saved.clusters, sizeof *job->centres);
    return job->centres != NULL ? HALO_OK
                                : halo_fail(HALO_MEMORY, "out of memory: centres of clusters");
}

halo_status motion_checkpoint_open(cli_motion_job *job, int64_t *pairs, int64_t *first)
{
    *pairs = 0;
    *first = -1;
    if (job->arguments->saving.restore == NULL) {
        return HALO_OK;
    }
    HALO_TRY(halo_checkpoint_open(&job->reader, job->world, job->arguments->saving.restore));
    return halo_agree(job->world, read_options(job, pairs, first));
}

/* All rows are rank 0's: what they hold is on all ranks anyway. */
static halo_status make_cuts(const cli_motion_job *job, int64_t **cuts)
{
    int ranks = halo_world_ranks(job->world);
    *cuts = calloc((size_t)ranks + 1, sizeof **cuts);
    for (int r = 1; *cuts != NULL && r <= ranks; r++) {
        (*cuts)[r] = job->options.clusters;
    }
    return halo_agree(job->world, *cuts != NULL
                                      ? HALO_OK
                                      : halo_fail(HALO_MEMORY, "out of memory: a checkpoint"));
}

static halo_status take_rows(void *context, int64_t first, int64_t rows, const void *data,
                             size_t pitch)
{
    halo_motion_centre *centres = context;
    for (int64_t i = 0; i < rows; i++) {
        memcpy(&centres[first + i], (const char *)data + (size_t)i * pitch, sizeof *centres);
    }
    return HALO_OK;
}

halo_status motion_checkpoint_restore(cli_motion_job *job)
{
    if (job->reader == NULL) {
        return HALO_OK;
    }
    int64_t *cuts = NULL, pairs = halo_checkpoint_info(job->reader)->beat;
    halo_status status = make_cuts(job, &cuts);
    HALO_TRY_OR(done, status);
    HALO_TRY_OR(done, halo_checkpoint_read(job->reader, cuts, take_rows, job->centres));
    HALO_TRY_OR(done, halo_bcast(job->world, job->centres,
                                 (size_t)job->options.clusters * sizeof *job->centres, 0));
    status = halo_motion_restore(job->motion, job->centres, pairs);
done:
    free(cuts);
    return status;
}

halo_status motion_checkpoint_check_frame(const cli_motion_job *job)
{
    return job->reader == NULL ? HALO_OK
                               : cli_image_check(&job->image, json_object_get(job->saved, "frame"),
                                                 job->arguments->saving.restore);
}

/* ---- writing ----------------------------------------------------------------------------------
 */

static halo_status fill_rows(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const halo_motion_centre *centres = context;
    for (int64_t i = 0; i < rows; i++) {
        memcpy((char *)out + (size_t)i * pitch, &centres[first + i], sizeof *centres);
    }
    return HALO_OK;
}

halo_status motion_checkpoint_write(cli_motion_job *job)
{
    const halo_motion_centre *centres = halo_motion_centres(job->motion);
    if (centres == NULL) {
        return HALO_OK;
    }
    int64_t *cuts = NULL;
    char *text = options_text(job);
    halo_status status =
        text != NULL ? HALO_OK : halo_fail(HALO_MEMORY, "out of memory: a checkpoint's text");
    HALO_TRY_OR(done, halo_agree(job->world, status));
    HALO_TRY_OR(done, make_cuts(job, &cuts));
    const halo_checkpoint what = {.kernel = kernel_name,
                                  .options = text,
                                  .beat = cli_motion_pairs(job),
                                  .rows = job->options.clusters,
                                  .row_bytes = sizeof *centres};
    const halo_rows rows = {.fill = fill_rows, .context = (void *)centres};
    status =
        halo_checkpoint_write(job->world, job->arguments->saving.checkpoint, &what, cuts, &rows);
done:
    free(cuts);
    free(text);
    return status;
}
