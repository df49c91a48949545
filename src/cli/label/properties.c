#include "app/image/samples.h"
#include "app/outputs.h"
#include "base/memory.h"
#include "cli/label/job.h"
#include "core/move/redistribute.h"
#include "io/table/table.h"
#include "kernels/label/measure/euler.h"

#include <limits.h>

/* The table of regions: which of their properties it has, how they are measured and written. */

/* True if pixels are as wide as high: perimeters are estimated from such. */
static bool are_square(const app_pixel *pixel)
{
    const double *size = pixel->size;
    return !(size[1] < size[2]) && !(size[1] > size[2]);
}

/* The conditions that this image does not meet. */
static unsigned conditions_missed(const app_run *run)
{
    const label_options *options = run->options;
    const app_pixel pixel = label_pixel_of(run);
    bool values = label_value_type(run) != HALO_LABEL_NONE, ranges = options->delta.value > 0;
    const struct {
        unsigned condition;
        bool met;
    } conditions[] = {
        {LABEL_ONLY_FLAT, run->domain.axes < HALO_AXES}, {LABEL_ONLY_SQUARE, are_square(&pixel)},
        {LABEL_ONLY_OPEN, !label_is_periodic(run)},      {LABEL_ONLY_GREYS, !values},
        {LABEL_ONLY_VALUE, values && !ranges},           {LABEL_ONLY_RANGE, values && ranges},
        {LABEL_BY_COLOURS, run->image->info.colourful},
    };
    unsigned missed = 0;
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++) {
        missed |= conditions[i].met ? 0 : conditions[i].condition;
    }
    return missed;
}

static const label_property_choice *choice_of(const app_run *run)
{
    return &((const label_options *)run->options)->properties;
}

static bool has(const app_run *run, label_property property)
{
    return label_property_is_chosen(choice_of(run), property, conditions_missed(run));
}

bool label_may_need_colours(const label_options *options)
{
    return options->properties.all || options->properties.is[LABEL_PROPERTY_CHANNELS];
}

bool label_needs(const app_run *run, unsigned needs)
{
    return label_properties_need(choice_of(run), conditions_missed(run), needs);
}

/* Refuses a property that this image does not have. */
static halo_status refuse(const app_run *run, label_property property, unsigned missed)
{
    const label_options *options = run->options;
    const app_pixel pixel = label_pixel_of(run);
    const char *name = label_property_rows[property].name;
    bool given = options->spacing.count > 0;
    HALO_FAIL_IF((missed & LABEL_ONLY_FLAT) != 0, HALO_ARGUMENT,
                 "%s is a volume, and --properties %s is for images of two axes; of volumes ask "
                 "for axis_major_length, axis_minor_length or solidity, or all",
                 run->image->path, name);
    HALO_FAIL_IF((missed & LABEL_ONLY_SQUARE) != 0, HALO_ARGUMENT,
                 "the perimeter is estimated from pixels that are as high as wide, and %s says %g "
                 "and %g; ask for other --properties, or all%s",
                 given ? "--spacing" : run->image->path, pixel.size[1], pixel.size[2],
                 given ? "" : ", or use --spacing pixels");
    HALO_FAIL_IF((missed & LABEL_ONLY_OPEN) != 0, HALO_ARGUMENT,
                 "--properties %s is for images without periodic axes; ask for others, or all",
                 name);
    HALO_FAIL_IF((missed & LABEL_BY_COLOURS) != 0, HALO_ARGUMENT,
                 "%s has no colours, and --properties %s is for their red, green and blue; leave "
                 "it out, or ask for all",
                 run->image->path, name);
    return halo_fail(HALO_ARGUMENT,
                     "--properties %s is for regions %s; leave it out, or ask for all", name,
                     (missed & LABEL_ONLY_GREYS) != 0   ? "without --values"
                     : (missed & LABEL_ONLY_VALUE) != 0 ? "of --values without --delta"
                                                        : "of --values with --delta");
}

halo_status label_check_properties(const app_run *run)
{
    unsigned missed = conditions_missed(run);
    label_property property = label_property_refused(choice_of(run), missed);
    return property < LABEL_PROPERTIES
               ? refuse(run, property, label_property_rows[property].needs & missed)
               : HALO_OK;
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

/* Measures of samples that labelling does not find by itself, as it does those of greys. */
static unsigned measures_of(const app_run *run)
{
    bool wide = label_sample_type(run) != HALO_LABEL_NONE;
    return (wide && label_needs(run, LABEL_ONLY_GREYS) ? HALO_MEASURE_INTENSITIES : 0U) |
           (label_needs(run, LABEL_BY_MOMENTS) ? HALO_MEASURE_MOMENTS : 0U) |
           (label_needs(run, LABEL_BY_MEDIANS) ? HALO_MEASURE_MEDIANS : 0U);
}

/* A local threshold makes greys of 16 bits of bits, too. */
static halo_sample_type measured_type(const app_run *run)
{
    bool made = label_makes_greys(run) && label_sample_type(run) == HALO_LABEL_NONE;
    return made ? HALO_SAMPLE_U16 : app_image_type(run->image);
}

static halo_status measure_samples(app_run *run, halo_region_measures *out)
{
    const label_job *job = run->job;
    bool wide = label_sample_type(run) != HALO_LABEL_NONE;
    const halo_region_samples samples = {
        .type = measured_type(run),
        .view = wide || job->grey == NULL ? NULL : halo_field_view(job->grey),
        .pass = pass_samples,
        .context = run};
    return halo_label_measure(job->label, measures_of(run), &samples, out);
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

/* A table of all properties has a place for every column. */
#define COLUMNS_OF(code, name, short_name, needs, note, ...) \
    +sizeof((const label_column[]){__VA_ARGS__}) / sizeof(label_column)
_Static_assert(LABEL_PROPERTY_LIST(COLUMNS_OF) <= HALO_TABLE_COLUMNS, "columns have places");
#undef COLUMNS_OF

/* A column of the table. */
typedef struct {
    label_property property;
    int place; /* among the columns of the property */
} region_column;

typedef struct {
    label_facts facts;
    const app_run *run;
    halo_table_column columns[HALO_TABLE_COLUMNS];
    region_column shown[HALO_TABLE_COLUMNS];
    int count;
} region_table;

static const char *name_of(const region_table *table, const label_column *column)
{
    int names = ((const label_options *)table->run->options)->names;
    if (names == LABEL_NAMES_SKIMAGE) {
        return table->facts.axes == HALO_AXES ? column->solid : column->flat;
    }
    return names == LABEL_NAMES_AMERICAN && column->american != NULL ? column->american
                                                                     : column->name;
}

static const halo_table_kind table_kinds[] = {[LABEL_KIND_INTEGER] = HALO_TABLE_INTEGER,
                                              [LABEL_KIND_UNSIGNED] = HALO_TABLE_UNSIGNED,
                                              [LABEL_KIND_RATIO] = HALO_TABLE_RATIO,
                                              [LABEL_KIND_REAL] = HALO_TABLE_REAL};

static void add_column(region_table *table, label_property property, int place)
{
    const label_column *column = &label_property_rows[property].columns[place];
    bool of_volumes = column->flat == NULL;
    if (of_volumes && table->facts.axes < HALO_AXES) {
        return;
    }
    table->columns[table->count] = (halo_table_column){
        name_of(table, column), table_kinds[label_form_kind(&table->facts, column->form)]};
    table->shown[table->count++] = (region_column){property, place};
}

/* Tables with halobeat's names have x, y, z in this order, as all tables have; those of
 * scikit-image the order of arrays. */
static void choose_columns(region_table *table)
{
    bool own = ((const label_options *)table->run->options)->names != LABEL_NAMES_SKIMAGE;
    for (label_property property = 0; property < LABEL_PROPERTIES; property++) {
        const label_property_row *row = &label_property_rows[property];
        bool turned = own && (row->needs & LABEL_BY_AXES) != 0;
        for (int i = 0; i < LABEL_PROPERTY_COLUMNS && has(table->run, property); i++) {
            int place = turned ? i + 2 - 2 * (i % HALO_AXES) : i;
            if (row->columns[i].name != NULL) {
                add_column(table, property, place);
            }
        }
    }
}

static void region_row(const void *context, int64_t row, halo_table_value *values)
{
    const region_table *table = context;
    label_quantity found[LABEL_PROPERTY_COLUMNS];
    label_property last = LABEL_PROPERTIES;
    for (int i = 0; i < table->count; i++) {
        const region_column *column = &table->shown[i];
        if (column->property != last) {
            last = column->property;
            label_property_rows[last].value(&table->facts, row, found);
        }
        const label_quantity *value = &found[column->place];
        values[i] = table->columns[i].kind == HALO_TABLE_REAL
                        ? halo_table_real(value->real)
                        : (halo_table_value){value->whole, value->divisor};
    }
}

int64_t label_region_bytes(const app_run *run, const halo_label_options *options)
{
    enum { LINE = 64 }; /* of text */
    bool hulls = label_needs(run, LABEL_BY_FERETS | LABEL_BY_HULLS);
    bool solid = run->domain.axes == HALO_AXES;
    return LINE + halo_label_measure_bytes(measures_of(run), measured_type(run)) +
           halo_label_scan_bytes(options) +
           (label_needs(run, LABEL_BY_EULER) ? halo_label_euler_bytes() : 0) +
           (label_needs(run, LABEL_BY_SHAPES) ? halo_label_shape_bytes(solid && hulls) : 0);
}

/* Collective. Finds what the properties need beside the sums of labelling, by painted numbers. */
static halo_status find_numbered(app_run *run, label_facts *facts)
{
    const label_job *job = run->job;
    int64_t count;
    if (label_needs(run, LABEL_BY_SHAPES)) {
        const double *size = facts->size;
        const halo_shape_options options = {.hulls = label_needs(run, LABEL_BY_HULLS),
                                            .ferets = label_needs(run, LABEL_BY_FERETS),
                                            .size = {size[0], size[1], size[2]}};
        HALO_TRY(halo_label_shapes(job->label, &options, &facts->shapes, &count));
    }
    if (label_needs(run, LABEL_BY_EULER)) {
        HALO_TRY(halo_label_eulers(job->label, &facts->eulers, &count));
    }
    HALO_TRY(measure_samples(run, &facts->sampled));
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

halo_status label_write_regions(app_run *run, const char *path)
{
    const label_job *job = run->job;
    const app_pixel pixel = label_pixel_of(run);
    const int64_t *n = run->domain.n;
    int axes = run->domain.axes;
    bool seeds = ((const label_options *)run->options)->label.numbering == HALO_LABEL_SEED;
    label_axes_found found = {0};
    region_table regions = {.run = run,
                            .facts = {.axes = axes,
                                      .n = {axes == HALO_AXES ? n[0] : 1, n[axes - 2], n[axes - 1]},
                                      .size = {pixel.size[0], pixel.size[1], pixel.size[2]},
                                      .spaced = pixel.spaced,
                                      .seeds = seeds,
                                      .label = HALO_SAMPLE_I64,
                                      .values = label_value_type(run),
                                      .samples = label_sample_type(run),
                                      .measured = measured_type(run),
                                      .found = &found}};
    label_facts *facts = &regions.facts;
    halo_table table = {.columns = regions.columns, .row = region_row, .context = &regions};
    facts->regions = halo_label_regions(job->label, &table.rows);
    halo_status status = find_more(run, facts);
    if (status == HALO_OK) {
        choose_columns(&regions); /* they depend on what was found */
        table.column_count = regions.count;
        status = app_write_table(run, path, &table);
    }
    halo_memory_free(facts->shapes);
    halo_memory_free(facts->eulers);
    halo_region_measures_free(&facts->sampled);
    halo_region_measures_free(&facts->coloured);
    return status;
}
