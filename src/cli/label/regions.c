#include "app/outputs.h"
#include "app/report/facts.h"
#include "cli/label/job.h"
#include "io/table/table.h"
#include "kernels/label/measure/euler.h"

#include <stdio.h>
#include <string.h>

/* The table of regions: its unit, the measures that it has, and its columns. */

/* ---- how large pixels are -------------------------------------------------------------------- */

label_pixel label_pixel_of(const app_run *run)
{
    const label_spacing *requested = &((const label_options *)run->options)->spacing;
    const halo_image_geometry *g = &run->image->info.geometry;
    label_pixel pixel = {.size = {1, 1, 1}};
    if (requested->count > 0) {
        memcpy(pixel.size, requested->size, sizeof pixel.size);
        pixel.spaced = true;
        pixel.unit = requested->unit;
    } else if (!requested->pixels && halo_geometry_measures(g, run->domain.axes)) {
        for (int axis = 0; axis < HALO_AXES; axis++) {
            pixel.size[axis] = halo_geometry_spacing(g, HALO_AXES - 1 - axis);
        }
        pixel.spaced = true;
        pixel.unit = g->unit;
    }
    return pixel;
}

/* "2,0.5,0.5", as --spacing has it. */
static void print_sizes(const halo_image_geometry *g, int axes, char *text, size_t room)
{
    size_t used = 0;
    text[0] = '\0';
    for (int axis = axes - 1; axis >= 0 && used < room; axis--) {
        used += (size_t)snprintf(text + used, room - used, "%s%.10g", used > 0 ? "," : "",
                                 halo_geometry_spacing(g, axis));
    }
}

/* True if somebody could take the spacing of the file for that of the table. */
static bool has_other_spacing(const halo_image_geometry *g, int axes)
{
    bool other = false, all = true;
    for (int axis = 0; axis < axes; axis++) {
        other = other || (g->spacing[axis] > 0 && !g->printed &&
                          (g->spacing[axis] < 1 || g->spacing[axis] > 1));
        all = all && g->spacing[axis] > 0;
    }
    return other && all;
}

void label_add_lengths(const app_run *run, json_t *texts)
{
    enum { TEXT = 96 };
    char sizes[TEXT];
    const label_options *options = run->options;
    const halo_image_geometry *g = &run->image->info.geometry;
    const label_pixel pixel = label_pixel_of(run);
    bool tells = options->regions != NULL || options->contacts != NULL;
    print_sizes(g, run->domain.axes, sizes, sizeof sizes);
    if (!tells || options->spacing.count > 0 || options->spacing.pixels) {
        return;
    }
    if (pixel.spaced) {
        const char *unit = halo_length_name(pixel.unit);
        json_object_set_new(texts, "lengths",
                            json_sprintf("areas are in %s^%d, centroids and lengths in %s: the "
                                         "spacing in the file is %s; --spacing pixels leaves them "
                                         "in pixels",
                                         unit, run->domain.axes, unit, sizes));
    } else if (has_other_spacing(g, run->domain.axes)) {
        json_object_set_new(texts, "lengths",
                            json_sprintf("areas, centroids and lengths are in pixels: the spacing "
                                         "in the file has no unit; --spacing %s takes it",
                                         sizes));
    }
}

json_t *label_pixel_json(const app_run *run)
{
    const label_pixel pixel = label_pixel_of(run);
    int axes = run->domain.axes;
    json_t *sizes = app_fact_reals(pixel.size + HALO_AXES - axes, axes);
    bool known = pixel.unit != HALO_LENGTH_UNKNOWN;
    return json_pack("{s:o, s:s*}", "size", sizes, "unit",
                     known          ? halo_length_name(pixel.unit)
                     : pixel.spaced ? NULL
                                    : "pixels");
}

/* ---- which measures it has ------------------------------------------------------------------- */

static bool is_name(const char *name, const char *text, size_t length)
{
    return strlen(name) == length && strncmp(name, text, length) == 0;
}

/* The member of the choice that the first `length` characters name, or NULL. */
static bool *find(label_property_choice *requested, const char *text, size_t length)
{
    for (label_measure measure = 0; measure < LABEL_MEASURES; measure++) {
        const label_measure_row *row = &label_measure_rows[measure];
        if (is_name(row->name, text, length) || is_name(row->short_name, text, length)) {
            return &requested->is[measure];
        }
    }
    return is_name("standard", text, length) ? &requested->standard
           : is_name("all", text, length)    ? &requested->all
                                             : NULL;
}

halo_status label_parse_properties(const char *text, void *into)
{
    label_property_choice *requested = into;
    *requested = (label_property_choice){.all = false};
    for (size_t length;; text += length + 1) {
        length = strcspn(text, ",");
        bool *chosen = find(requested, text, length);
        if (chosen == NULL || *chosen) {
            return HALO_ARGUMENT;
        }
        *chosen = true;
        if (text[length] == '\0') {
            return HALO_OK;
        }
    }
}

/* True if pixels are as wide as high: perimeters are estimated from such. */
static bool are_square(const label_pixel *pixel)
{
    const double *size = pixel->size;
    return !(size[1] < size[2]) && !(size[1] > size[2]);
}

/* The conditions that this image does not meet. */
static unsigned conditions_missed(const app_run *run)
{
    const label_options *options = run->options;
    const label_pixel pixel = label_pixel_of(run);
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

/* True if the table of this image has the measure. */
static bool table_has(const app_run *run, label_measure measure)
{
    const label_property_choice *requested = &((const label_options *)run->options)->properties;
    unsigned needs = label_measure_rows[measure].needs;
    bool wanted = requested->all || measure == LABEL_MEASURE_NUMBER ||
                  (requested->standard && (needs & LABEL_STANDARD) != 0);
    return requested->is[measure] || (wanted && (needs & conditions_missed(run)) == 0);
}

bool label_may_need_colours(const label_options *options)
{
    return options->properties.all || options->properties.is[LABEL_MEASURE_CHANNELS];
}

bool label_needs(const app_run *run, unsigned needs)
{
    bool any = false;
    for (label_measure measure = 0; measure < LABEL_MEASURES; measure++) {
        any = any || ((label_measure_rows[measure].needs & needs) != 0 && table_has(run, measure));
    }
    return any;
}

/* Refuses a measure that this image does not have. */
static halo_status refuse(const app_run *run, label_measure measure, unsigned missed)
{
    const label_options *options = run->options;
    const label_pixel pixel = label_pixel_of(run);
    const char *name = label_measure_rows[measure].name;
    bool given = options->spacing.count > 0;
    HALO_FAIL_IF((missed & LABEL_ONLY_FLAT) != 0, HALO_ARGUMENT,
                 "%s is a volume, and --properties %s is for images of two axes; of volumes ask "
                 "for axis_major_length and axis_minor_length, or all",
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

halo_status label_check_measures(const app_run *run)
{
    const label_options *options = run->options;
    unsigned missed = conditions_missed(run);
    for (label_measure measure = 0; measure < LABEL_MEASURES; measure++) {
        unsigned here = label_measure_rows[measure].needs & missed;
        if (here != 0 && options->properties.is[measure]) {
            return refuse(run, measure, here);
        }
    }
    return HALO_OK;
}

/* ---- the table of regions: a column, or several, for each measure that is asked for ---------- */

/* A table of all measures has a place for every column. */
#define COLUMNS_OF(code, name, short_name, needs, note, ...) \
    +sizeof((const label_column[]){__VA_ARGS__}) / sizeof(label_column)
_Static_assert(LABEL_MEASURE_LIST(COLUMNS_OF) <= HALO_TABLE_COLUMNS, "columns have places");
#undef COLUMNS_OF

/* A column of the table. */
typedef struct {
    label_measure measure;
    int place; /* among the columns of the measure */
} region_column;

typedef struct {
    label_facts facts;
    halo_table_column columns[HALO_TABLE_COLUMNS];
    region_column shown[HALO_TABLE_COLUMNS];
    int count;
} region_table;

static const char *name_of(const region_table *table, const label_column *column)
{
    int names = table->facts.requested->names;
    if (names == LABEL_NAMES_SKIMAGE) {
        return table->facts.axes == HALO_AXES ? column->solid : column->flat;
    }
    return names == LABEL_NAMES_AMERICAN && column->american != NULL ? column->american
                                                                     : column->name;
}

static void add_column(region_table *table, label_measure measure, int place)
{
    const label_column *column = &label_measure_rows[measure].columns[place];
    bool of_volumes = column->flat == NULL;
    if (of_volumes && table->facts.axes < HALO_AXES) {
        return;
    }
    table->columns[table->count] =
        (halo_table_column){name_of(table, column), label_form_kind(&table->facts, column->form)};
    table->shown[table->count++] = (region_column){measure, place};
}

/* Tables with halobeat's names have x, y, z in this order, as all tables have; those of
 * scikit-image the order of arrays. */
static void choose_columns(region_table *table)
{
    bool own = table->facts.requested->names != LABEL_NAMES_SKIMAGE;
    for (label_measure measure = 0; measure < LABEL_MEASURES; measure++) {
        const label_measure_row *row = &label_measure_rows[measure];
        bool turned = own && (row->needs & LABEL_BY_AXES) != 0;
        for (int i = 0; i < LABEL_MEASURE_COLUMNS && table_has(table->facts.run, measure); i++) {
            int place = turned ? i + 2 - 2 * (i % HALO_AXES) : i;
            if (row->columns[i].name != NULL) {
                add_column(table, measure, place);
            }
        }
    }
}

static void region_row(const void *context, int64_t row, halo_table_value *values)
{
    const region_table *table = context;
    halo_table_value of_measure[LABEL_MEASURE_COLUMNS];
    label_measure last = LABEL_MEASURES;
    for (int i = 0; i < table->count; i++) {
        const region_column *column = &table->shown[i];
        if (column->measure != last) {
            last = column->measure;
            label_measure_rows[last].value(&table->facts, row, of_measure);
        }
        values[i] = of_measure[column->place];
    }
}

int64_t label_region_bytes(const app_run *run, const halo_label_options *options)
{
    enum { LINE = 64 }; /* of text */
    bool ferets = label_needs(run, LABEL_BY_FERETS), solid = run->domain.axes == HALO_AXES;
    return LINE + label_measured_bytes(run) + halo_label_scan_bytes(options) +
           (label_needs(run, LABEL_BY_EULER) ? halo_label_euler_bytes() : 0) +
           (label_needs(run, LABEL_BY_SHAPES) ? halo_label_shape_bytes(solid && ferets) : 0);
}

/* Collective. Finds what the measures need beside the sums of labelling, by painted numbers. */
static halo_status find_numbered(app_run *run, label_facts *facts)
{
    const label_job *job = run->job;
    int64_t count;
    if (label_needs(run, LABEL_BY_SHAPES)) {
        const double *size = facts->pixel.size;
        const halo_shape_options options = {.hulls = label_needs(run, LABEL_BY_HULLS),
                                            .ferets = label_needs(run, LABEL_BY_FERETS),
                                            .size = {size[0], size[1], size[2]}};
        HALO_TRY(halo_label_shapes(job->label, &options, &facts->shapes, &count));
    }
    if (label_needs(run, LABEL_BY_EULER)) {
        HALO_TRY(halo_label_eulers(job->label, &facts->eulers, &count));
    }
    HALO_TRY(label_measure_samples(run, &facts->sampled));
    return label_needs(run, LABEL_BY_COLOURS) ? label_measure_colours(run, &facts->coloured)
                                              : HALO_OK;
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
    label_axes_found found = {0};
    region_table regions = {.facts = {.run = run,
                                      .requested = run->options,
                                      .pixel = label_pixel_of(run),
                                      .axes = run->domain.axes,
                                      .values = label_value_type(run),
                                      .samples = label_sample_type(run),
                                      .measured = label_measured_type(run),
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
