#include "cli/region_table.h"

#include "app/image/image.h"
#include "base/memory.h"
#include "kernels/label/measure/neighbours.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- columns --------------------------------------------------------------------------------- */

/* True if the table has the property. */
static bool has(const cli_region_table *table, label_property property)
{
    return label_property_is_chosen(table->of->choice, property, table->of->missed);
}

static const char *name_of(const cli_region_table *table, const label_column *column)
{
    if (table->of->names == CLI_REGION_NAMES_SKIMAGE) {
        return table->of->facts->axes == HALO_AXES ? column->solid : column->flat;
    }
    return table->of->names == CLI_REGION_NAMES_AMERICAN && column->american != NULL
               ? column->american
               : column->name;
}

static const halo_table_kind table_kinds[] = {[LABEL_KIND_INTEGER] = HALO_TABLE_INTEGER,
                                              [LABEL_KIND_UNSIGNED] = HALO_TABLE_UNSIGNED,
                                              [LABEL_KIND_RATIO] = HALO_TABLE_RATIO,
                                              [LABEL_KIND_REAL] = HALO_TABLE_REAL};

/* A column for each image that is measured has its number behind its name, as in scikit-image. */
static halo_status add_column(cli_region_table *table, label_property property, int place,
                              int channel, const char *name)
{
    const label_property_row *row = &label_property_rows[property];
    label_form form = row->columns[property == LABEL_PROPERTY_PERCENTILES ? 0 : place].form;
    int at = table->count;
    HALO_FAIL_IF(at == HALO_TABLE_COLUMNS, HALO_ARGUMENT,
                 "the table would have more than %d columns; ask for fewer --properties, or "
                 "measure fewer images at a time",
                 HALO_TABLE_COLUMNS);
    bool numbered = table->of->channels > 1 && (row->needs & LABEL_OF_SAMPLES) != 0;
    int end = snprintf(table->texts[at], CLI_REGION_NAME, "%s", name);
    if (numbered) {
        snprintf(table->texts[at] + end, (size_t)(CLI_REGION_NAME - end), "-%d", channel);
    }
    label_kind kind = label_form_kind(&table->of->facts[channel], form);
    table->columns[at] = (halo_table_column){table->texts[at], table_kinds[kind]};
    table->shown[at] = (cli_region_column){property, place, channel};
    table->count++;
    return HALO_OK;
}

/* Tables with halobeat's names have x, y, z in this order, as all tables have; those of
 * scikit-image the order of arrays. */
static halo_status add_columns(cli_region_table *table, label_property property)
{
    const label_property_row *row = &label_property_rows[property];
    bool own = table->of->names != CLI_REGION_NAMES_SKIMAGE;
    bool turned = own && (row->needs & LABEL_BY_AXES) != 0;
    int channels = (row->needs & LABEL_OF_SAMPLES) != 0 ? table->of->channels : 1;
    for (int i = 0; i < LABEL_PROPERTY_COLUMNS; i++) {
        int place = turned ? i + 2 - 2 * (i % HALO_AXES) : i;
        bool of_volumes = row->columns[i].name != NULL && row->columns[place].flat == NULL;
        bool there =
            row->columns[i].name != NULL && !(of_volumes && table->of->facts->axes < HALO_AXES);
        for (int channel = 0; channel < channels && there; channel++) {
            const char *name = name_of(table, &row->columns[place]);
            HALO_TRY(add_column(table, property, place, channel, name));
        }
    }
    return HALO_OK;
}

/* A column for each percentile and image. */
static halo_status add_percentiles(cli_region_table *table)
{
    double percentiles[LABEL_PROPERTY_COLUMNS];
    int count = label_property_percentiles(table->of->choice, percentiles);
    for (int i = 0; i < count; i++) {
        char name[LABEL_PERCENTILE_NAME];
        label_property_percentile_name(percentiles[i], name);
        for (int channel = 0; channel < table->of->channels; channel++) {
            HALO_TRY(add_column(table, LABEL_PROPERTY_PERCENTILES, i, channel, name));
        }
    }
    return HALO_OK;
}

static halo_status choose_columns(cli_region_table *table)
{
    for (label_property property = 0; property < LABEL_PROPERTIES; property++) {
        if (has(table, property)) {
            HALO_TRY(property == LABEL_PROPERTY_PERCENTILES ? add_percentiles(table)
                                                            : add_columns(table, property));
        }
    }
    return HALO_OK;
}

static void take_row(const void *context, int64_t row, halo_table_value *values)
{
    const cli_region_table *table = context;
    label_quantity found[LABEL_PROPERTY_COLUMNS];
    label_property last = LABEL_PROPERTIES;
    int channel = 0;
    for (int i = 0; i < table->count; i++) {
        const cli_region_column *column = &table->shown[i];
        if (column->property != last || column->channel != channel) {
            last = column->property;
            channel = column->channel;
            label_property_rows[last].value(&table->of->facts[channel], row, found);
        }
        const label_quantity *value = &found[column->place];
        values[i] = table->columns[i].kind == HALO_TABLE_REAL
                        ? halo_table_real(value->real)
                        : (halo_table_value){value->whole, value->divisor};
    }
}

/* ---- facts ----------------------------------------------------------------------------------- */

unsigned cli_region_needs(const label_property_choice *choice, unsigned missed)
{
    unsigned needs = 0;
    for (label_property property = 0; property < LABEL_PROPERTIES; property++) {
        needs |= label_property_is_chosen(choice, property, missed)
                     ? label_property_rows[property].needs
                     : 0U;
    }
    return needs;
}

unsigned cli_region_measures(unsigned needs)
{
    return ((needs & LABEL_ONLY_GREYS) != 0 ? HALO_MEASURE_INTENSITIES : 0U) |
           ((needs & LABEL_BY_MOMENTS) != 0 ? HALO_MEASURE_MOMENTS : 0U) |
           ((needs & LABEL_BY_MEDIANS) != 0 ? HALO_MEASURE_MEDIANS : 0U) |
           ((needs & LABEL_BY_QUANTILES) != 0 ? HALO_MEASURE_QUANTILES : 0U);
}

halo_status cli_region_find(const app_run *run, const label_numbered *image, unsigned needs,
                            label_facts *facts)
{
    int64_t count;
    if ((needs & LABEL_BY_SURFACES) != 0) {
        HALO_TRY(label_surfaces(image, facts->size, &facts->surfaces, &count));
    }
    if ((needs & LABEL_BY_NEIGHBOURS) != 0) {
        HALO_TRY(label_neighbours(image, &facts->neighbours, &count));
    }
    const char *instructions = run->arguments->common.instructions;
    return (needs & LABEL_BY_THICKNESS) != 0
               ? label_thicknesses(image, instructions, &facts->thicknesses, &count)
               : HALO_OK;
}

int64_t cli_region_bytes(unsigned needs)
{
    return ((needs & LABEL_BY_SURFACES) != 0 ? label_surface_bytes() : 0) +
           ((needs & LABEL_BY_NEIGHBOURS) != 0 ? label_neighbour_bytes() : 0) +
           ((needs & LABEL_BY_THICKNESS) != 0 ? label_thickness_bytes() : 0);
}

int64_t cli_region_pixel_bytes(const app_run *run, unsigned needs, const halo_box *owned)
{
    return (needs & LABEL_BY_THICKNESS) != 0 ? label_thickness_pixel_bytes(&run->domain, owned) : 0;
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* Sets facts->shares, of percentiles, in `shares`. */
static void set_shares(const label_property_choice *choice, label_facts *facts,
                       double shares[LABEL_PROPERTY_COLUMNS])
{
    const double whole = 100;
    facts->share_count = label_property_percentiles(choice, shares);
    facts->shares = shares;
    for (int i = 0; i < facts->share_count; i++) {
        shares[i] /= whole;
    }
}

/* The first of them has all that is not of samples. */
static void copy_facts(label_facts *facts, int channels)
{
    for (int i = 1; i < channels; i++) {
        halo_region_measures sampled = facts[i].sampled;
        halo_sample_type type = facts[i].samples;
        facts[i] = facts[0];
        facts[i].sampled = sampled;
        facts[i].samples = facts[i].measured = type;
    }
}

static void free_facts(label_facts *facts, int channels)
{
    halo_memory_free(facts->shapes);
    halo_memory_free(facts->widths);
    halo_memory_free(facts->eulers);
    halo_memory_free(facts->surfaces);
    halo_memory_free(facts->neighbours);
    halo_memory_free(facts->thicknesses);
    halo_region_measures_free(&facts->coloured);
    for (int i = 0; i < channels; i++) {
        halo_region_measures_free(&facts[i].sampled);
    }
}

/* Collective. Columns depend on what was found. */
static halo_status find_and_write(app_run *run, const char *path, cli_region_table *table,
                                  cli_region_write_table *write)
{
    const cli_region_source *source = table->of;
    HALO_TRY(source->find(run, source->facts));
    copy_facts(source->facts, source->channels);
    HALO_TRY(choose_columns(table));
    const halo_table rows = {.columns = table->columns,
                             .column_count = table->count,
                             .rows = source->rows,
                             .row = take_row,
                             .context = table};
    return write(run, path, &rows);
}

halo_status cli_region_write(app_run *run, const char *path, const cli_region_source *source,
                             cli_region_write_table *write)
{
    double shares[LABEL_PROPERTY_COLUMNS];
    cli_region_table *table;
    set_shares(source->choice, source->facts, shares);
    HALO_TRY(halo_agree(run->world, HALO_ALLOCATE(table, 1, "the columns of a table")));
    table->of = source;
    halo_status status = find_and_write(run, path, table, write);
    free_facts(source->facts, source->channels);
    free(table);
    return status;
}

/* ---- conditions ------------------------------------------------------------------------------ */

/* True if pixels are as wide as high: perimeters are estimated from such. */
static bool are_square(const double size[HALO_AXES])
{
    return !(size[1] < size[2]) && !(size[1] > size[2]);
}

unsigned cli_region_missed_by(const app_run *run, const double size[HALO_AXES])
{
    const bool *periodic = run->domain.periodic;
    return (run->domain.axes < HALO_AXES ? LABEL_ONLY_SOLID : LABEL_ONLY_FLAT) |
           (are_square(size) ? 0U : LABEL_ONLY_SQUARE) |
           (label_sizes_are_even(size, run->domain.axes) ? 0U : LABEL_ONLY_EVEN) |
           (periodic[0] || periodic[1] || periodic[2] ? LABEL_ONLY_OPEN : 0U);
}

/* Refuses a property of shapes. */
static halo_status refuse_shape(const app_run *run, const char *name, unsigned missed,
                                const double size[HALO_AXES], bool given)
{
    const char *path = run->image->path;
    HALO_FAIL_IF((missed & LABEL_ONLY_FLAT) != 0, HALO_ARGUMENT,
                 "%s is a volume, and --properties %s is for images of two axes; of volumes ask "
                 "for axis_major_length, axis_minor_length or solidity, or all",
                 path, name);
    HALO_FAIL_IF((missed & LABEL_ONLY_SOLID) != 0, HALO_ARGUMENT,
                 "%s is an image of two axes, and --properties %s is for volumes; of images ask "
                 "for perimeter or area, or all",
                 path, name);
    HALO_FAIL_IF((missed & LABEL_ONLY_SQUARE) != 0, HALO_ARGUMENT,
                 "the perimeter is estimated from pixels that are as high as wide, and %s says %g "
                 "and %g; ask for other --properties, or all%s",
                 given ? "--spacing" : path, size[1], size[2],
                 given ? "" : ", or use --spacing pixels");
    HALO_FAIL_IF((missed & LABEL_ONLY_EVEN) != 0, HALO_ARGUMENT,
                 "--properties %s is for pixels that are as large along all axes; ask for others, "
                 "or all%s",
                 name, given ? "" : ", or use --spacing pixels");
    return HALO_REQUIRE((missed & LABEL_ONLY_OPEN) == 0, HALO_ARGUMENT,
                        "--properties %s is for images without periodic axes; ask for others, or "
                        "all",
                        name);
}

halo_status cli_region_check(const app_run *run, const label_property_choice *choice,
                             unsigned missed, const double size[HALO_AXES], bool spacing_given)
{
    label_property property = label_property_refused(choice, missed);
    if (property == LABEL_PROPERTIES) {
        return HALO_OK;
    }
    const char *name = label_property_rows[property].name;
    missed &= label_property_rows[property].needs;
    HALO_TRY(refuse_shape(run, name, missed, size, spacing_given));
    HALO_FAIL_IF((missed & LABEL_BY_COLOURS) != 0, HALO_ARGUMENT,
                 "%s has no colours, and --properties %s is for their red, green and blue; leave "
                 "it out, or ask for all",
                 run->image->path, name);
    return halo_fail(HALO_ARGUMENT,
                     "--properties %s is for regions %s; leave it out, or ask for all", name,
                     (missed & LABEL_ONLY_GREYS) != 0
                         ? "without --values, and of pixels of one bit without --split"
                     : (missed & LABEL_ONLY_VALUE) != 0 ? "of --values without --delta"
                                                        : "of --values with --delta");
}
