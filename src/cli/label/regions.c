#include "app/outputs.h"
#include "cli/label/job.h"
#include "core/world/collect.h"
#include "io/table/table.h"
#include "kernels/label/shape.h"

#include <math.h>
#include <string.h>

/* The table of regions. */

typedef enum {
    NUMBER,
    AREA,
    FRONT,
    TOP,
    LEFT,
    BACK,
    BOTTOM,
    RIGHT,
    PLANE,
    ROW,
    COLUMN,
    MEAN_GREY,
    MIN_GREY,
    MAX_GREY,
    VALUE,
    MIN_VALUE,
    MAX_VALUE,
    PROPERTY,                            /* and those that follow: shapes of label_property */
    CHANNEL = PROPERTY + LABEL_CHANNELS, /* means of red, green and blue, ... */
    CHANNEL_MIN = CHANNEL + HALO_CHANNELS,
    CHANNEL_MAX = CHANNEL_MIN + HALO_CHANNELS,
    FIELDS = CHANNEL_MAX + HALO_CHANNELS
} region_field;

/* What a column is called; as scikit-image's regionprops_table calls it in two and in three axes,
 * of which the first is counted in images that have it. */
static const struct {
    region_field field;
    const char *name, *flat, *solid;
    bool planes; /* of volumes only */
} fields[FIELDS] = {
    {NUMBER, "label", "label", "label", false},
    {AREA, "area", "area", "area", false},
    {FRONT, "front", NULL, "bbox-0", true},
    {TOP, "top", "bbox-0", "bbox-1", false},
    {LEFT, "left", "bbox-1", "bbox-2", false},
    {BACK, "back", NULL, "bbox-3", true},
    {BOTTOM, "bottom", "bbox-2", "bbox-4", false},
    {RIGHT, "right", "bbox-3", "bbox-5", false},
    {PLANE, "z", NULL, "centroid-0", true},
    {ROW, "y", "centroid-0", "centroid-1", false},
    {COLUMN, "x", "centroid-1", "centroid-2", false},
    {MEAN_GREY, "mean_grey", "intensity_mean", "intensity_mean", false},
    {MIN_GREY, "min_grey", "intensity_min", "intensity_min", false},
    {MAX_GREY, "max_grey", "intensity_max", "intensity_max", false},
    {VALUE, "value", "intensity_mean", "intensity_mean", false},
    {MIN_VALUE, "min_value", "intensity_min", "intensity_min", false},
    {MAX_VALUE, "max_value", "intensity_max", "intensity_max", false},
    {PROPERTY + LABEL_MAJOR, "axis_major_length", "axis_major_length", "axis_major_length", false},
    {PROPERTY + LABEL_MINOR, "axis_minor_length", "axis_minor_length", "axis_minor_length", false},
    {PROPERTY + LABEL_ECCENTRICITY, "eccentricity", "eccentricity", "eccentricity", false},
    {PROPERTY + LABEL_ORIENTATION, "orientation", "orientation", "orientation", false},
    {PROPERTY + LABEL_PERIMETER, "perimeter", "perimeter", "perimeter", false},
    {PROPERTY + LABEL_SOLIDITY, "solidity", "solidity", "solidity", false},
    {CHANNEL, "mean_red", "intensity_mean-0", "intensity_mean-0", false},
    {CHANNEL + 1, "mean_green", "intensity_mean-1", "intensity_mean-1", false},
    {CHANNEL + 2, "mean_blue", "intensity_mean-2", "intensity_mean-2", false},
    {CHANNEL_MIN, "min_red", "intensity_min-0", "intensity_min-0", false},
    {CHANNEL_MIN + 1, "min_green", "intensity_min-1", "intensity_min-1", false},
    {CHANNEL_MIN + 2, "min_blue", "intensity_min-2", "intensity_min-2", false},
    {CHANNEL_MAX, "max_red", "intensity_max-0", "intensity_max-0", false},
    {CHANNEL_MAX + 1, "max_green", "intensity_max-1", "intensity_max-1", false},
    {CHANNEL_MAX + 2, "max_blue", "intensity_max-2", "intensity_max-2", false},
};

typedef struct {
    const halo_region *regions;
    halo_shape *shapes;          /* or NULL */
    halo_channels *channels;     /* or NULL */
    halo_intensity *intensities; /* of samples that are no greys; or NULL */
    halo_sample_type samples;    /* their type */
    bool fits;                   /* sums and ends are whole numbers of 64 bits */
    const app_run *run;
    const label_options *asked;
    label_pixel pixel;
    int axes;
    halo_sample_type values; /* that regions are of; or ALIKE: they have greys */
    halo_table_column columns[FIELDS];
    region_field shown[FIELDS];
    int count;
} region_table;

static halo_table_kind kind_of_values(halo_sample_type type)
{
    return halo_sample_is_real(type) ? HALO_TABLE_REAL
           : type == HALO_SAMPLE_U64 ? HALO_TABLE_UNSIGNED
                                     : HALO_TABLE_INTEGER;
}

/* Centroids and areas in the units of the spacing are no ratios of whole numbers. */
static halo_table_kind kind_of(const region_table *table, region_field field)
{
    if (field >= CHANNEL) {
        return field < CHANNEL_MIN ? HALO_TABLE_RATIO : HALO_TABLE_INTEGER;
    }
    if (field >= PROPERTY) {
        return HALO_TABLE_REAL;
    }
    if (field >= VALUE) {
        return kind_of_values(table->values);
    }
    if (table->intensities != NULL && (field == MIN_GREY || field == MAX_GREY)) {
        return kind_of_values(table->samples);
    }
    if (table->intensities != NULL && field == MEAN_GREY && !table->fits) {
        return HALO_TABLE_REAL;
    }
    bool mean = field == PLANE || field == ROW || field == COLUMN;
    if (table->pixel.spaced && (mean || field == AREA)) {
        return HALO_TABLE_REAL;
    }
    return mean || field == MEAN_GREY ? HALO_TABLE_RATIO : HALO_TABLE_INTEGER;
}

/* Greys, or values: one, or the least and the largest. */
static bool is_shown(const region_table *table, region_field field)
{
    bool values = table->values != HALO_LABEL_ALIKE;
    if (field >= PROPERTY) {
        return label_tells(table->run, field < CHANNEL ? field - PROPERTY : LABEL_CHANNELS);
    }
    if (field == VALUE || field == MIN_VALUE || field == MAX_VALUE) {
        return values && (field == VALUE) == !(table->asked->delta.value > 0);
    }
    bool grey = field == MEAN_GREY || field == MIN_GREY || field == MAX_GREY;
    return !grey || !values;
}

/* Which field is the i-th. Own tables have x, y, z in this order, as all tables have; those of
 * scikit-image the order of arrays, as the list above. */
static int field_at(int i, bool own)
{
    bool place = i >= FRONT && i <= COLUMN; /* three times three */
    return own && place ? i + 2 - 2 * ((i - FRONT) % HALO_AXES) : i;
}

static const char *name_of(const region_table *table, int i)
{
    static const char *const american[FIELDS] = {
        [MEAN_GREY] = "mean_gray", [MIN_GREY] = "min_gray", [MAX_GREY] = "max_gray"};
    region_field field = fields[i].field;
    int names = table->asked->names;
    if (names == LABEL_NAMES_SKIMAGE) {
        return table->axes == HALO_AXES ? fields[i].solid : fields[i].flat;
    }
    return names == LABEL_NAMES_AMERICAN && american[field] != NULL ? american[field]
                                                                    : fields[i].name;
}

static void choose_columns(region_table *table)
{
    bool solid = table->axes == HALO_AXES, own = table->asked->names != LABEL_NAMES_SKIMAGE;
    for (int place = 0; place < FIELDS; place++) {
        int i = field_at(place, own);
        if ((fields[i].planes && !solid) || !is_shown(table, fields[i].field)) {
            continue;
        }
        table->columns[table->count] =
            (halo_table_column){name_of(table, i), kind_of(table, fields[i].field)};
        table->shown[table->count++] = fields[i].field;
    }
}

static halo_table_value mean(const region_table *table, int64_t sum, int64_t area, int axis)
{
    return table->pixel.spaced
               ? halo_table_real((double)sum / (double)area * table->pixel.size[axis])
               : (halo_table_value){sum, area};
}

static halo_table_value area_of(const region_table *table, int64_t area)
{
    const double *size = table->pixel.size;
    double cell = size[1] * size[2] * (table->axes == HALO_AXES ? size[0] : 1);
    return table->pixel.spaced ? halo_table_real((double)area * cell) : (halo_table_value){area, 1};
}

static halo_table_value value_of(const region_table *table, int64_t key)
{
    return halo_sample_is_real(table->values)
               ? halo_table_real(halo_sample_real(table->values, key))
               : (halo_table_value){halo_sample_whole(table->values, key), 1};
}

static void shape_values(const region_table *table, int64_t row, halo_table_value *values)
{
    const double *size = table->pixel.size;
    const halo_shape *shape = &table->shapes[row];
    const halo_shape_axes axes = halo_shape_find_axes(shape, table->axes, size);
    values[LABEL_MAJOR] = halo_table_real(axes.major);
    values[LABEL_MINOR] = halo_table_real(axes.minor);
    values[LABEL_ECCENTRICITY] = halo_table_real(axes.eccentricity);
    values[LABEL_ORIENTATION] = halo_table_real(axes.orientation);
    values[LABEL_PERIMETER] = halo_table_real(halo_shape_perimeter(shape) * size[1]);
    values[LABEL_SOLIDITY] =
        halo_table_real((double)table->regions[row].area / (double)shape->hull);
}

static void channel_values(const region_table *table, int64_t row, halo_table_value *values)
{
    const halo_channels *channels = &table->channels[row];
    for (int i = 0; i < HALO_CHANNELS; i++) {
        values[CHANNEL + i] = (halo_table_value){channels->sum[i], table->regions[row].area};
        values[CHANNEL_MIN + i] = (halo_table_value){channels->min[i], 1};
        values[CHANNEL_MAX + i] = (halo_table_value){channels->max[i], 1};
    }
}

/* An end of the samples of a region. */
static halo_table_value end_of(const region_table *table, int64_t key)
{
    return kind_of(table, MIN_GREY) != HALO_TABLE_REAL
               ? (halo_table_value){halo_sample_whole(table->samples, key), 1}
               : halo_table_real(halo_sample_real(table->samples, key));
}

/* Without a number among its pixels, a region has neither. */
static void intensity_values(const region_table *table, int64_t row, halo_table_value *values)
{
    const halo_intensity *of = &table->intensities[row];
    values[MEAN_GREY] =
        table->fits ? (halo_table_value){of->sum, of->numbers} : halo_table_real(of->mean);
    values[MIN_GREY] = of->numbers > 0 ? end_of(table, of->min) : halo_table_real(NAN);
    values[MAX_GREY] = of->numbers > 0 ? end_of(table, of->max) : halo_table_real(NAN);
}

static void region_row(const void *context, int64_t row, halo_table_value *values)
{
    const region_table *table = context;
    const halo_region *r = &table->regions[row];
    bool seeds = table->asked->label.numbering == HALO_LABEL_SEED;
    halo_table_value all[FIELDS] = {[NUMBER] = {seeds ? r->last : r->number, 1},
                                    [AREA] = area_of(table, r->area),
                                    [FRONT] = {r->front, 1},
                                    [TOP] = {r->top, 1},
                                    [LEFT] = {r->left, 1},
                                    [BACK] = {r->back, 1},
                                    [BOTTOM] = {r->bottom, 1},
                                    [RIGHT] = {r->right, 1},
                                    [PLANE] = mean(table, r->plane_sum, r->area, 0),
                                    [ROW] = mean(table, r->row_sum, r->area, 1),
                                    [COLUMN] = mean(table, r->column_sum, r->area, 2),
                                    [MEAN_GREY] = {r->grey_sum, r->area},
                                    [MIN_GREY] = {r->grey_min, 1},
                                    [MAX_GREY] = {r->grey_max, 1},
                                    [VALUE] = value_of(table, r->grey_min),
                                    [MIN_VALUE] = value_of(table, r->grey_min),
                                    [MAX_VALUE] = value_of(table, r->grey_max)};
    if (table->shapes != NULL) {
        shape_values(table, row, all + PROPERTY);
    }
    if (table->intensities != NULL) {
        intensity_values(table, row, all);
    }
    if (table->channels != NULL) {
        channel_values(table, row, all);
    }
    for (int i = 0; i < table->count; i++) {
        values[i] = all[table->shown[i]];
    }
}

/* Collective. What else is asked for. */
static halo_status find_more(app_run *run, region_table *regions)
{
    const label_job *job = run->job;
    int64_t count;
    if (label_tells_shapes(run)) {
        HALO_TRY(halo_label_shapes(job->label, label_tells(run, LABEL_SOLIDITY), &regions->shapes,
                                   &count));
    }
    if (regions->samples != HALO_LABEL_ALIKE) {
        HALO_TRY(label_find_intensities(run, &regions->intensities, &count, &regions->fits));
    }
    return label_tells(run, LABEL_CHANNELS) ? label_find_channels(run, &regions->channels, &count)
                                            : HALO_OK;
}

halo_status label_write_regions(app_run *run, const char *path)
{
    const label_job *job = run->job;
    region_table regions = {.run = run,
                            .asked = run->options,
                            .pixel = label_pixel_of(run),
                            .axes = run->domain.axes,
                            .values = label_value_type(run),
                            .samples = job->wide.type};
    halo_table table = {.columns = regions.columns, .row = region_row, .context = &regions};
    regions.regions = halo_label_regions(job->label, &table.rows);
    halo_status status = find_more(run, &regions);
    if (status == HALO_OK) {
        choose_columns(&regions); /* they depend on what was found */
        table.column_count = regions.count;
        status = app_write_table(run, path, &table);
    }
    halo_memory_free(regions.shapes);
    halo_memory_free(regions.channels);
    halo_memory_free(regions.intensities);
    return status;
}
