#include "app/options/values.h"
#include "app/outputs.h"
#include "base/memory.h"
#include "cli/walk/job.h"
#include "core/world/collect.h"
#include "io/array/picture.h"
#include "io/canvas/canvas.h"
#include "io/canvas/label_palette.h"
#include "io/plot/plot.h"
#include "io/png/png_write.h"
#include "io/table/table.h"
#include "partition/cuts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- records --------------------------------------------------------------------------------- */

/* Columns for each axis. */
#define AXIS_COLUMNS(x)                                                                  \
    {"mean_" #x, HALO_TABLE_RATIO}, {"mean_square_" #x, HALO_TABLE_RATIO},               \
        {"mean_square_error_" #x, HALO_TABLE_RATIO}, {"variance_" #x, HALO_TABLE_RATIO}, \
        {"variance_error_" #x, HALO_TABLE_RATIO}, {"diffusivity_" #x, HALO_TABLE_RATIO}, \
    {                                                                                    \
        "diffusivity_error_" #x, HALO_TABLE_RATIO                                        \
    }
enum { AXIS_COLUMN_COUNT = 7, AXES = 2 };

static const halo_table_column columns[] = {
    {"step", HALO_TABLE_INTEGER}, AXIS_COLUMNS(x), AXIS_COLUMNS(y), AXIS_COLUMNS(z)};

static halo_table_value ratio(double value)
{
    static const int64_t million = 1000000;
    return (halo_table_value){llround(value * (double)million), million};
}

static void fill_row(const void *context, int64_t row, halo_table_value *values)
{
    const app_run *run = context;
    const halo_walk_samples samples = walk_samples(run);
    *values = (halo_table_value){.denominator = 1};
    for (int axis = 0; axis < samples.axes; axis++) {
        bool drifts = axis == 0 && walk_drifts(run);
        const halo_walk_motion motion = halo_walk_estimate(&samples, row, axis, drifts);
        values[0].numerator = motion.steps;
        halo_table_value *to = values + 1 + axis * AXIS_COLUMN_COUNT;
        *to++ = ratio(motion.mean.value);
        *to++ = ratio(motion.square.value);
        *to++ = ratio(motion.square.error);
        *to++ = ratio(motion.variance.value);
        *to++ = ratio(motion.variance.error);
        *to++ = ratio(motion.slope.value / 2);
        *to++ = ratio(motion.slope.error >= 0 ? motion.slope.error / 2 : motion.slope.error);
    }
}

static halo_status write_records(app_run *run, const char *path)
{
    const walk_options *asked = run->options;
    const walk_job *job = run->job;
    bool first = halo_world_rank(run->world) == 0;
    const halo_table table = {.columns = columns,
                              .column_count = 1 + job->options.axes * AXIS_COLUMN_COUNT,
                              .rows = first ? halo_walk_records(asked->steps, job->every) : 0,
                              .row = fill_row,
                              .context = run};
    return app_write_table(run, path, &table);
}

/* ---- the plot -------------------------------------------------------------------------------- */

/* Spread and its growth against steps, along all axes. */
enum { WIDTH = 1400, HEIGHT = 1100 };

static void write_data(FILE *to, const app_run *run)
{
    const walk_job *job = run->job;
    const halo_walk_samples samples = walk_samples(run);
    int64_t records = halo_walk_records(samples.steps, samples.every);
    for (int axis = 0; axis < samples.axes; axis++) {
        bool drifts = axis == 0 && walk_drifts(run);
        fprintf(to, "$%s << EOD\n", walk_axis_names[axis]);
        for (int64_t r = 0; r < records; r++) {
            const halo_walk_motion m = halo_walk_estimate(&samples, r, axis, drifts);
            double spread = drifts ? m.variance.value : m.square.value;
            double error = m.slope.error > 0 ? m.slope.error : 0, free = job->facts.free_slope;
            fprintf(to, "%" PRId64 " %.9g %.9g %.9g %.9g\n", m.steps, spread, m.slope.value / free,
                    (m.slope.value - error) / free, (m.slope.value + error) / free);
        }
        fputs("EOD\n", to);
    }
}

static void write_spread(FILE *to, const app_run *run)
{
    const walk_job *job = run->job;
    fprintf(to,
            "set ylabel 'cells^2'\nset xlabel ''\n"
            "plot %.9g*x lc rgb '#999999' dt 2 title 'in the fluid alone'",
            job->facts.free_slope);
    for (int axis = 0; axis < job->options.axes; axis++) {
        const char *name = walk_axis_names[axis];
        fprintf(to,
                ", $%s using 1:2 with linespoints pt 7 ps .6 lc rgb word(colours, %d) title "
                "'%s along %s'",
                name, axis + 1, axis == 0 && walk_drifts(run) ? "variance" : "mean square", name);
    }
    fputs("\n", to);
}

static void write_growth(FILE *to, const app_run *run)
{
    const walk_job *job = run->job;
    fputs("set ylabel 'diffusivity, 1 in the fluid alone'\nset xlabel 'steps'\n"
          "set key bottom right\nset yrange [0:*]\nplot ",
          to);
    for (int axis = 0; axis < job->options.axes; axis++) {
        const char *name = walk_axis_names[axis];
        fprintf(to,
                "$%s using 1:4:5 with filledcurves fs transparent solid .25 lc rgb "
                "word(colours, %d) title '%s, 95 %%', $%s using 1:3 with lines lw 2 lc rgb "
                "word(colours, %d) title '%s'%s",
                name, axis + 1, name, name, axis + 1, name,
                axis + 1 < job->options.axes ? ", " : "\nunset multiplot\n");
    }
}

static halo_status write_script(FILE *to, const void *context)
{
    const app_run *run = context;
    const walk_job *job = run->job;
    const walk_options *asked = run->options;
    write_data(to, run);
    fprintf(to,
            "set multiplot layout 2,1 title '%" PRId64 " walkers in a medium of porosity %.4f'\n"
            "set key top left\nset grid\nset xrange [0:%" PRId64 "]\nset lmargin 12\n"
            "colours = '#2f86d6 #ff9d2e #00897b'\n",
            asked->walkers, (double)job->facts.fluid / (double)job->facts.cells, asked->steps);
    write_spread(to, run);
    write_growth(to, run);
    return HALO_OK;
}

static halo_status write_plot(app_run *run, const char *path)
{
    bool draws = halo_world_rank(run->world) == 0;
    return halo_agree(run->world,
                      draws ? halo_plot_draw_written(path, WIDTH, HEIGHT, write_script, run)
                            : HALO_OK);
}

/* ---- ways of walkers ------------------------------------------------------------------------- */

/* The image, each cell a square of pixels so that lines have room, and lines from cell to cell. */
enum { SIDE = 960, MAX_SCALE = 16 };

typedef struct {
    app_run *run;
    int scale; /* pixels a cell */
    int32_t (*places)[HALO_WALK_AXES];
    halo_canvas_point *points;
} drawing;

static int choose_scale(const app_run *run)
{
    int64_t longer = run->domain.n[0] > run->domain.n[1] ? run->domain.n[0] : run->domain.n[1];
    int64_t scale = SIDE / longer;
    return (int)(scale < 1 ? 1 : scale > MAX_SCALE ? MAX_SCALE : scale);
}

/* Lines end where the walker leaves the image, and begin where it comes back. */
static void draw_walker(const drawing *d, int number, const halo_canvas *canvas)
{
    static const int64_t half = HALO_CANVAS_ONE / 2;
    const walk_options *asked = d->run->options;
    const int64_t *n = ((const walk_job *)d->run->job)->options.n;
    const int32_t(*places)[HALO_WALK_AXES] = (void *)(d->places + number * (asked->steps + 1));
    unsigned char palette[3 * HALO_LABEL_PALETTE_COLOURS];
    halo_label_palette(palette);
    const unsigned char *colour = palette + 3 * (number + 1);
    const halo_canvas_pen pen = {.width = HALO_CANVAS_ONE * (d->scale > 1 ? d->scale : 2) / 2,
                                 .colour = {colour[0], colour[1], colour[2]}};
    int64_t count = 0, before[AXES] = {0};
    for (int64_t step = 0; step <= asked->steps; step++) {
        int64_t at[AXES], copy[AXES];
        for (int axis = 0; axis < AXES; axis++) {
            at[axis] =
                halo_walk_fold(asked->edges.along[axis], n[axis], places[step][axis], &copy[axis]);
        }
        if (count > 0 && (copy[0] != before[0] || copy[1] != before[1])) {
            halo_canvas_polyline(canvas, d->points, count, 0, &pen);
            count = 0;
        }
        halo_canvas_point point = {(at[0] * 2 + 1) * d->scale * half - half,
                                   (at[1] * 2 + 1) * d->scale * half - half};
        bool stays =
            count > 0 && d->points[count - 1].x == point.x && d->points[count - 1].y == point.y;
        d->points[count] = point;
        count += !stays;
        before[0] = copy[0];
        before[1] = copy[1];
    }
    halo_canvas_polyline(canvas, d->points, count, 0, &pen);
}

static void draw_cells(const drawing *d, const halo_canvas *canvas)
{
    const walk_job *job = d->run->job;
    enum { FLUID = 250, SOLID = 90, WORD = 64 };
    for (int64_t i = 0; i < canvas->rows; i++) {
        const uint64_t *bits = job->fluid + (canvas->first_row + i) / d->scale * job->row_words;
        unsigned char *row = canvas->pixels + (size_t)i * canvas->pitch;
        for (int64_t x = 0; x < canvas->width; x++) {
            int64_t cell = x / d->scale;
            bool fluid = (bits[cell / WORD] >> (cell % WORD) & 1) != 0;
            row[3 * x] = row[3 * x + 1] = row[3 * x + 2] = fluid ? FLUID : SOLID;
        }
    }
}

static halo_status fill_drawing(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const drawing *d = context;
    const walk_options *asked = d->run->options;
    const halo_canvas canvas = {.first_row = first,
                                .rows = rows,
                                .width = d->run->domain.n[1] * d->scale,
                                .pixels = out,
                                .pitch = pitch};
    draw_cells(d, &canvas);
    for (int i = 0; i < asked->shown && i < asked->walkers; i++) {
        draw_walker(d, i, &canvas);
    }
    return HALO_OK;
}

static halo_status trace(drawing *d)
{
    const walk_options *asked = d->run->options;
    const walk_job *job = d->run->job;
    int64_t shown = asked->shown < asked->walkers ? asked->shown : asked->walkers;
    HALO_TRY(HALO_ALLOCATE_LARGE(d->places, shown * (asked->steps + 1), "the ways of walkers"));
    HALO_TRY(HALO_ALLOCATE_LARGE(d->points, asked->steps + 1, "the way of a walker"));
    for (int64_t i = 0; i < shown; i++) {
        halo_walk_trace(job->walk, i, asked->steps, d->places + i * (asked->steps + 1));
    }
    return HALO_OK;
}

static halo_status write_trajectories(app_run *run, const char *path)
{
    drawing d = {.run = run, .scale = choose_scale(run)};
    int ranks = halo_world_ranks(run->world);
    const halo_png_header header = {.width = run->domain.n[1] * d.scale,
                                    .height = run->domain.n[0] * d.scale,
                                    .kind = HALO_PNG_RGB8};
    int64_t *cuts;
    halo_status status = HALO_ALLOCATE(cuts, ranks + 1, "the cuts of a picture");
    if (status == HALO_OK) {
        halo_cuts_whole(header.height, ranks, cuts);
        status = halo_world_rank(run->world) == 0 ? trace(&d) : HALO_OK;
    }
    status = halo_agree(run->world, status);
    if (status == HALO_OK) {
        const halo_rows rows = {.fill = fill_drawing, .progress = NULL, .context = &d};
        status = halo_picture_write(run->world, path, &header, NULL, cuts, &rows);
    }
    halo_memory_free(d.places);
    halo_memory_free(d.points);
    free(cuts);
    return status;
}

/* ---------------------------------------------------------------------------------------------- */

const app_output walk_outputs[] = {
    {.option = offsetof(walk_options, output), .phase = "writing records", .write = write_records},
    {.option = offsetof(walk_options, plot), .phase = "plotting", .write = write_plot},
    {.option = offsetof(walk_options, trajectories),
     .phase = "drawing walkers",
     .write = write_trajectories},
    APP_TASKS_OUTPUT,
    {0}};
