#include "app/outputs.h"
#include "app/stencil/cells.h"
#include "cli/chan_vese/job.h"
#include "core/exchange/exchange.h"
#include "core/world/collect.h"
#include "io/canvas/canvas.h"
#include "io/npy/npy.h"
#include "io/png/png_write.h"

#include <string.h>

enum { CHANNELS = 3, BYTE = 8, WORD = 64 /* bits */ };

static const void *cells_at(const app_run *run, int64_t row)
{
    const halo_view *view = halo_beat_view(run->beat, 0);
    return halo_row(view, row - view->owned.lo[0]);
}

static halo_status fill_bits(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const app_run *run = context;
    for (int64_t i = 0; i < rows; i++) {
        memcpy((char *)out + (size_t)i * pitch, cells_at(run, first + i),
               (size_t)(run->domain.n[1] + BYTE - 1) / BYTE);
    }
    return HALO_OK;
}

static halo_status fill_bytes(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const app_run *run = context;
    for (int64_t i = 0; i < rows; i++) {
        stencil_cells_bytes_of_bits(cells_at(run, first + i), run->domain.n[1],
                                    (unsigned char *)out + (size_t)i * pitch);
    }
    return HALO_OK;
}

/* ---- the overlay ----------------------------------------------------------------------------- */

/* The last pixels inside, and the first ones outside, which make them stand out. */
static const unsigned char inner_colour[CHANNELS] = {255, 212, 0};
static const unsigned char outer_colour[CHANNELS] = {32, 24, 0};

/* The level set with room for a row of each neighbour. */
static halo_status copy_cells(app_run *run)
{
    chan_vese_job *job = run->job;
    const halo_view *view = halo_beat_view(run->beat, 0);
    HALO_TRY(halo_field_create(&job->cells, &run->domain, &view->owned, HALO_BIT, 1));
    const halo_view *copy = halo_field_view(job->cells);
    size_t bytes = (size_t)(view->owned.n[1] + WORD - 1) / WORD * sizeof(uint64_t);
    for (int64_t y = 0; y < view->owned.n[0]; y++) {
        memcpy(halo_row(copy, y), halo_row(view, y), bytes);
    }
    return HALO_OK;
}

static halo_status fetch_rows(app_run *run)
{
    chan_vese_job *job = run->job;
    halo_exchange *exchange = NULL;
    HALO_TRY(halo_exchange_create(&exchange, run->world, halo_beat_partition(run->beat),
                                  &job->cells, 1, NULL));
    halo_status status = halo_agree(run->world, halo_exchange_begin(exchange));
    if (status == HALO_OK) {
        status = halo_agree(run->world, halo_exchange_end(exchange));
    }
    halo_exchange_destroy(&exchange);
    return status;
}

static halo_status prepare_overlay(app_run *run)
{
    HALO_TRY(halo_agree(run->world, copy_cells(run)));
    return fetch_rows(run);
}

static void finish_overlay(app_run *run)
{
    halo_field_destroy(&((chan_vese_job *)run->job)->cells);
}

static bool is_in(const uint64_t *row, int64_t x)
{
    return (row[x / WORD] >> x % WORD & 1) != 0;
}

/* Has a pixel a neighbour on the other side? What lies beyond the picture is on its own. */
static bool is_border(const uint64_t *const rows[3], int64_t x, int64_t width)
{
    bool here = is_in(rows[1], x);
    return is_in(rows[0], x) != here || is_in(rows[2], x) != here ||
           (x > 0 && is_in(rows[1], x - 1) != here) ||
           (x + 1 < width && is_in(rows[1], x + 1) != here);
}

static void paint_row(const app_run *run, int64_t global, unsigned char *pixels)
{
    const chan_vese_job *job = run->job;
    const halo_view *cells = halo_field_view(job->cells);
    int64_t width = run->domain.n[1], height = run->domain.n[0];
    int64_t row = global - cells->owned.lo[0];
    const uint64_t *rows[3] = {halo_row(cells, global > 0 ? row - 1 : row), halo_row(cells, row),
                               halo_row(cells, global + 1 < height ? row + 1 : row)};
    for (int64_t x = 0; x < width; x++) {
        if (is_border(rows, x, width)) {
            memcpy(pixels + CHANNELS * x, is_in(rows[1], x) ? inner_colour : outer_colour,
                   CHANNELS);
        }
    }
}

static halo_status paint_border(app_run *run, const halo_canvas *canvas)
{
    for (int64_t i = 0; i < canvas->rows; i++) {
        paint_row(run, canvas->first_row + i, canvas->pixels + (size_t)i * canvas->pitch);
    }
    return HALO_OK;
}

/* ---------------------------------------------------------------------------------------------- */

/* The array is of the type that scikit-image returns. */
static const app_writer inside_writers[] = {
    {".npy", HALO_NPY_I8, fill_bytes}, {".png", HALO_PNG_BITS, fill_bits}, {0}};

const app_output chan_vese_outputs[] = {
    {.option = offsetof(chan_vese_options, output), .phase = "writing", .writers = inside_writers},
    {.option = offsetof(chan_vese_options, overlay),
     .phase = "drawing",
     .paint = paint_border,
     .colours = true,
     .prepare = prepare_overlay,
     .finish = finish_overlay},
    {0}};
