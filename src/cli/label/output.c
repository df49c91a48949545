#include "cli/label/output.h"

#include "app/paths.h"
#include "app/values.h"
#include "io/canvas/label_palette.h"
#include "io/npy/npy.h"
#include "io/png/png_parallel.h"
#include "io/table/table.h"

#include <inttypes.h>

halo_status label_output_check(cli_label_job *job)
{
    const label_arguments *arguments = job->arguments;
    const char *const outputs[] = {arguments->output, arguments->colour, arguments->regions,
                                   arguments->common.json};
    const char *const inputs[] = {arguments->image, arguments->common.balance.trace};
    HALO_TRY(paths_check(job->world, outputs, 4, inputs, 2));
    HALO_TRY(cli_balance_check_log(job->balance, outputs, 4));
    return cli_balance_check_log(job->balance, inputs, 1);
}

/* Painted rows on their way to a file. */
typedef struct {
    cli_label_job *job;
    halo_label_painting *painting;
} painted_rows;

static halo_status fill_rows(void *context, int64_t first_row, int64_t rows, void *out,
                             size_t pitch)
{
    const painted_rows *painted = context;
    return halo_label_painting_rows(painted->painting, first_row, rows, out, pitch);
}

static void show_rows(void *context, int64_t done, int64_t total)
{
    const painted_rows *painted = context;
    progress_update(&painted->job->progress, done, total);
}

/* Has a file written from `cuts` and `rows`; `header` is the writer's own. */
typedef halo_status rows_write(halo_world *world, const char *path, const void *header,
                               const int64_t *cuts, const halo_rows *rows);

static halo_status write_png(halo_world *world, const char *path, const void *header,
                             const int64_t *cuts, const halo_rows *rows)
{
    return halo_png_write(world, path, header, cuts, rows);
}

static halo_status write_npy(halo_world *world, const char *path, const void *header,
                             const int64_t *cuts, const halo_rows *rows)
{
    return halo_npy_write(world, path, header, cuts, rows);
}

static halo_status write_painted(cli_label_job *job, const char *path, halo_label_paint as,
                                 rows_write *write, const void *header)
{
    painted_rows painted = {.job = job};
    HALO_TRY(halo_label_painting_create(&painted.painting, job->label, as));
    const halo_rows rows = {.fill = fill_rows, .progress = show_rows, .context = &painted};
    halo_stretch stretch = halo_clock_begin(job->world);
    halo_status status =
        write(job->world, path, header, halo_label_painting_cuts(painted.painting), &rows);
    halo_clock_end(&job->clock, HALO_PHASE_ENCODE, stretch, job->world);
    halo_label_painting_destroy(&painted.painting);
    return status;
}

static halo_status write_label_png(cli_label_job *job)
{
    int64_t total = halo_label_total(job->label);
    if (total > UINT16_MAX) {
        return halo_fail(HALO_FORMAT,
                         "%" PRId64 " regions do not fit in a 16-bit PNG, which holds %d; use "
                         "-o FILE.npy, or leave out small regions with --min-area",
                         total, UINT16_MAX);
    }
    halo_png_header header = {
        .width = job->image.info.width, .height = job->image.info.height, .kind = HALO_PNG_GREY16};
    return write_painted(job, job->arguments->output, HALO_LABEL_U16, write_png, &header);
}

static halo_status write_label_npy(cli_label_job *job)
{
    bool wide = job->arguments->label.numbering == HALO_LABEL_SEED ||
                halo_label_total(job->label) > INT32_MAX;
    halo_npy_header header = {.width = job->image.info.width,
                              .height = job->image.info.height,
                              .type = wide ? HALO_NPY_I64 : HALO_NPY_I32};
    return write_painted(job, job->arguments->output, wide ? HALO_LABEL_I64 : HALO_LABEL_I32,
                         write_npy, &header);
}

static halo_status write_colour(cli_label_job *job)
{
    unsigned char palette[3 * HALO_LABEL_PALETTE_COLOURS];
    halo_label_palette(palette);
    halo_png_header header = {.width = job->image.info.width,
                              .height = job->image.info.height,
                              .kind = HALO_PNG_PALETTE,
                              .palette = palette,
                              .colours = HALO_LABEL_PALETTE_COLOURS};
    return write_painted(job, job->arguments->colour, HALO_LABEL_COLOUR, write_png, &header);
}

static const halo_table_column columns[] = {
    {"label", HALO_TABLE_INTEGER}, {"area", HALO_TABLE_INTEGER},   {"top", HALO_TABLE_INTEGER},
    {"left", HALO_TABLE_INTEGER},  {"bottom", HALO_TABLE_INTEGER}, {"right", HALO_TABLE_INTEGER},
    {"row", HALO_TABLE_RATIO},     {"column", HALO_TABLE_RATIO},   {"mean_grey", HALO_TABLE_RATIO}};

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
    };
    for (size_t i = 0; i < sizeof line / sizeof line[0]; i++) {
        values[i] = line[i];
    }
}

static halo_status write_regions(cli_label_job *job)
{
    region_table regions = {.seeds = job->arguments->label.numbering == HALO_LABEL_SEED};
    halo_table table = {.columns = columns,
                        .column_count = sizeof columns / sizeof columns[0],
                        .row = region_row,
                        .context = &regions};
    regions.regions = halo_label_regions(job->label, &table.rows);
    halo_stretch stretch = halo_clock_begin(job->world);
    halo_status status = halo_table_write(job->world, job->arguments->regions, &table);
    halo_clock_end(&job->clock, HALO_PHASE_ENCODE, stretch, job->world);
    return status;
}

halo_status label_output_write(cli_label_job *job)
{
    const label_arguments *arguments = job->arguments;
    if (arguments->output != NULL) {
        progress_phase(&job->progress, "writing labels");
        HALO_TRY(app_ends_with(arguments->output, ".png") ? write_label_png(job)
                                                          : write_label_npy(job));
    }
    if (arguments->colour != NULL) {
        progress_phase(&job->progress, "writing colours");
        HALO_TRY(write_colour(job));
    }
    if (arguments->regions != NULL) {
        progress_phase(&job->progress, "writing regions");
        HALO_TRY(write_regions(job));
    }
    return HALO_OK;
}
