#include "base/names.h"
#include "cli/label/job.h"
#include "io/npy/npy.h"
#include "io/table/table.h"

#include <inttypes.h>
#include <string.h>

static bool has_seeds(const app_run *run)
{
    const label_options *asked = run->options;
    return asked->label.numbering == HALO_LABEL_SEED;
}

/* ---- images of labels ------------------------------------------------------------------------ */

static halo_status open_painting(app_run *run, halo_label_paint as)
{
    label_job *job = run->job;
    HALO_TRY(halo_label_painting_create(&job->painting, job->label, as));
    run->cuts = halo_label_painting_cuts(job->painting);
    return HALO_OK;
}

static void close_painting(app_run *run)
{
    label_job *job = run->job;
    halo_label_painting_destroy(&job->painting);
    run->cuts = NULL;
}

static halo_status fill_rows(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const app_run *run = context;
    const label_job *job = run->job;
    return halo_label_painting_rows(job->painting, first, rows, out, pitch);
}

static bool is_wide(const app_run *run)
{
    const label_job *job = run->job;
    return has_seeds(run) || halo_label_total(job->label) > INT32_MAX;
}

static halo_status prepare_labels(app_run *run)
{
    const label_options *asked = run->options;
    const label_job *job = run->job;
    int64_t total = halo_label_total(job->label);
    if (!halo_name_ends(asked->output, ".png")) {
        return open_painting(run, is_wide(run) ? HALO_LABEL_I64 : HALO_LABEL_I32);
    }
    return total <= UINT16_MAX
               ? open_painting(run, HALO_LABEL_U16)
               : halo_fail(HALO_FORMAT,
                           "%" PRId64 " regions do not fit in a 16-bit PNG, which holds %d; use "
                           "-o FILE.npy, or leave out small regions with --min-area",
                           total, UINT16_MAX);
}

static halo_status write_labels(app_run *run, const char *path)
{
    return halo_name_ends(path, ".png")
               ? app_write_png(run, path, HALO_PNG_GREY16, fill_rows)
               : app_write_npy(run, path, is_wide(run) ? HALO_NPY_I64 : HALO_NPY_I32, fill_rows);
}

static halo_status prepare_colour(app_run *run)
{
    return open_painting(run, HALO_LABEL_COLOUR);
}

static halo_status write_colour(app_run *run, const char *path)
{
    return app_write_colours(run, path, fill_rows);
}

/* ---- the table of regions -------------------------------------------------------------------- */

static const halo_table_column columns[] = {
    {"label", HALO_TABLE_INTEGER},   {"area", HALO_TABLE_INTEGER},
    {"top", HALO_TABLE_INTEGER},     {"left", HALO_TABLE_INTEGER},
    {"bottom", HALO_TABLE_INTEGER},  {"right", HALO_TABLE_INTEGER},
    {"row", HALO_TABLE_RATIO},       {"column", HALO_TABLE_RATIO},
    {"mean_grey", HALO_TABLE_RATIO}, {"min_grey", HALO_TABLE_INTEGER},
    {"max_grey", HALO_TABLE_INTEGER}};

typedef struct {
    const halo_region *regions;
    bool seeds;
} region_table;

static void region_row(const void *context, int64_t row, halo_table_value *values)
{
    const region_table *table = context;
    const halo_region *region = &table->regions[row];
    const halo_table_value line[] = {
        {table->seeds ? region->last : region->number, 1},
        {region->area, 1},
        {region->top, 1},
        {region->left, 1},
        {region->bottom, 1},
        {region->right, 1},
        {region->row_sum, region->area},
        {region->column_sum, region->area},
        {region->grey_sum, region->area},
        {region->grey_min, 1},
        {region->grey_max, 1},
    };
    memcpy(values, line, sizeof line);
}

static halo_status write_regions(app_run *run, const char *path)
{
    const label_job *job = run->job;
    region_table regions = {.seeds = has_seeds(run)};
    halo_table table = {.columns = columns,
                        .column_count = sizeof columns / sizeof columns[0],
                        .row = region_row,
                        .context = &regions};
    regions.regions = halo_label_regions(job->label, &table.rows);
    return app_write_table(run, path, &table);
}

/* ---------------------------------------------------------------------------------------------- */

const app_output label_outputs[] = {{.option = offsetof(label_options, output),
                                     .phase = "writing labels",
                                     .write = write_labels,
                                     .prepare = prepare_labels,
                                     .finish = close_painting},
                                    {.option = offsetof(label_options, colour),
                                     .phase = "writing colours",
                                     .write = write_colour,
                                     .prepare = prepare_colour,
                                     .finish = close_painting},
                                    {.option = offsetof(label_options, regions),
                                     .phase = "writing regions",
                                     .write = write_regions,
                                     .joins = true},
                                    {0}};
