#include "cli/region_whole.h"

#include "app/outputs.h"
#include "base/minmax.h"
#include "core/world/collect.h"
#include "io/table/table.h"
#include "kernels/label/measure/chords.h"
#include "kernels/label/measure/correlation.h"
#include "kernels/label/measure/surface.h"

/* ---- facts ----------------------------------------------------------------------------------- */

static void add_region(cli_whole *whole, const halo_region *region, const int64_t n[HALO_AXES])
{
    const int64_t low[] = {region->front, region->top, region->left};
    const int64_t high[] = {region->back, region->bottom, region->right};
    whole->pixels += region->area;
    whole->largest = halo_max(whole->largest, region->area);
    for (int axis = 0; axis < HALO_AXES; axis++) {
        bool spans = low[axis] == 0 && high[axis] == n[axis];
        whole->spanning[axis] += spans ? region->area : 0;
    }
}

halo_status cli_whole_find(cli_whole *whole, const app_run *run, const halo_region *regions,
                           int64_t count, const label_numbered *image, const app_pixel *pixel)
{
    const bool *periodic = run->domain.periodic;
    bool open = !periodic[0] && !periodic[1] && !periodic[2];
    bool solid = run->domain.axes == HALO_AXES;
    const int64_t n[HALO_AXES] = {solid ? run->domain.n[0] : 1, run->domain.n[solid ? 1 : 0],
                                  run->domain.n[solid ? 2 : 1]};
    *whole = (cli_whole){.surface = -1};
    for (int64_t i = 0; i < count; i++) {
        add_region(whole, &regions[i], n);
    }
    int64_t sums[] = {whole->pixels, whole->spanning[0], whole->spanning[1], whole->spanning[2]};
    HALO_TRY(halo_allreduce_sum(run->world, sums, 1 + HALO_AXES));
    HALO_TRY(halo_allreduce_max(run->world, &whole->largest, 1));
    whole->pixels = sums[0];
    for (int axis = 0; axis < HALO_AXES; axis++) {
        whole->spanning[axis] = sums[1 + axis];
    }
    if (image != NULL && solid && open) {
        HALO_TRY(label_surface_of_all(image, pixel->size, &whole->surface));
    }
    whole->found = true;
    return HALO_OK;
}

static json_t *share(int64_t some, int64_t all)
{
    return all > 0 ? json_real((double)some / (double)all) : json_null();
}

/* An object with a share for each axis of the image. */
static json_t *shares(const cli_whole *whole, const app_run *run, int64_t all)
{
    static const char *const names[] = {"z", "y", "x"};
    json_t *object = json_object();
    for (int axis = HALO_AXES - 1; axis >= HALO_AXES - run->domain.axes; axis--) {
        json_object_set_new(object, names[axis], share(whole->spanning[axis], all));
    }
    return object;
}

json_t *cli_whole_json(const cli_whole *whole, const app_run *run, const app_pixel *pixel)
{
    const halo_box box = {.n = {run->domain.n[0], run->domain.n[1], run->domain.n[2]}};
    int64_t pixels = halo_box_cells(&box);
    if (!whole->found) {
        return NULL;
    }
    const double *size = pixel->size;
    double volume = (double)pixels * size[0] * size[1] * size[2];
    json_t *surface = whole->surface < 0 ? json_null() : json_real(whole->surface / volume);
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "porosity", share(whole->pixels, pixels),
                     "connected_share", share(whole->largest, whole->pixels), "percolating_share",
                     shares(whole, run, whole->pixels), "percolating_porosity",
                     shares(whole, run, pixels), "specific_surface", surface);
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* The axes of an image by the names of columns: x, y, z. */
static int axis_of(int column)
{
    return HALO_AXES - 1 - column;
}

typedef struct {
    const label_chords *chords;
    const label_numbered *image;
} chord_rows;

/* A length that an axis does not have has no chords. */
static void chord_row(const void *context, int64_t row, halo_table_value *values)
{
    const chord_rows *rows = context;
    int axes = rows->image->axes;
    int64_t length = row + 1;
    values[0] = (halo_table_value){length, 1};
    for (int i = 0; i < axes; i++) {
        int axis = axis_of(i);
        bool has = length <= rows->image->n[axis];
        values[1 + i] = (halo_table_value){has ? rows->chords->whole[axis][length] : 0, 1};
        values[1 + axes + i] = (halo_table_value){has ? rows->chords->cut[axis][length] : 0, 1};
    }
}

/* Lines for lengths up to the longest chord. */
static int64_t count_lengths(const chord_rows *rows)
{
    int64_t most = 0;
    for (int i = 0; i < rows->image->axes; i++) {
        int axis = axis_of(i);
        for (int64_t length = 1; length <= rows->image->n[axis]; length++) {
            bool some = rows->chords->whole[axis][length] + rows->chords->cut[axis][length] > 0;
            most = some ? halo_max(most, length) : most;
        }
    }
    return most;
}

halo_status cli_whole_write_chords(app_run *run, const char *path, const label_numbered *image)
{
    static const halo_table_column flat[] = {{"length", HALO_TABLE_INTEGER},
                                             {"chords_x", HALO_TABLE_INTEGER},
                                             {"chords_y", HALO_TABLE_INTEGER},
                                             {"cut_x", HALO_TABLE_INTEGER},
                                             {"cut_y", HALO_TABLE_INTEGER}};
    static const halo_table_column solid[] = {
        {"length", HALO_TABLE_INTEGER},   {"chords_x", HALO_TABLE_INTEGER},
        {"chords_y", HALO_TABLE_INTEGER}, {"chords_z", HALO_TABLE_INTEGER},
        {"cut_x", HALO_TABLE_INTEGER},    {"cut_y", HALO_TABLE_INTEGER},
        {"cut_z", HALO_TABLE_INTEGER}};
    label_chords chords = {.whole = {NULL}};
    const chord_rows rows = {&chords, image};
    halo_table table = {.columns = image->axes == HALO_AXES ? solid : flat,
                        .column_count = 1 + 2 * image->axes,
                        .row = chord_row,
                        .context = &rows};
    halo_status status = label_chords_count(&chords, image);
    if (status == HALO_OK) {
        table.rows = app_is_root(run) ? count_lengths(&rows) : 0;
        status = app_write_table(run, path, &table);
    }
    label_chords_free(&chords);
    return status;
}

typedef struct {
    const label_correlation *correlation;
    const label_numbered *image;
} correlation_rows;

/* The column of all axes together adds up those that are that long. */
static void correlation_row(const void *context, int64_t row, halo_table_value *values)
{
    const correlation_rows *rows = context;
    const label_correlation *correlation = rows->correlation;
    int axes = rows->image->axes;
    int64_t both = 0, all = 0;
    values[0] = (halo_table_value){row, 1};
    for (int i = 0; i < axes; i++) {
        int axis = axis_of(i);
        bool has = row < correlation->count[axis];
        int64_t pairs = has ? correlation->pairs[axis][row] : 0;
        int64_t every = has ? label_correlation_all(rows->image, axis, row) : 1;
        values[1 + i] = (halo_table_value){pairs, every};
        both += has ? pairs : 0;
        all += has ? every : 0;
    }
    values[1 + axes] = (halo_table_value){both, all};
}

halo_status cli_whole_write_correlation(app_run *run, const char *path, const label_numbered *image)
{
    static const halo_table_column flat[] = {{"distance", HALO_TABLE_INTEGER},
                                             {"x", HALO_TABLE_RATIO},
                                             {"y", HALO_TABLE_RATIO},
                                             {"all", HALO_TABLE_RATIO}};
    static const halo_table_column solid[] = {{"distance", HALO_TABLE_INTEGER},
                                              {"x", HALO_TABLE_RATIO},
                                              {"y", HALO_TABLE_RATIO},
                                              {"z", HALO_TABLE_RATIO},
                                              {"all", HALO_TABLE_RATIO}};
    label_correlation correlation = {.count = {0}};
    const correlation_rows rows = {&correlation, image};
    halo_table table = {.columns = image->axes == HALO_AXES ? solid : flat,
                        .column_count = 2 + image->axes,
                        .row = correlation_row,
                        .context = &rows};
    halo_status status = label_correlation_count(&correlation, image);
    if (status == HALO_OK) {
        int64_t most = 0;
        for (int axis = 0; axis < HALO_AXES; axis++) {
            most = halo_max(most, correlation.count[axis]);
        }
        table.rows = app_is_root(run) ? most : 0;
        status = app_write_table(run, path, &table);
    }
    label_correlation_free(&correlation);
    return status;
}
