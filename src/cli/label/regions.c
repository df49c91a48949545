#include "cli/label/job.h"
#include "io/table/table.h"

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
    MAX_GREY
} region_field;

/* What a column is called; as scikit-image's regionprops_table calls it in two and in three axes,
 * of which the first is counted in images that have it. */
static const struct {
    region_field field;
    const char *name, *flat, *solid;
    bool planes; /* of volumes only */
} fields[] = {
    {NUMBER, "label", "label", "label", false},
    {AREA, "area", "area", "area", false},
    {FRONT, "front", NULL, "bbox-0", true},
    {TOP, "top", "bbox-0", "bbox-1", false},
    {LEFT, "left", "bbox-1", "bbox-2", false},
    {BACK, "back", NULL, "bbox-3", true},
    {BOTTOM, "bottom", "bbox-2", "bbox-4", false},
    {RIGHT, "right", "bbox-3", "bbox-5", false},
    {PLANE, "plane", NULL, "centroid-0", true},
    {ROW, "row", "centroid-0", "centroid-1", false},
    {COLUMN, "column", "centroid-1", "centroid-2", false},
    {MEAN_GREY, "mean_grey", "intensity_mean", "intensity_mean", false},
    {MIN_GREY, "min_grey", "intensity_min", "intensity_min", false},
    {MAX_GREY, "max_grey", "intensity_max", "intensity_max", false},
};

enum { FIELDS = sizeof fields / sizeof *fields };

typedef struct {
    const halo_region *regions;
    const label_options *asked;
    int axes;
    halo_table_column columns[FIELDS];
    region_field shown[FIELDS];
    int count;
} region_table;

static bool has_spacing(const label_options *asked)
{
    return asked->spacing.size[0] > 0;
}

/* Centroids and areas in the units of the spacing are no ratios of whole numbers. */
static halo_table_kind kind_of(const label_options *asked, region_field field)
{
    bool mean = field == PLANE || field == ROW || field == COLUMN;
    if (has_spacing(asked) && (mean || field == AREA)) {
        return HALO_TABLE_REAL;
    }
    return mean || field == MEAN_GREY ? HALO_TABLE_RATIO : HALO_TABLE_INTEGER;
}

static void choose_columns(region_table *table)
{
    bool solid = table->axes == HALO_AXES;
    for (int i = 0; i < FIELDS; i++) {
        if (fields[i].planes && !solid) {
            continue;
        }
        const char *scikit = solid ? fields[i].solid : fields[i].flat;
        bool own = table->asked->names == LABEL_NAMES_OWN;
        table->columns[table->count] = (halo_table_column){own ? fields[i].name : scikit,
                                                           kind_of(table->asked, fields[i].field)};
        table->shown[table->count++] = fields[i].field;
    }
}

static halo_table_value mean(const region_table *table, int64_t sum, int64_t area, int axis)
{
    return has_spacing(table->asked)
               ? halo_table_real((double)sum / (double)area * table->asked->spacing.size[axis])
               : (halo_table_value){sum, area};
}

static halo_table_value area_of(const region_table *table, int64_t area)
{
    const double *size = table->asked->spacing.size;
    double cell = size[1] * size[2] * (table->axes == HALO_AXES ? size[0] : 1);
    return has_spacing(table->asked) ? halo_table_real((double)area * cell)
                                     : (halo_table_value){area, 1};
}

static void region_row(const void *context, int64_t row, halo_table_value *values)
{
    const region_table *table = context;
    const halo_region *r = &table->regions[row];
    bool seeds = table->asked->label.numbering == HALO_LABEL_SEED;
    const halo_table_value all[FIELDS] = {[NUMBER] = {seeds ? r->last : r->number, 1},
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
                                          [MAX_GREY] = {r->grey_max, 1}};
    for (int i = 0; i < table->count; i++) {
        values[i] = all[table->shown[i]];
    }
}

halo_status label_write_regions(app_run *run, const char *path)
{
    const label_job *job = run->job;
    region_table regions = {.asked = run->options, .axes = run->domain.axes};
    choose_columns(&regions);
    halo_table table = {.columns = regions.columns,
                        .column_count = regions.count,
                        .row = region_row,
                        .context = &regions};
    regions.regions = halo_label_regions(job->label, &table.rows);
    return app_write_table(run, path, &table);
}
