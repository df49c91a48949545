#include "app/services/line_pictures.h"
#include "app/image/image.h"
#include "app/run.h"
#include "app/services/dots.h"
#include "base/memory.h"
#include "io/canvas/palette.h"
#include "io/canvas/picture.h"

enum { MAX_PIXEL = 8 /* pixels of the movie for one of the picture */, BYTE = 8, RGB = 3 };

static int64_t sample_at(const void *row, int bits, int64_t x)
{
    return bits == BYTE ? ((const unsigned char *)row)[x] : ((const uint16_t *)row)[x];
}

static halo_status add_samples(void *context, const app_dots *dots, int64_t first, int64_t *sums)
{
    const app_run *run = context;
    const halo_view *view = halo_field_view(run->samples);
    for (int64_t i = 0; i < view->owned.n[0]; i++) {
        const void *row = halo_row(view, i);
        int64_t *into = sums + ((view->owned.lo[0] + i) / dots->reduce - first) * dots->columns;
        for (int64_t x = 0; x < view->owned.n[1]; x++) {
            into[x / dots->reduce] += sample_at(row, view->cell_bits, x);
        }
    }
    return HALO_OK;
}

static halo_status paint_greys(const app_run *run)
{
    app_movie *movie = app_movie_of(run);
    app_line_pictures *drawing = movie->drawing;
    if (movie->pixels == NULL) {
        return HALO_OK;
    }
    int64_t pixels = app_dots_width(&movie->dots) * movie->dots.rows * movie->dots.enlarge;
    HALO_TRY(HALO_ALLOCATE_LARGE(drawing->greys, pixels, "the pixels of a movie"));
    HALO_TRY(HALO_ALLOCATE_LARGE(drawing->lines, RGB * pixels, "the pixels of a movie"));
    app_dots_paint(&movie->dots, run->image->maximum, drawing->greys);
    return HALO_OK;
}

halo_status app_line_pictures_begin(app_run *run)
{
    static const unsigned char line_colour[] = {255, 212, 0};
    unsigned char palette[HALO_PICTURE_PALETTE_BYTES];
    app_movie *movie = app_movie_of(run);
    const int64_t *n = run->domain.n;
    int scale = halo_picture_scale_to_fit(n[1], n[0], APP_DOTS_SIDE, APP_DOTS_SIDE, MAX_PIXEL);
    const halo_view *view = halo_field_view(run->samples);
    halo_picture_fill_line_palette(line_colour, palette);
    HALO_TRY(app_dots_create(&movie->dots, run->world, n[0], n[1], scale, false));
    HALO_TRY(app_movie_open(movie, palette));
    HALO_TRY(app_dots_collect(&movie->dots, view->owned.lo[0], view->owned.n[0], add_samples, run));
    app_release_samples(run);
    return halo_agree(run->world, paint_greys(run));
}

/* The command draws white lines on black, whose brightness is then put on the greys. */
static halo_status paint_frame(app_run *run)
{
    static const unsigned char black[RGB] = {0, 0, 0};
    const app_movie *movie = app_movie_of(run);
    const app_dots *dots = &movie->dots;
    const app_line_pictures *drawing = movie->drawing;
    const app_drawing *how = app_service_with(run->command, &app_movie_service);
    const halo_canvas canvas = {.rows = dots->rows * dots->enlarge,
                                .width = app_dots_width(dots),
                                .pixels = drawing->lines,
                                .pitch = RGB * (size_t)app_dots_width(dots)};
    halo_canvas_fill(&canvas, black);
    HALO_TRY(how->lines(run, &canvas, dots));
    for (int64_t i = 0; i < canvas.rows * canvas.width; i++) {
        movie->pixels[i] = halo_picture_line_colour(drawing->greys[i], drawing->lines[RGB * i]);
    }
    return HALO_OK;
}

halo_status app_line_pictures_draw(app_run *run)
{
    return halo_agree(run->world, app_movie_of(run)->pixels != NULL ? paint_frame(run) : HALO_OK);
}

void app_line_pictures_end(app_run *run)
{
    app_line_pictures *drawing = app_movie_of(run)->drawing;
    halo_memory_free(drawing->greys);
    halo_memory_free(drawing->lines);
}
