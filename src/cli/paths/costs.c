#include "app/image/image.h"
#include "base/memory.h"
#include "cli/paths/job.h"
#include "core/beat/beat.h"
#include "core/move/redistribute.h"
#include "core/world/collect.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- from samples to costs ------------------------------------------------------------------- */

enum { BYTE = 8, SHORT = 16 }; /* bits */

/* The row's memory is that of cells. */
static double sample_at(int bits, const void *row, int64_t x)
{
    const char *at = (const char *)row + x * bits / BYTE;
    uint8_t byte;
    uint16_t word;
    double real;
    memcpy(&byte, at, sizeof byte);
    if (bits == BYTE) {
        return byte;
    }
    memcpy(&word, at, sizeof word);
    if (bits == SHORT) {
        return word;
    }
    memcpy(&real, at, sizeof real);
    return real;
}

/* The grey of cells that are missing; NaN where they are NaN, or where none can be missing. */
static double missing_grey(const app_run *run)
{
    const halo_image_nodata *nodata = &run->image->info.nodata;
    return nodata->missing == HALO_MISSING_CELL ? (double)nodata->cell : NAN;
}

static bool are_equal(double a, double b)
{
    return a >= b && a <= b;
}

static bool is_barrier(const paths_barriers *barriers, double missing, double sample)
{
    bool is = isnan(sample) || (sample < 0 && barriers->negative) || sample == HUGE_VAL ||
              are_equal(sample, missing);
    for (int i = 0; i < barriers->count; i++) {
        is = is || are_equal(sample, barriers->values[i]);
    }
    return is;
}

static halo_status refuse(const app_run *run, int64_t row, int64_t column, double sample)
{
    return halo_fail(HALO_FORMAT,
                     "%s: the cost in row %" PRId64 ", column %" PRId64 " (from 0) is %g; costs "
                     "are numbers from 0 on: with --barrier negative such cells are barriers",
                     run->image->path, row, column, sample);
}

/* Counts of this rank's cells. */
typedef struct {
    int64_t barriers;
    double min, max; /* min > max: there are none */
} cost_range;

/* Samples lie where the row's cells will be, and are turned into them from the last one on. */
static halo_status fill_row(const app_run *run, int64_t row, cost_range *range)
{
    const paths_job *job = run->job;
    const paths_barriers *barriers = &((const paths_options *)run->options)->barriers;
    double unreached = halo_paths_unreached(&job->options), missing = missing_grey(run);
    halo_paths_cell *cells = paths_row(run, row);
    for (int64_t x = run->domain.n[1] - 1; x >= 0; x--) {
        double sample = sample_at(run->image->cell_bits, cells, x);
        if (is_barrier(barriers, missing, sample)) {
            range->barriers++;
            cells[x] = (halo_paths_cell){.distance = unreached, .cost = HUGE_VAL};
            continue;
        }
        if (!(sample >= 0)) {
            return refuse(run, row, x, sample);
        }
        range->min = sample < range->min ? sample : range->min;
        range->max = sample > range->max ? sample : range->max;
        cells[x] = (halo_paths_cell){.distance = unreached, .cost = fabs(sample)};
    }
    return HALO_OK;
}

/* Numbers from 0 on are in the order of their bits. */
static int64_t bits_of(double number)
{
    int64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static double number_of(int64_t bits)
{
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* A copy of the samples for a picture, of the size they have, before they become cells. */
static void keep_samples(const app_run *run)
{
    const halo_view *picture = halo_field_view(run->samples);
    size_t bytes = (size_t)(run->domain.n[1] * picture->cell_bits / BYTE);
    for (int64_t y = 0; y < picture->owned.n[0]; y++) {
        memcpy(halo_row(picture, y), paths_row(run, picture->owned.lo[0] + y), bytes);
    }
}

/* Costs of an array become greys: the smallest is black, as barriers are. */
static void draw_costs(const app_run *run)
{
    enum { WHITE = 255 };
    const paths_job *job = run->job;
    const halo_view *picture = halo_field_view(run->samples);
    double min = job->cost_range[0], range = job->cost_range[1] - min;
    for (int64_t y = 0; y < picture->owned.n[0]; y++) {
        uint8_t *greys = halo_row(picture, y);
        const halo_paths_cell *cells = paths_row(run, picture->owned.lo[0] + y);
        for (int64_t x = 0; x < run->domain.n[1]; x++) {
            double cost = isinf(cells[x].cost) ? min : cells[x].cost;
            greys[x] = (uint8_t)(range > 0 ? (cost - min) / range * WHITE : WHITE);
        }
    }
}

static halo_status agree_on_range(app_run *run, const cost_range *range)
{
    paths_job *job = run->job;
    int64_t ends[2] = {-bits_of(range->min), bits_of(range->max)};
    job->barriers = range->barriers;
    HALO_TRY(halo_allreduce_max(run->world, ends, 2));
    HALO_TRY(halo_allreduce_sum(run->world, &job->barriers, 1));
    job->cost_range[0] = number_of(-ends[0]);
    job->cost_range[1] = number_of(ends[1]);
    return HALO_OK;
}

static halo_status fill_costs(app_run *run)
{
    const int64_t *mine = run->cuts + halo_world_rank(run->world);
    bool is_array = run->image->cell_bits > SHORT;
    cost_range range = {.min = HUGE_VAL};
    halo_status status = HALO_OK;
    if (run->samples != NULL && !is_array) {
        keep_samples(run);
    }
    for (int64_t row = mine[0]; status == HALO_OK && row < mine[1]; row++) {
        status = fill_row(run, row, &range);
    }
    HALO_TRY(halo_agree(run->world, status));
    HALO_TRY(agree_on_range(run, &range));
    if (run->samples != NULL && is_array) {
        draw_costs(run);
    }
    return HALO_OK;
}

halo_status paths_read_costs(app_run *run)
{
    const paths_job *job = run->job;
    halo_view samples =
        *(job->cells != NULL ? halo_field_view(job->cells) : halo_beat_view(run->beat, 0));
    samples.cell_bits = run->image->cell_bits;
    HALO_TRY(app_read_image(run, run->cuts, &samples, NULL, NULL));
    halo_stretch stretch = halo_clock_begin(run->world);
    halo_status status = fill_costs(run);
    halo_clock_end(&run->clock, HALO_PHASE_COMPUTE, stretch, run->world);
    return status;
}

/* ---- where they are computed on -------------------------------------------------------------- */

static bool is_direct(const app_run *run)
{
    const paths_job *job = run->job;
    return halo_partition_equal(halo_beat_partition(run->beat), &job->strips);
}

halo_paths_cell *paths_row(const app_run *run, int64_t row)
{
    const paths_job *job = run->job;
    const halo_view *view =
        job->cells != NULL ? halo_field_view(job->cells) : halo_beat_view(run->beat, 0);
    return halo_row(view, row - view->owned.lo[0]);
}

static halo_status create_cells(app_run *run)
{
    paths_job *job = run->job;
    halo_box mine = halo_partition_box(&job->strips, halo_world_rank(run->world));
    return halo_agree(run->world, halo_field_create(&job->cells, &run->domain, &mine,
                                                    job->kernel.cell_bits[0], 0));
}

/* For a picture of the paths; one in colours is read again. */
static halo_status create_picture(app_run *run)
{
    bool drawn = ((const paths_options *)run->options)->overlay != NULL;
    halo_box mine =
        halo_partition_box(&((paths_job *)run->job)->strips, halo_world_rank(run->world));
    int bits = run->image->cell_bits > SHORT ? BYTE : run->image->cell_bits;
    return drawn && !run->image->info.colourful
               ? halo_field_create(&run->samples, &run->domain, &mine, bits, 0)
               : HALO_OK;
}

halo_status paths_create_cells(app_run *run)
{
    HALO_TRY(halo_agree(run->world, create_picture(run)));
    return is_direct(run) ? HALO_OK : create_cells(run);
}

halo_status paths_spread(app_run *run)
{
    paths_job *job = run->job;
    halo_status status = HALO_OK;
    if (job->cells != NULL) {
        status = halo_redistribute(run->world, halo_field_view(job->cells), &job->strips,
                                   halo_beat_view(run->beat, 0), halo_beat_partition(run->beat),
                                   &run->clock);
    }
    paths_release(run);
    return status;
}

halo_status paths_collect(app_run *run)
{
    paths_job *job = run->job;
    if (is_direct(run)) {
        return HALO_OK;
    }
    HALO_TRY(create_cells(run));
    return halo_redistribute(run->world, halo_beat_view(run->beat, 0),
                             halo_beat_partition(run->beat), halo_field_view(job->cells),
                             &job->strips, &run->clock);
}

void paths_release(app_run *run)
{
    halo_field_destroy(&((paths_job *)run->job)->cells);
}
