#include "base/memory.h"
#include "base/minmax.h"
#include "cli/measure/job.h"
#include "kernels/label/measure/euler.h"

#include <stdlib.h>

/* The table of regions of `halobeat measure`. */

/* The conditions that this image does not meet. */
static unsigned conditions_missed(const app_run *run)
{
    const measure_options *options = run->options;
    const app_pixel pixel = measure_pixel_of(run);
    return cli_region_missed_by(run, pixel.size) | LABEL_ONLY_VALUE | LABEL_ONLY_RANGE |
           LABEL_BY_COLOURS | (options->intensity.count > 0 ? 0U : LABEL_OF_SAMPLES);
}

static const label_property_choice *choice_of(const app_run *run)
{
    return &((const measure_options *)run->options)->properties;
}

bool measure_needs(const app_run *run, unsigned needs)
{
    return label_properties_need(choice_of(run), conditions_missed(run), needs);
}

halo_status measure_check_properties(const app_run *run)
{
    const measure_options *options = run->options;
    const app_pixel pixel = measure_pixel_of(run);
    unsigned missed = conditions_missed(run);
    label_property property = label_property_refused(choice_of(run), missed);
    if (property < LABEL_PROPERTIES) {
        const label_property_row *row = &label_property_rows[property];
        HALO_FAIL_IF((row->needs & missed & LABEL_OF_SAMPLES) != 0, HALO_ARGUMENT,
                     "--properties %s is of intensities; name the image that has them with "
                     "--intensity FILE",
                     row->name);
        HALO_FAIL_IF((row->needs & (LABEL_ONLY_VALUE | LABEL_ONLY_RANGE | LABEL_BY_COLOURS)) != 0,
                     HALO_ARGUMENT,
                     "--properties %s is of `halobeat label`; ask for intensity_mean, "
                     "intensity_min and intensity_max of images of --intensity",
                     row->name);
    }
    return cli_region_check(run, choice_of(run), missed, pixel.size, options->spacing.count > 0);
}

/* ---- measures -------------------------------------------------------------------------------- */

static unsigned needs_of(const app_run *run)
{
    return cli_region_needs(choice_of(run), conditions_missed(run));
}

int64_t measure_region_bytes(const app_run *run)
{
    enum { LINE = 64 }; /* of text */
    const measure_options *options = run->options;
    const measure_job *job = run->job;
    bool hulls = measure_needs(run, LABEL_BY_FERETS | LABEL_BY_HULLS);
    bool solid = run->domain.axes == HALO_AXES;
    int64_t samples = 0;
    for (int i = 0; i < options->intensity.count; i++) {
        samples += halo_label_measure_bytes(cli_region_measures(needs_of(run)),
                                            cli_measured_type(&job->intensity, i));
    }
    return LINE + samples + label_image_bytes() + cli_region_bytes(needs_of(run)) +
           (measure_needs(run, LABEL_BY_EULER) ? halo_label_euler_bytes() : 0) +
           (measure_needs(run, LABEL_BY_SHAPES) ? halo_label_shape_bytes(solid && hulls) : 0);
}

int64_t measure_region_pixel_bytes(const app_run *run, const halo_box *owned)
{
    return cli_region_pixel_bytes(run, needs_of(run), owned);
}

/* Collective. Finds what the properties need beside the sums of regions. */
static halo_status find_shapes(app_run *run, label_facts *facts)
{
    const measure_job *job = run->job;
    const label_numbered *image = &job->found.image;
    int64_t count;
    if (measure_needs(run, LABEL_BY_SHAPES)) {
        const double *size = facts->size;
        const halo_shape_options options = {
            .hulls = measure_needs(run, LABEL_BY_HULLS),
            .ferets = measure_needs(run, LABEL_BY_FERETS),
            .widths = measure_needs(run, LABEL_BY_WIDTHS) ? &facts->widths : NULL,
            .size = {size[0], size[1], size[2]}};
        HALO_TRY(label_shapes(image, &options, &facts->shapes, &count));
    }
    if (measure_needs(run, LABEL_BY_EULER)) {
        HALO_TRY(label_eulers(image, &facts->eulers, &count));
    }
    return cli_region_find(run, image, needs_of(run), facts);
}

/* Collective. Sets what facts[i], [channels], have of the samples of the images of --intensity. */
static halo_status measure_samples(app_run *run, label_facts *facts)
{
    const measure_options *options = run->options;
    const measure_job *job = run->job;
    for (int i = 0; i < options->intensity.count; i++) {
        cli_measured_pass pass;
        halo_region_samples samples = cli_measured_samples(&job->intensity, run, i, &pass);
        samples.quantiles = facts->shares;
        samples.quantile_count = facts->share_count;
        facts[i].samples = facts[i].measured = samples.type;
        HALO_TRY(label_measure_samples(&job->found.image, cli_region_measures(needs_of(run)),
                                       &samples, &facts[i].sampled));
    }
    return HALO_OK;
}

/* ---- the table ------------------------------------------------------------------------------- */

static label_facts facts_of(const app_run *run, label_axes_found *found)
{
    const measure_job *job = run->job;
    const app_pixel pixel = measure_pixel_of(run);
    const int64_t *n = run->domain.n;
    int axes = run->domain.axes;
    const label_image *image = &job->found;
    bool wide = image->pixels.type == HALO_SAMPLE_U64;
    return (label_facts){.axes = axes,
                         .n = {axes == HALO_AXES ? n[0] : 1, n[axes - 2], n[axes - 1]},
                         .size = {pixel.size[0], pixel.size[1], pixel.size[2]},
                         .spaced = pixel.spaced,
                         .labels = image->labels,
                         .before = image->sums.first - 1,
                         .label = wide ? HALO_SAMPLE_U64 : HALO_SAMPLE_I64,
                         .values = HALO_LABEL_NONE,
                         .regions = label_image_regions(image),
                         .found = found};
}

/* Collective. */
static halo_status find(app_run *run, label_facts *facts)
{
    HALO_TRY(find_shapes(run, facts));
    return measure_samples(run, facts);
}

/* Collective. */
static halo_status write_regions(app_run *run, const char *path, cli_region_write_table *write)
{
    const measure_options *options = run->options;
    label_axes_found found = {0};
    label_facts facts[CLI_MEASURED_IMAGES] = {facts_of(run, &found)};
    const cli_region_source source = {.choice = choice_of(run),
                                      .missed = conditions_missed(run),
                                      .names = options->names,
                                      .facts = facts,
                                      .channels = (int)halo_max(1, options->intensity.count),
                                      .rows = ((const measure_job *)run->job)->found.image.count,
                                      .find = find};
    return cli_region_write(run, path, &source, write);
}

halo_status measure_write_regions(app_run *run, const char *path)
{
    return write_regions(run, path, app_write_table);
}

static halo_status write_polygons(app_run *run, const char *path, const halo_table *table)
{
    return cli_polygons_write(run, path, table, &((const measure_job *)run->job)->found.image);
}

halo_status measure_write_polygons(app_run *run, const char *path)
{
    return write_regions(run, path, write_polygons);
}
