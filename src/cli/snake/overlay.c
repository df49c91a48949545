#include "cli/snake/overlay.h"

#include "base/minmax.h"
#include "io/contour/contours_draw.h"
#include "io/png/png_parallel.h"

#include <math.h>

/* Lines are so wide, in 256ths of a pixel, in a picture that is shown at its own size, and wider in
 * larger ones; but not too wide for contours. */
enum {
    THIN = HALO_CANVAS_ONE,
    STRONG = 2 * HALO_CANVAS_ONE,
    RIM = HALO_CANVAS_ONE / 2,
    USUAL_SIDE = 640,   /* pixels of such a picture */
    SHARE_OF_WIDTH = 24 /* of a contour's, which a strong line may have */
};

typedef struct {
    snake_job *job;
    const halo_view *picture; /* grey or in colour */
    int64_t maximum;          /* of its samples */
    halo_canvas_pen thin, strong;
} painting;

static halo_status paint_rows(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const painting *p = context;
    const snake_job *job = p->job;
    const halo_canvas canvas = {.first_row = first,
                                .rows = rows,
                                .width = p->picture->owned.n[1],
                                .pixels = out,
                                .pitch = pitch};
    halo_canvas_fill_picture(&canvas, halo_row(p->picture, first - p->picture->owned.lo[0]),
                             (size_t)p->picture->stride[0], p->picture->cell_bits, p->maximum);
    halo_contours_drawing drawing = {.contours = &job->contours,
                                     .points = halo_contours_points(&job->contours),
                                     .enlarge = 1,
                                     .reduce = 1,
                                     .pen = &p->thin};
    HALO_TRY(halo_contours_draw(&canvas, &drawing));
    drawing.points = job->places;
    drawing.pen = &p->strong;
    return halo_contours_draw(&canvas, &drawing);
}

static void show_rows(void *context, int64_t done, int64_t total)
{
    progress_update(&((painting *)context)->job->progress, done, total);
}

/* How much wider lines are than in a usual picture. */
static double find_scale(const snake_job *job)
{
    const int64_t *n = job->image.domain.n;
    const halo_contours *contours = &job->contours;
    int64_t count = halo_contours_count(contours);
    double side = (double)halo_max(halo_max(n[0], n[1]), USUAL_SIDE), width = 0;
    for (int64_t c = 0; c < count; c++) {
        int64_t twice = halo_contours_double_area(contours, halo_contours_points(contours), c);
        width += sqrt((double)twice / 2);
    }
    double most = width / (double)count * HALO_CANVAS_ONE / SHARE_OF_WIDTH / STRONG;
    return fmax(fmin(side / USUAL_SIDE, most), .75);
}

static halo_status write_picture(snake_job *job, const halo_field *picture, int64_t maximum)
{
    const int64_t *n = job->image.domain.n;
    double scale = find_scale(job);
    painting p = {.job = job,
                  .picture = halo_field_view(picture),
                  .maximum = maximum,
                  .thin = {.width = (int64_t)(THIN * scale), .colour = {64, 176, 255}},
                  .strong = {.width = (int64_t)(STRONG * scale),
                             .rim = (int64_t)(RIM * scale),
                             .colour = {255, 212, 0},
                             .rim_colour = {32, 24, 0}}};
    const halo_png_header header = {.width = n[1], .height = n[0], .kind = HALO_PNG_RGB8};
    const halo_rows rows = {.fill = paint_rows, .progress = show_rows, .context = &p};
    progress_phase(&job->progress, "drawing");
    halo_stretch stretch = halo_clock_begin(job->world);
    halo_status status =
        halo_png_write(job->world, job->arguments->overlay, &header, job->strips.cuts[0], &rows);
    halo_clock_end(&job->clock, HALO_PHASE_ENCODE, stretch, job->world);
    return status;
}

halo_status snake_overlay_write(snake_job *job)
{
    halo_field *colours = NULL;
    int64_t maximum = job->image.maximum;
    halo_status status = HALO_OK;
    if (job->image.colourful) {
        status = cli_image_read_colours(&job->image, job->strips.cuts[0], &colours, &maximum,
                                        &job->progress, &job->clock);
    }
    if (status == HALO_OK) {
        status = write_picture(job, colours != NULL ? colours : job->picture, maximum);
    }
    halo_field_destroy(&colours);
    return status;
}
