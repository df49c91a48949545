#include "app/image/samples.h"
#include "app/outputs.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "cli/label/job.h"
#include "core/move/redistribute.h"
#include "kernels/label/measure/euler.h"

#include <limits.h>
#include <stdlib.h>

/* The table of regions: which of their properties it has, how they are measured and written. */

/* The conditions that this image does not meet. Other images that are measured have greys also
 * where regions are of values, and no colours of the image's own. */
static unsigned conditions_missed(const app_run *run)
{
    const label_options *options = run->options;
    const app_pixel pixel = label_pixel_of(run);
    bool values = label_value_type(run) != HALO_LABEL_NONE, ranges = options->delta.value > 0;
    bool others = options->measured.count > 0;
    bool bits = options->split.given && label_sample_type(run) == HALO_LABEL_NONE;
    return cli_region_missed_by(run, pixel.size) |
           ((values || bits) && !others ? LABEL_ONLY_GREYS : 0U) |
           (values && !ranges ? 0U : LABEL_ONLY_VALUE) |
           (values && ranges ? 0U : LABEL_ONLY_RANGE) |
           (run->image->info.colourful && !others ? 0U : LABEL_BY_COLOURS);
}

static const label_property_choice *choice_of(const app_run *run)
{
    return &((const label_options *)run->options)->properties;
}

bool label_may_need_colours(const label_options *options)
{
    bool all = options->properties.all && options->measured.count == 0;
    return all || options->properties.is[LABEL_PROPERTY_CHANNELS];
}

bool label_needs(const app_run *run, unsigned needs)
{
    return label_properties_need(choice_of(run), conditions_missed(run), needs);
}

halo_status label_check_properties(const app_run *run)
{
    const label_options *options = run->options;
    const app_pixel pixel = label_pixel_of(run);
    return cli_region_check(run, choice_of(run), conditions_missed(run), pixel.size,
                            options->spacing.count > 0);
}

/* ---- measures of regions --------------------------------------------------------------------- */

/* Kept samples go to where regions are painted, which is elsewhere if strips have been balanced. */
static halo_status move_kept(app_run *run, const int64_t *cuts)
{
    label_job *job = run->job;
    halo_partition to = {0};
    halo_status status =
        halo_agree(run->world,
                   halo_partition_with_cuts(&to, &run->domain, halo_world_ranks(run->world), cuts));
    if (status == HALO_OK && !halo_partition_equal(&to, &job->strips)) {
        status = halo_field_replace(run->world, &job->kept, &job->strips, &to, 0,
                                    &(halo_field_options){0}, &run->clock);
    }
    job->moved = status == HALO_OK;
    halo_partition_free(&to);
    return status;
}

/* A halo_label_pass of the run. */
static halo_status pass_samples(void *context, const int64_t *cuts, halo_rows_take *take,
                                void *taken_by)
{
    app_run *run = context;
    const label_job *job = run->job;
    if (job->kept == NULL) {
        return app_image_stream(run->image, cuts, &run->progress, take, taken_by, &run->clock);
    }
    HALO_TRY(job->moved ? HALO_OK : move_kept(run, cuts));
    return halo_agree(run->world, app_samples_of_field(job->kept, take, taken_by));
}

static unsigned needs_of(const app_run *run)
{
    return cli_region_needs(choice_of(run), conditions_missed(run));
}

/* Measures of samples that labelling does not find by itself, as it does those of greys. */
static unsigned measures_of(const app_run *run)
{
    const label_options *options = run->options;
    bool wide = label_sample_type(run) != HALO_LABEL_NONE || options->measured.count > 0;
    unsigned measures = cli_region_measures(needs_of(run));
    return wide ? measures : measures & ~(unsigned)HALO_MEASURE_INTENSITIES;
}

/* A local threshold makes greys of 16 bits of bits, too. */
static halo_sample_type measured_type(const app_run *run)
{
    bool made = label_makes_greys(run) && label_sample_type(run) == HALO_LABEL_NONE;
    return made ? HALO_SAMPLE_U16 : app_image_type(run->image);
}

/* Collective. Measures the image's own samples. */
static halo_status measure_own(app_run *run, label_facts *facts)
{
    const label_job *job = run->job;
    bool wide = label_sample_type(run) != HALO_LABEL_NONE;
    const halo_region_samples samples = {
        .type = measured_type(run),
        .view = wide || job->grey == NULL ? NULL : halo_field_view(job->grey),
        .pass = pass_samples,
        .context = run,
        .quantiles = facts->shares,
        .quantile_count = facts->share_count};
    return halo_label_measure(job->label, measures_of(run), &samples, &facts->sampled);
}

/* Collective. The same of the images of --measure, if there are any: facts[i] are of the i-th. */
static halo_status measure_samples(app_run *run, label_facts *facts)
{
    const label_job *job = run->job;
    int count = ((const label_options *)run->options)->measured.count;
    for (int i = 0; i < count; i++) {
        cli_measured_pass pass;
        halo_region_samples samples = cli_measured_samples(&job->measured, run, i, &pass);
        samples.quantiles = facts->shares;
        samples.quantile_count = facts->share_count;
        HALO_TRY(halo_label_measure(job->label, measures_of(run), &samples, &facts[i].sampled));
    }
    return count > 0 ? HALO_OK : measure_own(run, facts);
}

/* A halo_label_pass of an image. */
static halo_status pass_colours(void *context, const int64_t *cuts, halo_rows_take *take,
                                void *taken_by)
{
    app_image *colours = context;
    app_run *run = colours->run;
    return app_image_stream(colours, cuts, &run->progress, take, taken_by, &run->clock);
}

static halo_status measure_colours(app_run *run, halo_region_measures *out)
{
    const label_job *job = run->job;
    app_image colours;
    halo_region_samples samples = {.pass = pass_colours, .context = &colours};
    halo_status status = app_image_open_colours(&colours, run->image);
    HALO_IF_OK(status, app_image_check_unchanged(&colours.info, run->image));
    if (status == HALO_OK) {
        bool bytes = colours.cell_bits == CHAR_BIT * HALO_CHANNELS;
        samples.type = bytes ? HALO_SAMPLE_U8 : HALO_SAMPLE_U16;
        status = halo_label_measure(job->label, HALO_MEASURE_CHANNELS, &samples, out);
    }
    app_image_close(&colours);
    return status;
}

/* ---- the table of regions -------------------------------------------------------------------- */

/* Bytes per region of measures of samples: an image is measured after the other. */
static int64_t measure_bytes(const app_run *run)
{
    const label_job *job = run->job;
    int count = ((const label_options *)run->options)->measured.count;
    int64_t bytes = count == 0 ? halo_label_measure_bytes(measures_of(run), measured_type(run)) : 0;
    for (int i = 0; i < count; i++) {
        bytes += halo_label_measure_bytes(measures_of(run), cli_measured_type(&job->measured, i));
    }
    return bytes;
}

int64_t label_region_pixel_bytes(const app_run *run, const halo_box *owned)
{
    return cli_region_pixel_bytes(run, needs_of(run), owned);
}

int64_t label_region_bytes(const app_run *run, const halo_label_options *options)
{
    enum { LINE = 64 }; /* of text */
    bool hulls = label_needs(run, LABEL_BY_FERETS | LABEL_BY_HULLS);
    bool solid = run->domain.axes == HALO_AXES;
    return LINE + measure_bytes(run) + cli_region_bytes(needs_of(run)) +
           halo_label_scan_bytes(options) +
           (label_needs(run, LABEL_BY_EULER) ? halo_label_euler_bytes() : 0) +
           (label_needs(run, LABEL_BY_SHAPES) ? halo_label_shape_bytes(solid && hulls) : 0);
}

/* Collective. Finds what the properties take of surfaces, contacts and thickness. */
static halo_status find_by_rows(app_run *run, label_facts *facts)
{
    const label_job *job = run->job;
    halo_label_painting *painting;
    unsigned needs = needs_of(run);
    if ((needs & (LABEL_BY_SURFACES | LABEL_BY_NEIGHBOURS | LABEL_BY_THICKNESS)) == 0) {
        return HALO_OK;
    }
    HALO_TRY(halo_label_painting_create(&painting, job->label, HALO_LABEL_I64));
    const label_numbered image = label_numbered_of(job->label, painting);
    halo_status status = cli_region_find(run, &image, needs, facts);
    halo_label_painting_destroy(&painting);
    return status;
}

/* Collective. Finds what the properties need beside the sums of labelling, by painted numbers. */
static halo_status find_numbered(app_run *run, label_facts *facts)
{
    const label_job *job = run->job;
    int64_t count;
    if (label_needs(run, LABEL_BY_SHAPES)) {
        const double *size = facts->size;
        const halo_shape_options options = {
            .hulls = label_needs(run, LABEL_BY_HULLS),
            .ferets = label_needs(run, LABEL_BY_FERETS),
            .widths = label_needs(run, LABEL_BY_WIDTHS) ? &facts->widths : NULL,
            .size = {size[0], size[1], size[2]}};
        HALO_TRY(halo_label_shapes(job->label, &options, &facts->shapes, &count));
    }
    if (label_needs(run, LABEL_BY_EULER)) {
        HALO_TRY(halo_label_eulers(job->label, &facts->eulers, &count));
    }
    HALO_TRY(find_by_rows(run, facts));
    HALO_TRY(measure_samples(run, facts));
    return label_needs(run, LABEL_BY_COLOURS) ? measure_colours(run, &facts->coloured) : HALO_OK;
}

/* Collective. The same with any numbering. */
static halo_status find_more(app_run *run, label_facts *facts)
{
    const label_job *job = run->job;
    if (!label_needs(run, LABEL_BY_NUMBERS) && facts->samples == HALO_LABEL_NONE) {
        return find_numbered(run, facts);
    }
    HALO_TRY(halo_label_paint_scan(job->label, true));
    HALO_TRY(find_numbered(run, facts));
    return halo_label_paint_scan(job->label, false);
}

/* Sets facts[i], [count], to what is known before anything is measured. */
static void set_facts(const app_run *run, label_axes_found *found, label_facts *facts, int count)
{
    const label_job *job = run->job;
    const label_options *options = run->options;
    const app_pixel pixel = label_pixel_of(run);
    const int64_t *n = run->domain.n;
    int axes = run->domain.axes;
    for (int i = 0; i < count; i++) {
        bool other = options->measured.count > 0;
        halo_sample_type type = other ? cli_measured_type(&job->measured, i) : measured_type(run);
        facts[i] = (label_facts){.axes = axes,
                                 .n = {axes == HALO_AXES ? n[0] : 1, n[axes - 2], n[axes - 1]},
                                 .size = {pixel.size[0], pixel.size[1], pixel.size[2]},
                                 .spaced = pixel.spaced,
                                 .seeds = options->label.numbering == HALO_LABEL_SEED,
                                 .label = HALO_SAMPLE_I64,
                                 .values = label_value_type(run),
                                 .samples = other ? type : label_sample_type(run),
                                 .measured = type,
                                 .found = found};
    }
}

/* Collective. */
static halo_status write_regions(app_run *run, const char *path, cli_region_write_table *write)
{
    const label_options *options = run->options;
    const label_job *job = run->job;
    label_axes_found found = {0};
    label_facts facts[CLI_MEASURED_IMAGES];
    cli_region_source source = {.choice = choice_of(run),
                                .missed = conditions_missed(run),
                                .names = options->names,
                                .facts = facts,
                                .channels = (int)halo_max(1, options->measured.count),
                                .find = find_more};
    set_facts(run, &found, facts, source.channels);
    facts->regions = halo_label_regions(job->label, &source.rows);
    return cli_region_write(run, path, &source, write);
}

halo_status label_write_regions(app_run *run, const char *path)
{
    return write_regions(run, path, app_write_table);
}

/* Collective. Polygons are of numbers from 1 on, in whose order the table has regions. */
static halo_status write_polygons(app_run *run, const char *path, const halo_table *table)
{
    const label_job *job = run->job;
    halo_label_painting *painting = NULL;
    HALO_TRY(halo_label_paint_scan(job->label, true));
    halo_status status = halo_label_painting_create(&painting, job->label, HALO_LABEL_I64);
    if (status == HALO_OK) {
        const label_numbered image = label_numbered_of(job->label, painting);
        status = cli_polygons_write(run, path, table, &image);
    }
    halo_label_painting_destroy(&painting);
    return status == HALO_OK ? halo_label_paint_scan(job->label, false) : status;
}

halo_status label_write_polygons(app_run *run, const char *path)
{
    return write_regions(run, path, write_polygons);
}
