#include "base/minmax.h"
#include "cli/snake/job.h"
#include "core/world/collect.h"
#include "io/contour/contours_draw.h"
#include "io/contour/contours_write.h"

#include <math.h>

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
    enum { WHITE = 255 };
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
                                       .width = run->domain.n[1],
                                       .height = run->domain.n[0],
                                       .picture = run->arguments->image};
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
    return app_background_open(&job->background, run, run->cuts,
                               job->picture != NULL ? halo_field_view(job->picture) : NULL);
}

static void finish_overlay(app_run *run)
{
    app_background_close(&((snake_job *)run->job)->background);
}

static halo_status paint_rows(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const app_run *run = context;
    const snake_job *job = run->job;
    const halo_canvas canvas = {
        .first_row = first, .rows = rows, .width = run->domain.n[1], .pixels = out, .pitch = pitch};
    halo_contours_drawing drawing = {.contours = &job->contours,
                                     .points = halo_contours_points(&job->contours),
                                     .enlarge = 1,
                                     .reduce = 1,
                                     .pen = &job->thin};
    app_background_paint(&job->background, &canvas);
    HALO_TRY(halo_contours_draw(&canvas, &drawing));
    drawing.points = job->places;
    drawing.pen = &job->strong;
    return halo_contours_draw(&canvas, &drawing);
}

/* ---------------------------------------------------------------------------------------------- */

static const app_writer gradient_writers[] = {{".png", HALO_PNG_GREY8, fill_slopes}, {0}};
static const app_writer overlay_writers[] = {{".png", HALO_PNG_RGB8, paint_rows}, {0}};

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
                                     .writers = overlay_writers,
                                     .colours = true,
                                     .prepare = prepare_overlay,
                                     .finish = finish_overlay},
                                    {0}};
