#include "cli/motion/arrows.h"

#include "base/memory.h"
#include "io/canvas/canvas.h"
#include "io/flow/flow_colours.h"
#include "io/png/png_parallel.h"

#include <math.h>
#include <string.h>

enum {
    ONE = HALO_CANVAS_ONE,
    LINES_A_CLUSTER = 22, /* widths of lines from a cluster to the next */
    WIDEST = 6 * ONE,
    SHARE_OF_WHITE = 70 /* of 256: the frame becomes paler, so that arrows stand out */
};

halo_status motion_arrows_keep(cli_motion_job *job)
{
    const halo_view *view = halo_motion_view(job->motion);
    size_t bytes = (size_t)view->owned.n[1] * (size_t)view->cell_bits / 8;
    if (job->earlier == NULL) {
        job->earlier_pitch = bytes;
        HALO_TRY(halo_memory_create(&job->earlier, bytes * (size_t)view->owned.n[0] + 1,
                                    "a frame to draw on"));
    }
    for (int64_t y = 0; y < view->owned.n[0]; y++) {
        memcpy((char *)job->earlier + (size_t)y * bytes,
               (const char *)view->origin + y * view->stride[0], bytes);
    }
    return HALO_OK;
}

/* What rows are drawn with. */
typedef struct {
    const cli_motion_job *job;
    int64_t first_row; /* of this rank's strip */
    double scale;
    int64_t width; /* of lines, in 256ths of a pixel */
} drawing;

/* So thin that arrows of neighbouring clusters leave the picture visible. */
static int64_t line_width(const cli_motion_job *job)
{
    const halo_png_info *frame = &job->image.info;
    double pixels = (double)frame->width * (double)frame->height;
    double apart = sqrt(pixels / halo_motion_clusters(job->motion));
    int64_t width = (int64_t)rint(apart * ONE / LINES_A_CLUSTER);
    return width < ONE ? ONE : width > WIDEST ? WIDEST : width;
}

/* The hue says where to; a vector counts as the largest, so that slow ones are seen as well. */
static void choose_colour(const halo_motion_vector *vector, unsigned char colour[3])
{
    const float pair[] = {(float)vector->u / HALO_MOTION_ONE, (float)vector->v / HALO_MOTION_ONE};
    halo_flow_colours(pair, 1, halo_flow_largest(pair, 1), colour);
}

static void draw_vector(const halo_canvas *canvas, const drawing *d,
                        const halo_motion_vector *vector)
{
    halo_canvas_pen pen = {.width = d->width, .rim = ONE / 2 + d->width / 4};
    const halo_canvas_point from = {vector->x, vector->y};
    const halo_canvas_point to = {vector->x + (int64_t)rint(d->scale * vector->u),
                                  vector->y + (int64_t)rint(d->scale * vector->v)};
    choose_colour(vector, pen.colour);
    halo_canvas_arrow(canvas, from, to, &pen);
}

static halo_status draw_rows(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    static const unsigned char white[3] = {255, 255, 255};
    const drawing *d = context;
    const cli_motion_job *job = d->job;
    const halo_motion_vector *vectors = halo_motion_vectors(job->motion);
    const halo_canvas canvas = {.first_row = first,
                                .rows = rows,
                                .width = job->image.info.width,
                                .pixels = out,
                                .pitch = pitch};
    const char *grey =
        (const char *)job->earlier + (size_t)(first - d->first_row) * job->earlier_pitch;
    halo_canvas_fill_picture(&canvas, grey, job->earlier_pitch, job->image.cell_bits,
                             job->image.maximum);
    halo_canvas_mix(&canvas, white, SHARE_OF_WHITE);
    for (int i = 0; i < halo_motion_clusters(job->motion); i++) {
        if (vectors[i].pixels > 0) {
            draw_vector(&canvas, d, &vectors[i]);
        }
    }
    return HALO_OK;
}

halo_status motion_arrows_write(cli_motion_job *job, const char *path)
{
    const int64_t *cuts = halo_motion_cuts(job->motion);
    drawing d = {.job = job,
                 .first_row = cuts[halo_world_rank(job->world)],
                 .scale = job->arguments->arrow_scale,
                 .width = line_width(job)};
    const halo_rows rows = {.fill = draw_rows, .context = &d};
    const halo_png_header header = {
        .width = job->image.info.width, .height = job->image.info.height, .kind = HALO_PNG_RGB8};
    return halo_png_write(job->world, path, &header, cuts, &rows);
}
