#include "app/image/image.h"
#include "base/memory.h"
#include "cli/label/job.h"
#include "core/world/collect.h"
#include "kernels/label/measure/part_rows.h"

#include <stdlib.h>

/* What measures need of pixels that are read once more, after labelling. */

/* ---- samples --------------------------------------------------------------------------------- */

/* What takes the rows of a pass, each or NULL. */
typedef struct {
    halo_label_intensities *intensities;
    halo_label_moments *moments;
    halo_label_medians *medians;
    bool part;     /* samples are in memory, where they were labelled */
    int64_t *cuts; /* otherwise, of the first axis */
} sample_takers;

static bool is_wide(const app_run *run)
{
    return label_sample_type(run) != HALO_LABEL_ALIKE;
}

/* Greys have 1, 8 or 16 bits; those of 1 are taken as bytes. */
static halo_sample_type type_of(const app_run *run)
{
    enum { BYTE = 8 };
    halo_sample_type values = label_value_type(run);
    return values != HALO_LABEL_ALIKE      ? values
           : is_wide(run)                  ? label_sample_type(run)
           : run->image->cell_bits <= BYTE ? HALO_SAMPLE_U8
                                           : HALO_SAMPLE_U16;
}

int64_t label_sampled_bytes(const app_run *run)
{
    halo_sample_type type = type_of(run);
    bool intensities = is_wide(run) && label_needs(run, LABEL_ONLY_GREYS);
    return (intensities ? halo_label_intensity_bytes(type) : 0) +
           (label_needs(run, LABEL_BY_MOMENTS) ? halo_label_moments_bytes(type) : 0) +
           (label_needs(run, LABEL_BY_MEDIANS) ? halo_label_medians_bytes() : 0);
}

static halo_status take_rows(void *context, int64_t first, int64_t rows, const void *data,
                             size_t pitch)
{
    const sample_takers *to = context;
    if (to->intensities != NULL) {
        HALO_TRY(halo_label_intensities_take(to->intensities, first, rows, data, pitch));
    }
    if (to->moments != NULL) {
        HALO_TRY(halo_label_moments_take(to->moments, first, rows, data, pitch));
    }
    return to->medians != NULL ? halo_label_medians_take(to->medians, first, rows, data, pitch)
                               : HALO_OK;
}

/* Collective. A pass over all samples. */
static halo_status take_samples(app_run *run, sample_takers *to)
{
    const label_job *job = run->job;
    return to->part
               ? halo_agree(run->world, halo_label_part_rows(halo_field_view(job->grey),
                                                             run->image->cell_bits, take_rows, to))
               : label_take_samples(run, to->cuts, take_rows, to);
}

static halo_status create_takers(const app_run *run, sample_takers *to)
{
    const label_job *job = run->job;
    halo_sample_type type = type_of(run);
    if (is_wide(run) && label_needs(run, LABEL_ONLY_GREYS)) {
        HALO_TRY(halo_label_intensities_create(&to->intensities, job->label, type));
    }
    if (label_needs(run, LABEL_BY_MOMENTS)) {
        HALO_TRY(halo_label_moments_create(&to->moments, job->label, type, to->part));
    }
    if (label_needs(run, LABEL_BY_MEDIANS)) {
        HALO_TRY(halo_label_medians_create(&to->medians, job->label, type, to->part));
    }
    return HALO_OK;
}

/* Cuts of rows of the raster, [ranks + 1], become cuts of the first axis: strips of rows are whole
 * planes of volumes. The caller frees them. HALO_MEMORY. */
static halo_status cuts_of_rows(const app_run *run, const int64_t *rows, int64_t **cuts)
{
    int ranks = halo_world_ranks(run->world);
    int64_t lines = run->domain.axes == HALO_AXES ? run->domain.n[1] : 1;
    HALO_TRY(HALO_ALLOCATE(*cuts, ranks + 1, "cuts of an image"));
    for (int rank = 0; rank <= ranks; rank++) {
        (*cuts)[rank] = rows[rank] / lines;
    }
    return HALO_OK;
}

/* All have the cuts of the painting. */
static halo_status find_cuts(const app_run *run, sample_takers *to)
{
    const int64_t *rows = to->intensities != NULL ? halo_label_intensities_cuts(to->intensities)
                          : to->moments != NULL   ? halo_label_moments_cuts(to->moments)
                                                  : halo_label_medians_cuts(to->medians);
    return halo_agree(run->world, cuts_of_rows(run, rows, &to->cuts));
}

/* Collective. The first pass, which all take part in. */
static halo_status find_sums(app_run *run, sample_takers *to, label_sampled *out)
{
    int64_t count;
    HALO_TRY(create_takers(run, to));
    if (to->intensities == NULL && to->moments == NULL && to->medians == NULL) {
        return HALO_OK;
    }
    HALO_TRY(to->part ? HALO_OK : find_cuts(run, to));
    HALO_TRY(take_samples(run, to));
    if (to->intensities != NULL) {
        HALO_TRY(
            halo_label_intensities_finish(to->intensities, &out->intensities, &count, &out->fits));
    }
    return to->moments != NULL ? halo_label_moments_finish(to->moments, &out->moments, &count)
                               : HALO_OK;
}

/* Collective. The passes that only medians need. */
static halo_status find_medians(app_run *run, sample_takers *to)
{
    bool again = to->medians != NULL;
    while (again) {
        HALO_TRY(halo_label_medians_next(to->medians, &again));
        HALO_TRY(again ? take_samples(run, to) : HALO_OK);
    }
    return HALO_OK;
}

halo_status label_find_sampled(app_run *run, label_sampled *out)
{
    sample_takers to = {.part = !is_wide(run)};
    *out = (label_sampled){.type = type_of(run)};
    halo_status status = find_sums(run, &to, out);
    halo_label_intensities_destroy(&to.intensities);
    halo_label_moments_destroy(&to.moments);
    if (status == HALO_OK) {
        status = find_medians(run, &to);
    }
    out->medians = to.medians;
    free(to.cuts);
    return status;
}

void label_free_sampled(label_sampled *sampled)
{
    halo_memory_free(sampled->intensities);
    halo_memory_free(sampled->moments);
    halo_label_medians_destroy(&sampled->medians);
}

/* ---- colours --------------------------------------------------------------------------------- */

halo_status label_find_channels(app_run *run, halo_channels **out, int64_t *count)
{
    const label_job *job = run->job;
    halo_label_channels *channels = NULL;
    int64_t *cuts = NULL;
    app_image colours;
    halo_status status = app_image_open_colours(&colours, run->image);
    if (status == HALO_OK) {
        status = app_image_check_unchanged(&colours.info, run->image);
    }
    if (status == HALO_OK) {
        status =
            halo_label_channels_create(&channels, job->label, colours.cell_bits / HALO_CHANNELS);
    }
    if (status == HALO_OK) {
        status =
            halo_agree(run->world, cuts_of_rows(run, halo_label_channels_cuts(channels), &cuts));
    }
    if (status == HALO_OK) {
        status = app_image_stream(&colours, cuts, &run->progress, halo_label_channels_take,
                                  channels, &run->clock);
    }
    if (status == HALO_OK) {
        status = halo_label_channels_finish(channels, out, count);
    }
    app_image_close(&colours);
    halo_label_channels_destroy(&channels);
    free(cuts);
    return status;
}
