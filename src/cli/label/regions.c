#include "app/outputs.h"
#include "cli/label/measure_values.h"
#include "io/table/table.h"

/* The table of regions: a column, or several, for each measure that is asked for. */

/* A table of all measures has a place for every column. */
#define COLUMNS_OF(code, name, short_name, needs, ...) \
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
    int names = table->facts.asked->names;
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
    bool own = table->facts.asked->names != LABEL_NAMES_SKIMAGE;
    for (label_measure measure = 0; measure < LABEL_MEASURES; measure++) {
        const label_measure_row *row = &label_measure_rows[measure];
        bool turned = own && (row->needs & LABEL_BY_AXES) != 0;
        for (int i = 0; i < LABEL_MEASURE_COLUMNS && label_tells(table->facts.run, measure); i++) {
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
            label_measure_values(&table->facts, last, row, of_measure);
        }
        values[i] = of_measure[column->place];
    }
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
    HALO_TRY(label_find_sampled(run, &facts->sampled));
    return label_needs(run, LABEL_BY_COLOURS) ? label_find_channels(run, &facts->channels, &count)
                                              : HALO_OK;
}

/* Collective. The same with any numbering. */
static halo_status find_more(app_run *run, label_facts *facts)
{
    const label_job *job = run->job;
    if (!label_needs(run, LABEL_BY_NUMBERS) && facts->samples == HALO_LABEL_ALIKE) {
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
                                      .asked = run->options,
                                      .pixel = label_pixel_of(run),
                                      .axes = run->domain.axes,
                                      .values = label_value_type(run),
                                      .samples = label_sample_type(run),
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
    halo_memory_free(facts->channels);
    label_free_sampled(&facts->sampled);
    return status;
}
