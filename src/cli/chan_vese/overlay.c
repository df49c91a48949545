#include "cli/chan_vese/overlay.h"

#include "core/exchange/exchange.h"
#include "core/world/collect.h"
#include "io/canvas/canvas.h"
#include "io/png/png_parallel.h"

#include <string.h>

enum { CHANNELS = 3, WORD = 64 };

typedef struct {
    chan_vese_job *job;
    halo_field *cells;   /* the level set, with a row of each neighbour */
    halo_field *colours; /* of a picture that has them; or NULL */
    int64_t maximum;     /* of the picture's samples */
} painting;

/* The last pixels inside, and the first ones outside, which make them stand out. */
static const unsigned char inner_colour[CHANNELS] = {255, 212, 0};
static const unsigned char outer_colour[CHANNELS] = {32, 24, 0};

/* ---- what it needs -----------------------------------------------------------------------------
 */

static halo_status copy_cells(painting *p)
{
    const halo_view *view = halo_beat_view(p->job->beat, 0);
    HALO_TRY(halo_field_create(&p->cells, &p->job->image.domain, &view->owned, HALO_BIT, 1));
    const halo_view *copy = halo_field_view(p->cells);
    size_t bytes = (size_t)(view->owned.n[1] + WORD - 1) / WORD * sizeof(uint64_t);
    for (int64_t y = 0; y < view->owned.n[0]; y++) {
        memcpy(halo_row(copy, y), halo_row(view, y), bytes);
    }
    return HALO_OK;
}

static halo_status bring_neighbours(painting *p)
{
    halo_exchange *exchange = NULL;
    HALO_TRY(halo_exchange_create(&exchange, p->job->world, halo_beat_partition(p->job->beat),
                                  &p->cells, 1, NULL));
    halo_status status = halo_agree(p->job->world, halo_exchange_begin(exchange));
    if (status == HALO_OK) {
        status = halo_agree(p->job->world, halo_exchange_end(exchange));
    }
    halo_exchange_destroy(&exchange);
    return status;
}

/* ---- painting ----------------------------------------------------------------------------------
 */

static void paint_picture(const painting *p, int64_t row, const halo_canvas *canvas)
{
    const halo_view *picture =
        p->colours != NULL ? halo_field_view(p->colours) : halo_beat_view(p->job->beat, 1);
    halo_canvas_fill_picture(canvas, halo_row(picture, row), (size_t)picture->stride[0],
                             picture->cell_bits, p->maximum);
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

static void paint_border(const painting *p, int64_t row, const halo_canvas *canvas)
{
    const halo_view *cells = halo_field_view(p->cells);
    int64_t global = cells->owned.lo[0] + row, height = p->job->image.domain.n[0];
    const uint64_t *rows[3] = {halo_row(cells, global > 0 ? row - 1 : row), halo_row(cells, row),
                               halo_row(cells, global + 1 < height ? row + 1 : row)};
    for (int64_t x = 0; x < canvas->width; x++) {
        if (is_border(rows, x, canvas->width)) {
            memcpy(canvas->pixels + CHANNELS * x, is_in(rows[1], x) ? inner_colour : outer_colour,
                   CHANNELS);
        }
    }
}

static halo_status paint_rows(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const painting *p = context;
    int64_t lo = halo_field_view(p->cells)->owned.lo[0];
    for (int64_t i = 0; i < rows; i++) {
        const halo_canvas canvas = {.first_row = first + i,
                                    .rows = 1,
                                    .width = p->job->image.domain.n[1],
                                    .pixels = (unsigned char *)out + (size_t)i * pitch,
                                    .pitch = pitch};
        paint_picture(p, first + i - lo, &canvas);
        paint_border(p, first + i - lo, &canvas);
    }
    return HALO_OK;
}

static void show_rows(void *context, int64_t done, int64_t total)
{
    progress_update(&((painting *)context)->job->progress, done, total);
}

static halo_status paint(painting *p)
{
    chan_vese_job *job = p->job;
    const halo_png_header header = {
        .width = job->image.domain.n[1], .height = job->image.domain.n[0], .kind = HALO_PNG_RGB8};
    const halo_rows rows = {.fill = paint_rows, .progress = show_rows, .context = p};
    progress_phase(&job->progress, "drawing");
    halo_stretch stretch = halo_clock_begin(job->world);
    halo_status status = halo_png_write(job->world, job->arguments->overlay, &header,
                                        halo_beat_cuts(job->beat), &rows);
    halo_clock_end(&job->clock, HALO_PHASE_ENCODE, stretch, job->world);
    return status;
}

halo_status chan_vese_overlay_write(chan_vese_job *job)
{
    painting p = {.job = job, .maximum = job->image.maximum};
    halo_status status = halo_agree(job->world, copy_cells(&p));
    if (status == HALO_OK) {
        status = bring_neighbours(&p);
    }
    if (status == HALO_OK && job->image.colourful) {
        status = cli_image_read_colours(&job->image, halo_beat_cuts(job->beat), &p.colours,
                                        &p.maximum, &job->progress, &job->clock);
    }
    if (status == HALO_OK) {
        status = paint(&p);
    }
    halo_field_destroy(&p.colours);
    halo_field_destroy(&p.cells);
    return status;
}
