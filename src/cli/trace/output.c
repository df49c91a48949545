#include "app/outputs.h"
#include "app/services/tasks.h"
#include "base/minmax.h"
#include "cli/trace/job.h"
#include "io/png/png_write.h"

#include <string.h>

/* ---- pictures -------------------------------------------------------------------------------- */

static halo_status fill_picture(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const trace_job *job = ((const app_run *)context)->job;
    size_t row = (size_t)(3 * job->width);
    for (int64_t y = 0; y < rows; y++) {
        memcpy((unsigned char *)out + (size_t)y * pitch, job->pixels + (size_t)(first + y) * row,
               row);
    }
    return HALO_OK;
}

/* Tiles in a row of them. */
static int64_t tiles_across(const trace_job *job)
{
    return halo_trace_tiles(job->width, 1);
}

static int64_t most_steps(const trace_job *job)
{
    int64_t most = 1;
    for (int64_t i = 0; i < job->tiles; i++) {
        most = halo_max(most, job->steps[i]);
    }
    return most;
}

/* As metal glows: black, red, yellow, white, each channel after the other. */
static void glow(int64_t steps, int64_t most, unsigned char colour[3])
{
    enum { BRIGHTEST = 255 };
    int64_t heat = steps * 3 * BRIGHTEST / most;
    for (int i = 0; i < 3; i++) {
        colour[i] = (unsigned char)halo_max(0, halo_min(BRIGHTEST, heat - i * BRIGHTEST));
    }
}

static halo_status fill_heat(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const trace_job *job = ((const app_run *)context)->job;
    int64_t most = most_steps(job), across = tiles_across(job);
    for (int64_t y = first; y < first + rows; y++) {
        unsigned char *row = (unsigned char *)out + (size_t)(y - first) * pitch;
        for (int64_t x = 0; x < job->width; x++) {
            int64_t tile = y / HALO_TRACE_TILE * across + x / HALO_TRACE_TILE;
            glow(job->steps[tile], most, row + 3 * x);
        }
    }
    return HALO_OK;
}

static const app_writer picture_writers[] = {{".png", HALO_PNG_RGB8, fill_picture}, {0}};
static const app_writer heat_writers[] = {{".png", HALO_PNG_RGB8, fill_heat}, {0}};

const app_output trace_outputs[] = {
    {.option = offsetof(trace_options, output), .phase = "writing", .writers = picture_writers},
    {.option = offsetof(trace_options, heat), .phase = "writing", .writers = heat_writers},
    APP_TASKS_OUTPUT,
    {0}};

/* ---- costs ----------------------------------------------------------------------------------- */

json_t *trace_cost_facts(const trace_job *job)
{
    int64_t across = tiles_across(job);
    int64_t down = job->tiles / across, most = 0, most_of_row = 0, upper = 0, sum = 0;
    for (int64_t y = 0; y < down; y++) {
        int64_t row = 0;
        for (int64_t x = 0; x < across; x++) {
            row += job->steps[y * across + x];
            most = halo_max(most, job->steps[y * across + x]);
        }
        sum += row;
        most_of_row = halo_max(most_of_row, row);
        upper += 2 * y + 1 < down ? row : 2 * y + 1 == down ? row / 2 : 0;
    }
    double all = sum > 0 ? (double)sum : 1;
    return json_pack("{s:I, s:f, s:I, s:f, s:f, s:f}", "steps", (json_int_t)sum, "tile_mean",
                     (double)sum / (double)job->tiles, "tile_max", (json_int_t)most, "tile_ratio",
                     (double)most * (double)job->tiles / all, "row_ratio",
                     (double)most_of_row * (double)down / all, "upper_half", (double)upper / all);
}
