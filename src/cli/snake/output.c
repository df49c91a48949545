#include "app/outputs.h"
#include "app/services/dots.h"
#include "app/services/movie.h"
#include "base/minmax.h"
#include "cli/snake/job.h"
#include "core/world/collect.h"
#include "io/canvas/canvas.h"
#include "io/canvas/palette.h"
#include "io/contour/contours_draw.h"
#include "io/contour/contours_write.h"
#include "io/png/png_write.h"

#include <math.h>

enum { WHITE = 255 };

/* ---- the gradient: greys up to the steepest slope's white ------------------------------------ */

static halo_status find_steepest(app_run *run)
{
    snake_job *job = run->job;
    const halo_view *gradient = halo_snake_gradient(job->snake);
    job->steepest = 1;
    for (int64_t i = 0; i < gradient->owned.n[0]; i++) {
        const uint16_t *row = halo_row(gradient, i);
        for (int64_t x = 0; x < gradient->owned.n[1]; x++) {
            job->steepest = row[x] > job->steepest ? row[x] : job->steepest;
        }
    }
    return halo_allreduce_max(run->world, &job->steepest, 1);
}

static halo_status fill_slopes(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const snake_job *job = ((const app_run *)context)->job;
    const halo_view *gradient = halo_snake_gradient(job->snake);
    for (int64_t i = 0; i < rows; i++) {
        const uint16_t *row = halo_row(gradient, first + i - gradient->owned.lo[0]);
        unsigned char *greys = (unsigned char *)out + (size_t)i * pitch;
        for (int64_t x = 0; x < gradient->owned.n[1]; x++) {
            greys[x] = (unsigned char)(row[x] * WHITE / job->steepest);
        }
    }
    return HALO_OK;
}

/* ---- the contours ---------------------------------------------------------------------------- */

static halo_status write_contours(app_run *run, const char *path)
{
    const snake_job *job = run->job;
    const halo_contours_scene scene = {.contours = &job->contours,
                                       .points = job->places,
                                       .unit = snake_unit(run),
                                       .width = run->domain.n[1],
                                       .height = run->domain.n[0],
                                       .picture = run->arguments->image.first};
    return halo_contours_write(run->world, path, &scene);
}

/* ---- the overlay: thin lines where contours began, and strong ones where they are ------------ */

/* Lines are so wide, in 256ths of a pixel, in a picture that is shown at its own size, and wider in
 * larger ones; but not too wide for contours. */
enum {
    THIN = HALO_CANVAS_ONE,
    STRONG = 2 * HALO_CANVAS_ONE,
    RIM = HALO_CANVAS_ONE / 2,
    COMMON_SIDE = 640,  /* pixels of such a picture */
    SHARE_OF_WIDTH = 24 /* of a contour's, which a strong line may have */
};

/* How much wider lines are than in such a picture. */
static double find_scale(const app_run *run)
{
    const snake_job *job = run->job;
    const int64_t *n = run->domain.n;
    const halo_contours *contours = &job->contours;
    int64_t count = halo_contours_count(contours);
    double side = (double)halo_max(halo_max(n[0], n[1]), COMMON_SIDE), width = 0;
    for (int64_t c = 0; c < count; c++) {
        int64_t twice = halo_contours_double_area(contours, halo_contours_points(contours), c);
        width += sqrt((double)twice / 2);
    }
    double max = width / (double)count * HALO_CANVAS_ONE / SHARE_OF_WIDTH / STRONG;
    return fmax(fmin(side / COMMON_SIDE, max), .75);
}

static halo_status prepare_overlay(app_run *run)
{
    snake_job *job = run->job;
    double scale = find_scale(run);
    job->thin = (halo_canvas_pen){.width = (int64_t)(THIN * scale), .colour = {64, 176, 255}};
    job->strong = (halo_canvas_pen){.width = (int64_t)(STRONG * scale),
                                    .rim = (int64_t)(RIM * scale),
                                    .colour = {255, 212, 0},
                                    .rim_colour = {32, 24, 0}};
    return HALO_OK;
}

static halo_status paint_overlay(app_run *run, const halo_canvas *canvas)
{
    const snake_job *job = run->job;
    halo_contours_drawing drawing = {.contours = &job->contours,
                                     .points = halo_contours_points(&job->contours),
                                     .enlarge = 1,
                                     .reduce = 1,
                                     .pen = &job->thin};
    HALO_TRY(halo_contours_draw(canvas, &drawing));
    drawing.points = job->places;
    drawing.unit = snake_unit(run);
    drawing.pen = &job->strong;
    return halo_contours_draw(canvas, &drawing);
}

/* ---- the movie: contours on the picture in grey. Rank 0 draws -------------------------------- */

enum { MAX_PIXEL = 8 /* pixels of the movie for one of the picture */ };

typedef struct {
    unsigned char *greys; /* the picture: pixels of the movie without lines */
    unsigned char *lines; /* red, green, blue of each pixel of the movie: lines only */
} contour_drawing;

static int64_t sample_at(const void *row, int bits, int64_t x)
{
    return bits == 8 ? ((const unsigned char *)row)[x] : ((const uint16_t *)row)[x];
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
    contour_drawing *drawing = app_movie_of(run)->drawing;
    const app_dots *dots = &app_movie_of(run)->dots;
    if (app_movie_of(run)->pixels == NULL) {
        return HALO_OK;
    }
    int64_t pixels = app_dots_width(dots) * dots->rows * dots->enlarge;
    HALO_TRY(HALO_ALLOCATE_LARGE(drawing->greys, pixels, "the pixels of a movie"));
    HALO_TRY(HALO_ALLOCATE_LARGE(drawing->lines, 3 * pixels, "the pixels of a movie"));
    app_dots_paint(dots, run->image->maximum, drawing->greys);
    return HALO_OK;
}

static halo_status begin_movie(app_run *run)
{
    static const unsigned char line_colour[] = {255, 212, 0};
    unsigned char palette[HALO_PICTURE_PALETTE_BYTES];
    const int64_t *n = run->domain.n;
    int scale = halo_picture_scale_to_fit(n[1], n[0], APP_DOTS_SIDE, APP_DOTS_SIDE, MAX_PIXEL);
    const halo_view *view = halo_field_view(run->samples);
    halo_picture_fill_line_palette(line_colour, palette);
    HALO_TRY(app_dots_create(&app_movie_of(run)->dots, run->world, n[0], n[1], scale, false));
    HALO_TRY(app_movie_open(app_movie_of(run), palette));
    HALO_TRY(app_dots_collect(&app_movie_of(run)->dots, view->owned.lo[0], view->owned.n[0],
                              add_samples, run));
    snake_release_picture(run);
    return halo_agree(run->world, paint_greys(run));
}

static halo_status paint_frame(app_run *run)
{
    static const unsigned char black[3] = {0, 0, 0};
    static const halo_canvas_pen pen = {.width = 2 * HALO_CANVAS_ONE,
                                        .colour = {WHITE, WHITE, WHITE}};
    const snake_job *job = run->job;
    const app_dots *dots = &app_movie_of(run)->dots;
    const contour_drawing *drawing = app_movie_of(run)->drawing;
    const halo_contours_drawing contours = {.contours = &job->contours,
                                            .points = job->places,
                                            .unit = snake_unit(run),
                                            .enlarge = dots->enlarge,
                                            .reduce = dots->reduce,
                                            .pen = &pen};
    const halo_canvas canvas = {.rows = dots->rows * dots->enlarge,
                                .width = app_dots_width(dots),
                                .pixels = drawing->lines,
                                .pitch = 3 * (size_t)app_dots_width(dots)};
    halo_canvas_fill(&canvas, black);
    HALO_TRY(halo_contours_draw(&canvas, &contours));
    for (int64_t i = 0; i < canvas.rows * canvas.width; i++) {
        app_movie_of(run)->pixels[i] =
            halo_picture_line_colour(drawing->greys[i], drawing->lines[3 * i]);
    }
    return HALO_OK;
}

static halo_status draw_frame(app_run *run)
{
    return halo_agree(run->world, app_movie_of(run)->pixels != NULL ? paint_frame(run) : HALO_OK);
}

static void end_movie(app_run *run)
{
    contour_drawing *drawing = app_movie_of(run)->drawing;
    halo_memory_free(drawing->greys);
    halo_memory_free(drawing->lines);
}

const app_drawing snake_drawing = {.bytes = sizeof(contour_drawing),
                                   .begin = begin_movie,
                                   .prepare = snake_collect,
                                   .draw = draw_frame,
                                   .end = end_movie};

/* ---- the table ------------------------------------------------------------------------------- */

static const app_writer gradient_writers[] = {{".png", HALO_PNG_GREY8, fill_slopes}, {0}};

const app_output snake_outputs[] = {{.option = offsetof(snake_options, gradient),
                                     .phase = "writing edges",
                                     .when = APP_BEFORE_BEATS,
                                     .writers = gradient_writers,
                                     .prepare = find_steepest},
                                    {.option = offsetof(snake_options, output),
                                     .phase = "writing contours",
                                     .write = write_contours},
                                    {.option = offsetof(snake_options, overlay),
                                     .phase = "drawing",
                                     .paint = paint_overlay,
                                     .colours = true,
                                     .prepare = prepare_overlay},
                                    {0}};
