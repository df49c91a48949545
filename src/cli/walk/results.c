#include "app/report/facts.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "cli/walk/job.h"
#include "io/canvas/canvas.h"
#include "io/canvas/label_palette.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEXT = 256 };

static const char *const axis_names[HALO_WALK_AXES] = {"x", "y", "z"};

/* Does the flow take walkers along this axis? Their spread is then the variance. */
static bool drifts(const app_run *run, int axis)
{
    return axis == 0 && fabs(((const walk_options *)run->options)->walk.flow) > 0;
}

static int64_t count_records(const app_run *run)
{
    const walk_job *job = run->job;
    return halo_walk_records(((const walk_options *)run->options)->steps, job->every);
}

static halo_walk_motion estimate(const app_run *run, int64_t record, int axis)
{
    const walk_options *options = run->options;
    const walk_job *job = run->job;
    const halo_walk_samples samples = {.axes = job->options.axes,
                                       .walkers = options->walkers,
                                       .steps = options->steps,
                                       .every = job->every,
                                       .sums = app_tasks_of(run)->results};
    return halo_walk_estimate(&samples, record, axis, drifts(run, axis));
}

/* ---- records --------------------------------------------------------------------------------- */

/* Columns for each axis. */
#define RATIO(name)            \
    {                          \
        name, HALO_TABLE_RATIO \
    }
#define AXIS_COLUMNS(x)                                                               \
    RATIO("mean_" #x), RATIO("mean_square_" #x), RATIO("mean_square_error_" #x),      \
        RATIO("variance_" #x), RATIO("variance_error_" #x), RATIO("diffusivity_" #x), \
        RATIO("diffusivity_error_" #x)
enum { AXIS_COLUMN_COUNT = 7 };

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
    const walk_job *job = run->job;
    *values = (halo_table_value){.denominator = 1};
    for (int axis = 0; axis < job->options.axes; axis++) {
        const halo_walk_motion motion = estimate(run, row, axis);
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
    const walk_job *job = run->job;
    const halo_table table = {.columns = columns,
                              .column_count = 1 + job->options.axes * AXIS_COLUMN_COUNT,
                              .rows = app_is_root(run) ? count_records(run) : 0,
                              .row = fill_row,
                              .context = run};
    return app_write_table(run, path, &table);
}

/* ---- the plot -------------------------------------------------------------------------------- */

/* Spread and its growth against steps, along all axes. */
enum { WIDTH = 1400, HEIGHT = 1100 };

/* Steps, spread, growth of it, and the ends of the interval of that. */
static void write_data(FILE *to, const app_run *run, int axis)
{
    double free = ((const walk_job *)run->job)->facts.free_slopes[axis];
    fprintf(to, "$%s << EOD\n", axis_names[axis]);
    for (int64_t r = 0; r < count_records(run); r++) {
        const halo_walk_motion m = estimate(run, r, axis);
        double spread = drifts(run, axis) ? m.variance.value : m.square.value;
        double error = fmax(m.slope.error, 0);
        fprintf(to, "%" PRId64 " %.9g %.9g %.9g %.9g\n", m.steps, spread, m.slope.value / free,
                (m.slope.value - error) / free, (m.slope.value + error) / free);
    }
    fputs("EOD\n", to);
}

static halo_status write_script(FILE *to, const void *context)
{
    const app_run *run = context;
    const walk_job *job = run->job;
    const walk_options *options = run->options;
    int axes = job->options.axes;
    for (int axis = 0; axis < axes; axis++) {
        write_data(to, run, axis);
    }
    fprintf(to,
            "set multiplot layout 2,1 title '%" PRId64 " walkers in a medium of porosity %.4f'\n"
            "set key top left\nset grid\nset xrange [0:%" PRId64 "]\nset lmargin 12\n"
            "colours = '#2f86d6 #ff9d2e #00897b'\nset ylabel 'cells^2'\nset xlabel ''\n"
            "plot %.9g*x lc rgb '#999999' dt 2 title 'in the fluid alone'",
            options->walkers, (double)job->facts.fluid / (double)job->facts.cells, options->steps,
            job->facts.free_slope);
    for (int axis = 0; axis < axes; axis++) {
        fprintf(to,
                ", $%s using 1:2 with linespoints pt 7 ps .6 lc rgb word(colours, %d) title "
                "'%s along %s'",
                axis_names[axis], axis + 1, drifts(run, axis) ? "variance" : "mean square",
                axis_names[axis]);
    }
    fputs("\nset ylabel 'diffusivity, 1 in the fluid alone'\nset xlabel 'steps'\n"
          "set key bottom right\nset yrange [0:*]\nplot ",
          to);
    for (int axis = 0; axis < axes; axis++) {
        const char *name = axis_names[axis];
        fprintf(to,
                "$%s using 1:4:5 with filledcurves fs transparent solid .25 lc rgb "
                "word(colours, %d) title '%s, 95 %%', $%s using 1:3 with lines lw 2 lc rgb "
                "word(colours, %d) title '%s'%s",
                name, axis + 1, name, name, axis + 1, name,
                axis + 1 < axes ? ", " : "\nunset multiplot\n");
    }
    return HALO_OK;
}

static halo_status write_plot(app_run *run, const char *path)
{
    return app_write_plot(run, path, WIDTH, HEIGHT, write_script, run);
}

/* ---- ways of walkers ------------------------------------------------------------------------- */

/* The image, each cell a square of pixels so that lines have room, and lines from cell to cell. */
static int choose_scale(const app_run *run)
{
    enum { SIDE = 960, MAX_SCALE = 16 };
    int64_t longer = halo_max(run->domain.n[0], run->domain.n[1]);
    return (int)halo_max(1, halo_min(SIDE / longer, MAX_SCALE));
}

static int64_t count_shown(const app_run *run)
{
    const walk_options *options = run->options;
    return halo_min(options->shown, options->walkers);
}

static halo_status trace_walkers(app_run *run)
{
    int64_t steps = ((const walk_options *)run->options)->steps, shown = count_shown(run);
    walk_job *job = run->job;
    HALO_TRY(HALO_ALLOCATE_LARGE(job->places, shown * (steps + 1), "the ways of walkers"));
    HALO_TRY(HALO_ALLOCATE_LARGE(job->points, steps + 1, "the way of a walker"));
    for (int64_t i = 0; i < shown; i++) {
        halo_walk_trace(job->walk, i, steps, job->places + i * (steps + 1));
    }
    return HALO_OK;
}

static halo_status prepare_trajectories(app_run *run)
{
    return halo_agree(run->world, app_is_root(run) ? trace_walkers(run) : HALO_OK);
}

/* Finds the pixel of a place, and the copy of the medium that it is in along each axis. */
static halo_canvas_point point_at(const app_run *run, const int32_t place[HALO_WALK_AXES],
                                  int64_t scale, int64_t copy[2])
{
    const walk_options *options = run->options;
    const int64_t *n = ((const walk_job *)run->job)->options.n;
    const int64_t half = HALO_CANVAS_ONE / 2, side = HALO_CANVAS_ONE * scale;
    int64_t at[2];
    for (int axis = 0; axis < 2; axis++) {
        at[axis] = halo_walk_fold(options->edges.along[axis], n[axis], place[axis], &copy[axis]);
    }
    return (halo_canvas_point){at[0] * side + side / 2 - half, at[1] * side + side / 2 - half};
}

/* Lines end where the walker leaves the image, and begin where it comes back. */
static void draw_walker(const app_run *run, int64_t number, const halo_canvas *canvas,
                        const halo_canvas_pen *pen)
{
    const walk_job *job = run->job;
    int64_t steps = ((const walk_options *)run->options)->steps;
    const int32_t(*places)[HALO_WALK_AXES] = (void *)(job->places + number * (steps + 1));
    halo_canvas_point *points = job->points;
    int64_t count = 0, scale = choose_scale(run), copy[2], before[2] = {0};
    for (int64_t step = 0; step <= steps; step++) {
        halo_canvas_point point = point_at(run, places[step], scale, copy);
        if (count > 0 && memcmp(copy, before, sizeof copy) != 0) {
            halo_canvas_polyline(canvas, points, count, 0, pen);
            count = 0;
        }
        bool stays = count > 0 && points[count - 1].x == point.x && points[count - 1].y == point.y;
        points[count] = point;
        count += !stays;
        memcpy(before, copy, sizeof copy);
    }
    halo_canvas_polyline(canvas, points, count, 0, pen);
}

static halo_status fill_trajectories(void *context, int64_t first, int64_t rows, void *out,
                                     size_t pitch)
{
    enum { FLUID = 250, SOLID = 90, WORD = 64 };
    const app_run *run = context;
    const walk_job *job = run->job;
    int64_t scale = choose_scale(run), width = run->domain.n[1] * scale;
    const halo_canvas canvas = {
        .first_row = first, .rows = rows, .width = width, .pixels = out, .pitch = pitch};
    for (int64_t y = 0; y < rows; y++) {
        const uint64_t *bits = job->fluid + (first + y) / scale * job->row_words;
        unsigned char *row = canvas.pixels + (size_t)y * pitch;
        for (int64_t x = 0; x < width; x++) {
            int64_t cell = x / scale;
            bool fluid = (bits[cell / WORD] >> (cell % WORD) & 1) != 0;
            row[3 * x] = row[3 * x + 1] = row[3 * x + 2] = fluid ? FLUID : SOLID;
        }
    }
    unsigned char palette[3 * HALO_LABEL_PALETTE_COLOURS];
    halo_label_palette(palette);
    halo_canvas_pen pen = {.width = HALO_CANVAS_ONE * (scale > 1 ? scale : 2) / 2};
    for (int64_t i = 0; i < count_shown(run); i++) {
        memcpy(pen.colour, palette + 3 * (i + 1), sizeof pen.colour);
        draw_walker(run, i, &canvas, &pen);
    }
    return HALO_OK;
}

static void finish_trajectories(app_run *run)
{
    walk_job *job = run->job;
    halo_memory_free(job->places);
    halo_memory_free(job->points);
}

static const app_writer trajectory_writers[] = {
    {APP_PICTURES, HALO_PNG_RGB8, .fill = fill_trajectories}, {0}};

const app_output walk_outputs[] = {
    {.option = offsetof(walk_options, output), .phase = "writing records", .write = write_records},
    {.option = offsetof(walk_options, plot), .phase = "plotting", .write = write_plot},
    {.option = offsetof(walk_options, trajectories),
     .phase = "drawing walkers",
     .writers = trajectory_writers,
     .scale = choose_scale,
     .prepare = prepare_trajectories,
     .finish = finish_trajectories},
    APP_TASKS_OUTPUT,
    {0}};

/* ---- facts of one axis ------------------------------------------------------------------------
 */

/* A number, and the ends of its interval, under NAME, NAME_low and NAME_high. */
static void add_number(json_t *object, const char *name, double value, double low, double high,
                       bool known)
{
    char key[TEXT];
    json_object_set_new(object, name, app_fact_real(value, true));
    snprintf(key, sizeof key, "%s_low", name);
    json_object_set_new(object, key, app_fact_real(low, known));
    snprintf(key, sizeof key, "%s_high", name);
    json_object_set_new(object, key, app_fact_real(high, known));
}

static void add_with_error(json_t *object, const char *name, halo_walk_number number, double factor)
{
    double value = factor * number.value, error = factor * number.error;
    add_number(object, name, value, value - error, value + error, error >= 0);
}

static void add_tortuosity(json_t *object, const halo_walk_motion *motion, double free_slope)
{
    const halo_walk_interval found = halo_walk_tortuosity(motion, free_slope);
    add_number(object, "tortuosity", found.value, found.low, found.high, !isnan(found.low));
}

/* The same in units of length, where the size of cells is known. */
static void add_lengths(json_t *object, const app_run *run, int axis,
                        const halo_walk_motion *motion)
{
    const double size = ((const walk_job *)run->job)->options.spacing[axis], area = size * size;
    json_t *lengths = json_object();
    if (!(size > 0)) {
        json_decref(lengths);
        return;
    }
    json_object_set_new(lengths, "cell", json_real(size));
    add_with_error(lengths, "mean", motion->mean, size);
    add_with_error(lengths, "mean_square", motion->square, area);
    add_with_error(lengths, "variance", motion->variance, area);
    add_with_error(lengths, drifts(run, axis) ? "dispersion" : "diffusivity", motion->slope,
                   area / 2);
    json_object_set_new(object, "lengths", lengths);
}

static json_t *facts_of_axis(const app_run *run, int axis)
{
    const walk_job *job = run->job;
    const halo_walk_motion motion = estimate(run, count_records(run) - 1, axis);
    double free_slope = job->facts.free_slopes[axis];
    double shares = (double)job->facts.started / (double)job->facts.cells;
    json_t *found = json_object();
    bool curved = halo_walk_is_curved(&motion), confined = halo_walk_is_confined(&motion);
    json_object_set_new(found, "axis", json_string(axis_names[axis]));
    add_with_error(found, "mean", motion.mean, 1);
    add_with_error(found, "mean_square", motion.square, 1);
    add_with_error(found, "variance", motion.variance, 1);
    add_with_error(found, drifts(run, axis) ? "dispersion" : "diffusivity", motion.slope, .5);
    add_with_error(found, "relative", motion.slope, 1 / free_slope);
    add_with_error(found, "effective", motion.slope, shares / free_slope);
    if (!drifts(run, axis)) {
        add_tortuosity(found, &motion, free_slope);
    }
    add_with_error(found, "slope_before", motion.before, 1);
    add_lengths(found, run, axis, &motion);
    json_object_set_new(found, "linear", json_boolean(!curved));
    json_object_set_new(found, "confined", json_boolean(confined));
    json_object_set_new(found, "remark",
                        json_string(curved     ? "not yet linear"
                                    : confined ? "confined"
                                               : "linear"));
    return found;
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* One word where all axes have the same. */
static const char *edges_text(const walk_job *job, char text[TEXT])
{
    const char *const *names = halo_walk_edge_names;
    const halo_walk_edges *along = job->options.edges;
    bool same = true;
    size_t used = 0;
    for (int axis = 0; axis < job->options.axes; axis++) {
        same = same && along[axis] == along[0];
        used += (size_t)snprintf(text + used, TEXT - used, "%s%s along %s", axis > 0 ? ", " : "",
                                 names[along[axis]], axis_names[axis]);
    }
    return same ? names[along[0]] : text;
}

static json_t *medium_facts(const app_run *run)
{
    const walk_options *options = run->options;
    const walk_job *job = run->job;
    char edges[TEXT];
    const int64_t *n = job->options.n;
    const halo_key_range *within = &job->threshold.within;
    halo_sample_type type = job->threshold.of.type;
    bool bounded = options->threshold.kind == THRESHOLD_RANGE;
    json_t *size = json_pack("[I, I, I]", (json_int_t)n[0], (json_int_t)n[1], (json_int_t)n[2]);
    return json_pack("{s:o, s:o, s:I, s:I, s:f, s:o, s:o*, s:s, s:b, s:s, s:f, s:I}", "size", size,
                     "pixel", app_pixel_json(run->image, &options->spacing), "cells",
                     (json_int_t)job->facts.cells, "fluid_cells", (json_int_t)job->facts.fluid,
                     "porosity", (double)job->facts.fluid / (double)job->facts.cells, "threshold",
                     cli_sample_json(type, within->min), "threshold_high",
                     bounded ? cli_sample_json(type, within->max) : NULL, "threshold_source",
                     threshold_source(&options->threshold), "inverted", (int)options->invert,
                     "edges", edges_text(job, edges), "conductivity", options->walk.conductivity,
                     "table_bytes", (json_int_t)job->facts.table_bytes);
}

static json_t *flow_facts(const app_run *run)
{
    const walk_options *options = run->options;
    const walk_job *job = run->job;
    return drifts(run, 0)
               ? json_pack("{s:f, s:f, s:I}", "mean_velocity", options->walk.flow, "fastest",
                           job->facts.fastest, "rows", (json_int_t)job->facts.flow_rows)
               : json_null();
}

/* "2 x 0.5 x 0.5 um", planes first; and how far walkers diffuse in a step. */
static void add_sizes(const app_run *run, json_t *texts)
{
    const walk_options *options = run->options;
    const walk_job *job = run->job;
    const app_pixel pixel = app_pixel_of(run->image, &options->spacing);
    char sizes[TEXT] = "", growth[TEXT] = "";
    size_t used = 0, grown = 0;
    for (int axis = job->options.axes - 1; axis >= 0 && pixel.spaced; axis--) {
        used += (size_t)snprintf(sizes + used, sizeof sizes - used, "%s%.6g", used > 0 ? " x " : "",
                                 job->options.spacing[axis]);
    }
    for (int axis = 0; axis < job->options.axes && pixel.spaced; axis++) {
        const halo_walk_motion motion = estimate(run, count_records(run) - 1, axis);
        double size = job->options.spacing[axis];
        grown += (size_t)snprintf(growth + grown, sizeof growth - grown, "%s%.4g along %s",
                                  grown > 0 ? ", " : "", motion.slope.value / 2 * size * size,
                                  axis_names[axis]);
    }
    json_object_set_new(texts, "sizes", app_fact_text(pixel.spaced ? sizes : NULL));
    json_object_set_new(texts, "growth", app_fact_text(pixel.spaced ? growth : NULL));
    json_object_set_new(
        texts, "unit",
        json_string(pixel.unit != HALO_LENGTH_UNKNOWN ? halo_length_name(pixel.unit) : "units"));
}

json_t *walk_facts(app_run *run, json_t *texts)
{
    const walk_options *options = run->options;
    const walk_job *job = run->job;
    double steps = (double)options->walkers * (double)options->steps;
    json_t *tasks = app_tasks_facts(run);
    double seconds = json_real_value(json_object_get(tasks, "seconds"));
    json_t *axes = json_array();
    char curved_along[TEXT] = "";
    for (int axis = 0; axis < job->options.axes; axis++) {
        json_t *found = facts_of_axis(run, axis);
        json_array_append_new(axes, found);
        if (json_is_false(json_object_get(found, "linear"))) {
            size_t used = strlen(curved_along);
            snprintf(curved_along + used, sizeof curved_along - used, "%s%s", used > 0 ? ", " : "",
                     axis_names[axis]);
        }
    }
    add_sizes(run, texts);
    json_object_set_new(texts, "curved_along",
                        app_fact_text(curved_along[0] != '\0' ? curved_along : NULL));
    json_object_set_new(texts, "conducting",
                        options->walk.conductivity > 0 ? json_real(options->walk.conductivity)
                                                       : json_null());
    return json_pack("{s:o, s:o, s:I, s:I, s:I, s:I, s:s, s:o, s:f, s:f, s:o}", "medium",
                     medium_facts(run), "flow", flow_facts(run), "walkers",
                     (json_int_t)options->walkers, "steps", (json_int_t)options->steps, "every",
                     (json_int_t)job->every, "seed", (json_int_t)options->walk.seed, "instructions",
                     job->facts.instructions, "axes", axes, "walk_seconds", seconds,
                     "nanoseconds_per_walker_and_step", 1e9 * seconds / steps, "tasks", tasks);
}

const app_line walk_lines[] = {
    {.name = "medium",
     .text =
         "{medium.fluid_cells} of {medium.cells} cells are fluid ({100*medium.porosity%.2f} "
         "%): threshold {medium.threshold}[..{medium.threshold_high}] ({medium.threshold_source}"
         "{medium.inverted?, inverted}); edges {medium.edges}"
         "[; the solid conducts {conducting%g} times as well as the fluid]"},
    {.name = "cells", .text = "of {sizes} {unit}; diffusivity in {unit}^2 a step {growth}"},
    {.name = "flow",
     .text = "{flow.mean_velocity%g} cells a step on average in {flow.rows} rows, {flow.fastest%g} "
             "at most"},
    {.name = "walkers", .text = "{walkers} of {steps} steps, recorded every {every}; seed {seed}"},
    {.name = "warning",
     .text = "not yet linear along {curved_along}: the spread still grows faster or slower than "
             "before; take more --steps"},
    {.name = "instructions", .text = "{instructions}", .verbose = true},
    APP_TASKS_LINES,
    {0}};

static const app_column axis_columns[] = {
    {"axis", "{axis}", -5},
    {"mean", "{mean%.4g}", 9},
    {"mean square", "{mean_square%.6g}", 12},
    {"variance", "{variance%.6g}", 10},
    {"relative diffusivity (95 %)", "{relative%.4f} ({relative_low%.4f} to {relative_high%.4f})",
     28},
    {"tortuosity (95 %)", "{tortuosity%.4f} ({tortuosity_low%.4f} to {tortuosity_high%.4f})", 28},
    {"", "{remark}", 15},
    {0}};

const app_listing walk_listings[] = {
    {.rows = "axes",
     .columns = axis_columns,
     .note = "Diffusivity (with a flow, dispersion) beside that of a walker in the fluid alone."},
    {.rows = "tasks.ranks", .columns = app_tasks_columns, .verbose = true},
    {0}};
