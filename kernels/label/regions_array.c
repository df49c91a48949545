#include "kernels/label/regions_array.h"

#include "base/memory.h"
#include "kernels/array/array_table_internal.h"
#include "kernels/label/measure/array_labels.h"
#include "kernels/label/measure/neighbours.h"
#include "kernels/label/regions_array_internal.h"

/* Tables of the regions of an array of labels. */

#define ROW(option, kind, member) HALO_OPTION_ROW(halo_regions_array_options, option, kind, member)

#define SPACING_ROW(axis)                                                                      \
    ARRAY_SPACING_ROW(halo_regions_array_options, axis, "elements are counted",                \
                      ". Areas, centroids and lengths are in its unit; bounding boxes are in " \
                      "elements")

static const halo_option option_rows[] = {
    {ROW("properties", TEXT, properties), .value = "NAME,...|standard|all", .unless = "standard",
     .help = "The columns of the table, by the names of scikit-image's regionprops. standard: "
             "label, area, bbox, centroid, and with intensities their mean, minimum and maximum; "
             "all: all that the array has"},
    SPACING_ROW(0),
    SPACING_ROW(1),
    SPACING_ROW(2),
    {ROW("background", FLAG, background),
     .help = "Elements whose label is 0 are a region, too, the first of the table"},
    {0}};

const halo_option *const halo_regions_array_rows = option_rows;

/* A column of the table. */
typedef struct {
    label_property property;
    int place; /* among the columns of the property */
} region_column;

enum { MOST_COLUMNS = LABEL_PROPERTIES * LABEL_PROPERTY_COLUMNS };

typedef struct {
    array_labels labels;
    bool has_intensity;
    halo_array intensity;     /* of 3 axes, if there is any */
    halo_sample_type samples; /* its type; of bool, that of bytes of 0 and 1 */
    label_property_choice choice;
    double shares[LABEL_PROPERTY_COLUMNS]; /* of percentiles */
    unsigned missed;   /* conditions of properties that the array does not meet */
    label_facts facts; /* as far as all ranks have them alike */
    region_column columns[MOST_COLUMNS];
    int count;
    halo_array_table *table;
} regions_job;

/* A rank's part. */
typedef struct {
    regions_job *job;
    array_label_part labels;
    array_reader reader; /* of intensities */
    uint8_t *truths;     /* a row of bool */
} regions_part;

static bool needs(const regions_job *job, unsigned what)
{
    return label_properties_need(&job->choice, job->missed, what);
}

/* ---- columns --------------------------------------------------------------------------------- */

/* The name of a column of an array; NULL if an array with this number of axes has no such column.
 * In one axis these are the columns of x, which then are the first ones. */
static const char *name_of(const label_property_row *row, int place, int axes)
{
    bool by_axes = (row->needs & LABEL_BY_AXES) != 0;
    if (axes == 1 && by_axes) {
        bool of_x = place % HALO_AXES == HALO_AXES - 1;
        return of_x ? row->columns[place / HALO_AXES + 1].flat : NULL;
    }
    return axes == HALO_AXES ? row->columns[place].solid : row->columns[place].flat;
}

static halo_status add_columns(regions_job *job, label_property property)
{
    static const halo_sample_type types[] = {[LABEL_KIND_INTEGER] = HALO_SAMPLE_I64,
                                             [LABEL_KIND_UNSIGNED] = HALO_SAMPLE_U64,
                                             [LABEL_KIND_RATIO] = HALO_SAMPLE_F64,
                                             [LABEL_KIND_REAL] = HALO_SAMPLE_F64};
    const label_property_row *row = &label_property_rows[property];
    for (int place = 0; place < LABEL_PROPERTY_COLUMNS; place++) {
        const char *name =
            row->columns[place].name == NULL ? NULL : name_of(row, place, job->facts.axes);
        if (name != NULL) {
            label_kind kind = label_form_kind(&job->facts, row->columns[place].form);
            HALO_TRY(array_table_add(job->table, name, types[kind]));
            job->columns[job->count++] = (region_column){property, place};
        }
    }
    return HALO_OK;
}

/* A column for each percentile. */
static halo_status add_percentiles(regions_job *job)
{
    double percentiles[LABEL_PROPERTY_COLUMNS];
    int count = label_property_percentiles(&job->choice, percentiles);
    for (int i = 0; i < count; i++) {
        char name[LABEL_PERCENTILE_NAME];
        label_property_percentile_name(percentiles[i], name);
        HALO_TRY(array_table_add(job->table, name, HALO_SAMPLE_F64));
        job->columns[job->count++] = (region_column){LABEL_PROPERTY_PERCENTILES, i};
        job->shares[i] = percentiles[i] / 100;
    }
    job->facts.shares = job->shares;
    job->facts.share_count = count;
    return HALO_OK;
}

static halo_status create_table(regions_job *job)
{
    HALO_TRY(array_table_create(&job->table));
    for (label_property property = 0; property < LABEL_PROPERTIES; property++) {
        if (label_property_is_chosen(&job->choice, property, job->missed)) {
            HALO_TRY(property == LABEL_PROPERTY_PERCENTILES ? add_percentiles(job)
                                                            : add_columns(job, property));
        }
    }
    return HALO_OK;
}

/* The kind of numbers of a column. */
static label_kind kind_of(const label_facts *facts, const region_column *column)
{
    const label_column *columns = label_property_rows[column->property].columns;
    bool percentile = column->property == LABEL_PROPERTY_PERCENTILES;
    return percentile ? LABEL_KIND_REAL : label_form_kind(facts, columns[column->place].form);
}

static void write_value(void *values, int64_t i, label_kind kind, const label_quantity *value)
{
    if (kind == LABEL_KIND_INTEGER || kind == LABEL_KIND_UNSIGNED) {
        ((int64_t *)values)[i] = value->whole;
    } else {
        ((double *)values)[i] =
            kind == LABEL_KIND_REAL ? value->real : (double)value->whole / (double)value->divisor;
    }
}

/* Writes the rows of this rank's regions, which are `first` and those after it. Means are ratios
 * where sums fit 64 bits, which is known only now. */
static halo_status write_rows(const halo_world *world, const regions_job *job,
                              const label_facts *facts, int64_t first, int64_t count)
{
    label_quantity found[LABEL_PROPERTY_COLUMNS];
    label_kind kinds[MOST_COLUMNS];
    for (int c = 0; c < job->count; c++) {
        kinds[c] = kind_of(facts, &job->columns[c]);
    }
    for (int64_t i = 0; i < count; i++) {
        label_property last = LABEL_PROPERTIES;
        HALO_TRY(halo_watch_entry(world, i));
        for (int c = 0; c < job->count; c++) {
            const region_column *column = &job->columns[c];
            if (column->property != last) {
                last = column->property;
                label_property_rows[last].value(facts, i, found);
            }
            write_value(array_table_values(job->table, c), first + i, kinds[c],
                        &found[column->place]);
        }
    }
    return HALO_OK;
}

/* ---- intensities ----------------------------------------------------------------------------- */

static const void *read_intensities(regions_part *part, int64_t z, int64_t y)
{
    const halo_array *array = &part->job->intensity;
    const uint8_t *row = array_reader_row(&part->reader, z, y);
    for (int64_t x = 0; array->type == HALO_SAMPLE_BIT && x < array->n[2]; x++) {
        part->truths[x] = row[x] != 0;
    }
    return array->type == HALO_SAMPLE_BIT ? part->truths : row;
}

/* A halo_label_pass of the array of intensities. */
static halo_status pass_intensities(void *context, const int64_t *layers, halo_rows_take *take,
                                    void *taken_by)
{
    regions_part *part = context;
    const array_label_part *labels = &part->labels;
    const int64_t *cuts = labels->cuts + halo_world_rank(labels->world);
    int64_t lines = part->job->intensity.n[1];
    halo_status status = HALO_OK;
    (void)layers; /* these are the strips that the labels have */
    for (int64_t row = cuts[0]; row < cuts[1] && status == HALO_OK; row++) {
        status = take(taken_by, row, 1, read_intensities(part, row / lines, row % lines), 0);
    }
    return halo_agree(labels->world, status);
}

/* Collective. */
static halo_status measure_intensities(regions_part *part, halo_region_measures *out)
{
    const regions_job *job = part->job;
    unsigned measures = (needs(job, LABEL_ONLY_GREYS) ? HALO_MEASURE_INTENSITIES : 0U) |
                        (needs(job, LABEL_BY_MOMENTS) ? HALO_MEASURE_MOMENTS : 0U) |
                        (needs(job, LABEL_BY_MEDIANS) ? HALO_MEASURE_MEDIANS : 0U) |
                        (needs(job, LABEL_BY_QUANTILES) ? HALO_MEASURE_QUANTILES : 0U);
    const halo_region_samples samples = {.type = job->samples,
                                         .pass = pass_intensities,
                                         .context = part,
                                         .quantiles = job->shares,
                                         .quantile_count = job->facts.share_count};
    if (measures == 0) {
        return HALO_OK;
    }
    halo_status status = array_reader_create(&part->reader, &job->intensity);
    HALO_IF_OK(status, HALO_ALLOCATE_LARGE(part->truths, job->intensity.n[2] + 1, "a row"));
    HALO_TRY(halo_agree(part->labels.world, status));
    return label_measure_samples(&part->labels.image, measures, &samples, out);
}

/* ---- ranks ----------------------------------------------------------------------------------- */

/* Collective. */
static halo_status find_more(regions_part *part, label_facts *facts)
{
    const regions_job *job = part->job;
    const label_numbered *image = &part->labels.image;
    array_call *call = part->labels.call;
    const double shapes = .7, eulers = .75;
    int64_t count;
    if (needs(job, LABEL_BY_SHAPES)) {
        array_call_phase(call, image->world, shapes);
        const double *size = facts->size;
        const halo_shape_options options = {.hulls = needs(job, LABEL_BY_HULLS),
                                            .ferets = needs(job, LABEL_BY_FERETS),
                                            .widths =
                                                needs(job, LABEL_BY_WIDTHS) ? &facts->widths : NULL,
                                            .size = {size[0], size[1], size[2]}};
        HALO_TRY(label_shapes(image, &options, &facts->shapes, &count));
    }
    if (needs(job, LABEL_BY_EULER)) {
        array_call_phase(call, image->world, eulers);
        HALO_TRY(label_eulers(image, &facts->eulers, &count));
    }
    if (needs(job, LABEL_BY_SURFACES)) {
        HALO_TRY(label_surfaces(image, facts->size, &facts->surfaces, &count));
    }
    if (needs(job, LABEL_BY_NEIGHBOURS)) {
        HALO_TRY(label_neighbours(image, &facts->neighbours, &count));
    }
    if (needs(job, LABEL_BY_THICKNESS)) {
        HALO_TRY(label_thicknesses(image, call->instructions, &facts->thicknesses, &count));
    }
    array_call_phase(call, image->world, 1);
    return measure_intensities(part, &facts->sampled);
}

/* Collective. */
static halo_status measure_part(regions_part *part, array_call *call, halo_world *world)
{
    const double finding = .3;
    regions_job *job = part->job;
    label_axes_found found = {0};
    label_facts facts = job->facts;
    facts.found = &found;
    array_call_phase(call, world, finding);
    HALO_TRY(array_labels_find(&part->labels, &job->labels, call, world));
    const label_by_number *sums = &part->labels.sums;
    facts.regions = (const halo_region *)(const void *)sums->own;
    facts.labels = job->labels.labels;
    halo_status status = find_more(part, &facts);
    if (status == HALO_OK) {
        bool first = halo_world_rank(world) == 0;
        status = halo_agree(world,
                            first ? array_table_allocate(job->table, job->labels.total) : HALO_OK);
    }
    HALO_IF_OK(status, write_rows(world, job, &facts, sums->first - 1, sums->count));
    halo_memory_free(facts.shapes);
    halo_memory_free(facts.widths);
    halo_memory_free(facts.eulers);
    halo_memory_free(facts.surfaces);
    halo_memory_free(facts.neighbours);
    halo_memory_free(facts.thicknesses);
    halo_region_measures_free(&facts.sampled);
    return halo_agree(world, status);
}

static halo_status measure_rank(halo_world *world, array_call *call, void *context)
{
    regions_part part = {.job = context};
    halo_status status = measure_part(&part, call, world);
    array_label_part_free(&part.labels);
    array_reader_free(&part.reader);
    halo_memory_free(part.truths);
    return status;
}

/* ---- the call -------------------------------------------------------------------------------- */

static halo_status take_arguments(regions_job *job, const halo_array *labels,
                                  const halo_array *intensity,
                                  const halo_regions_array_options *options)
{
    int axes = labels->axes;
    HALO_TRY(array_labels_check(labels));
    array_labels_take(&job->labels, labels);
    job->labels.background = options->background;
    if (intensity != NULL) {
        HALO_TRY(array_check(intensity, "the array of intensities", 1, HALO_AXES));
        HALO_TRY(
            array_check_same(labels, "the array of labels", intensity, "the array of intensities"));
        job->has_intensity = true;
        job->intensity = array_with_axes(intensity, HALO_AXES);
    }
    const int64_t *n = job->labels.array.n;
    bool truths = job->intensity.type == HALO_SAMPLE_BIT;
    job->samples = truths ? HALO_SAMPLE_U8 : job->intensity.type;
    job->facts =
        (label_facts){.axes = axes,
                      .n = {n[0], n[1], n[2]},
                      .label = labels->type == HALO_SAMPLE_U64 ? HALO_SAMPLE_U64 : HALO_SAMPLE_I64,
                      .values = HALO_LABEL_NONE,
                      .samples = job->samples,
                      .measured = job->samples};
    HALO_TRY(array_take_spacing(options->spacing, axes, job->facts.size, &job->facts.spaced));
    return regions_array_choose(options->properties, &job->facts, job->has_intensity, &job->choice,
                                &job->missed);
}

static halo_status run(regions_job *job, halo_context *context)
{
    /* Seconds of a core for an element, at least: of sums, and of what is read once more. */
    const double sums = 1e-9, more = 8e-9;
    const int64_t *n = job->labels.array.n;
    int64_t cells = array_cells(&job->labels.array);
    double seconds = (double)cells * (needs(job, BY_AREA | BY_INTENSITY) ? more : sums);
    HALO_TRY(create_table(job));
    return cells == 0 ? array_table_allocate(job->table, 0)
                      : array_call_run(context, seconds, n[job->labels.axes == HALO_AXES ? 0 : 1],
                                       measure_rank, job);
}

halo_status halo_regions_array_sized(halo_context *context, const halo_array *labels,
                                     const halo_array *intensity,
                                     const halo_regions_array_options *given,
                                     halo_array_table **table, size_t given_bytes)
{
    halo_regions_array_options options;
    regions_job job = {.table = NULL};
    *table = NULL;
    HALO_TRY(halo_options_take(&options, sizeof options, given, given_bytes,
                               "halo_regions_array_options"));
    HALO_TRY(take_arguments(&job, labels, intensity, &options));
    halo_status status = run(&job, context);
    array_labels_free(&job.labels);
    if (status != HALO_OK) {
        halo_array_table_destroy(&job.table);
    }
    *table = job.table;
    return status;
}
