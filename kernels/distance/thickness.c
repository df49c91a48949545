#include "kernels/distance/thickness.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/option.h"
#include "core/world/collect.h"
#include "core/world/watch.h"
#include "core/world/watched_sort.h"
#include "kernels/distance/balls.h"
#include "kernels/distance/painting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Local thickness of a strip: distances, balls, and their painting. */

typedef struct {
    halo_world *world;
    const halo_domain *domain;
    const halo_view *bits;
    halo_thickness_options options;
    int64_t n[HALO_AXES]; /* in 3 axes: an image has one row a layer */
    int64_t first, own;   /* layers of this rank */
    uint32_t *squares;    /* [own][n[1]][n[2]] of distances; then of thickness */
    halo_distance_report report;
    balls_table table;
    distance_ball *balls;
    int64_t count, room;
} thickness_run;

static uint32_t *square_at(const thickness_run *run, int64_t z, int64_t y, int64_t x)
{
    return run->squares + ((z - run->first) * run->n[1] + y) * run->n[2] + x;
}

/* ---- distances ------------------------------------------------------------------------------- */

static halo_status take_distances(void *context, const halo_distance_row *row)
{
    const thickness_run *run = context;
    uint32_t *out = run->squares + (row->row - run->first * run->n[1]) * run->n[2];
    for (int64_t x = 0; x < row->count; x++) {
        out[x] = row->type == HALO_SAMPLE_U16 ? ((const uint16_t *)row->squares)[x]
                                              : ((const uint32_t *)row->squares)[x];
    }
    return HALO_OK;
}

/* Collective. */
static halo_status find_distances(thickness_run *run)
{
    halo_distance_options options = {.inverted = run->options.inverted,
                                     .instructions = run->options.instructions};
    memcpy(options.edge, run->options.edge, sizeof options.edge);
    return halo_distance_run(run->world, run->domain, run->bits, &options, take_distances, run,
                             &run->report);
}

/* ---- balls ----------------------------------------------------------------------------------- */

/* Does the ball lie within that of a neighbour of this strip? */
static bool is_covered(const thickness_run *run, const int64_t at[HALO_AXES], uint32_t square)
{
    int64_t lo[HALO_AXES], hi[HALO_AXES];
    const int64_t begin[] = {run->first, 0, 0},
                  end[] = {run->first + run->own, run->n[1], run->n[2]};
    for (int axis = 0; axis < HALO_AXES; axis++) {
        lo[axis] = halo_max(begin[axis], at[axis] - 1);
        hi[axis] = halo_min(end[axis], at[axis] + 2);
    }
    for (int64_t z = lo[0]; z < hi[0]; z++) {
        for (int64_t y = lo[1]; y < hi[1]; y++) {
            for (int64_t x = lo[2]; x < hi[2]; x++) {
                int steps = (z != at[0]) + (y != at[1]) + (x != at[2]);
                if (steps > 0 &&
                    balls_within(&run->table, square, steps, *square_at(run, z, y, x))) {
                    return true;
                }
            }
        }
    }
    return false;
}

static halo_status add_ball(thickness_run *run, const int64_t at[HALO_AXES], uint32_t square)
{
    HALO_TRY(halo_grow(&run->balls, &run->room, run->count, sizeof *run->balls, "balls"));
    run->balls[run->count++] =
        (distance_ball){square, {(int32_t)at[0], (int32_t)at[1], (int32_t)at[2]}};
    return HALO_OK;
}

static halo_status find_balls(thickness_run *run)
{
    int64_t at[HALO_AXES];
    double max = run->report.max * run->report.max;
    HALO_TRY(balls_table_create(&run->table, run->world, run->domain->axes, (uint32_t)(max + .5)));
    for (at[0] = run->first; at[0] < run->first + run->own; at[0]++) {
        for (at[1] = 0; at[1] < run->n[1]; at[1]++) {
            for (at[2] = 0; at[2] < run->n[2]; at[2]++) {
                uint32_t square = *square_at(run, at[0], at[1], at[2]);
                if (square > 0 && !is_covered(run, at, square)) {
                    HALO_TRY(add_ball(run, at, square));
                }
            }
            HALO_TRY(halo_watch_work(run->world, 0, 0));
        }
    }
    return HALO_OK;
}

/* ---- to the ranks that they reach ------------------------------------------------------------ */

/* The layers of all ranks: begin, end. */
static bool reaches(const distance_ball *ball, const int64_t layers[2])
{
    int64_t away = ball->at[0] < layers[0]    ? layers[0] - ball->at[0]
                   : ball->at[0] >= layers[1] ? ball->at[0] - layers[1] + 1
                                              : 0;
    return layers[0] < layers[1] && away * away < (int64_t)ball->square;
}

/* Copies the balls for each rank to `out`, in rank order, or counts their bytes. */
static void sort_out(const thickness_run *run, const int64_t *layers, distance_ball *out,
                     size_t *bytes)
{
    int64_t placed = 0;
    for (int rank = 0; rank < halo_world_ranks(run->world); rank++) {
        int64_t before = placed;
        for (int64_t i = 0; i < run->count; i++) {
            if (reaches(&run->balls[i], layers + (ptrdiff_t)2 * rank)) {
                if (out != NULL) {
                    out[placed] = run->balls[i];
                }
                placed++;
            }
        }
        bytes[rank] = (size_t)(placed - before) * sizeof *out;
    }
}

/* Collective. `layers` has room for two numbers of each rank. */
static halo_status share_layers(const thickness_run *run, int64_t *layers)
{
    int ranks = halo_world_ranks(run->world), rank = halo_world_rank(run->world);
    memset(layers, 0, (size_t)(2 * ranks) * sizeof *layers);
    layers[2 * rank] = run->first;
    layers[2 * rank + 1] = run->first + run->own;
    return halo_allreduce_sum(run->world, layers, 2 * ranks);
}

/* Collective. run->balls becomes those that reach this rank's strip. */
static halo_status send_balls(thickness_run *run)
{
    int ranks = halo_world_ranks(run->world);
    int64_t *layers;
    size_t *bytes = NULL, total = 0;
    distance_ball *out = NULL;
    void *in = NULL;
    halo_status status = HALO_ALLOCATE(layers, 2 * ranks, "layers of ranks");
    HALO_IF_OK(status, HALO_ALLOCATE(bytes, 2 * ranks, "balls of ranks"));
    HALO_TRY_OR(done, halo_agree(run->world, status));
    HALO_TRY_OR(done, share_layers(run, layers));
    sort_out(run, layers, NULL, bytes);
    for (int rank = 0; rank < ranks; rank++) {
        total += bytes[rank];
    }
    HALO_TRY_OR(done, halo_agree(run->world, HALO_ALLOCATE_LARGE(out, total / sizeof *out + 1,
                                                                 "balls for other ranks")));
    sort_out(run, layers, out, bytes);
    HALO_TRY_OR(done, halo_alltoallv(run->world, out, bytes, &in, bytes + ranks));
    free(run->balls);
    run->balls = NULL;
    run->count = 0;
    for (int rank = 0; rank < ranks; rank++) {
        run->count += (int64_t)(bytes[ranks + rank] / sizeof *out);
    }
    HALO_TRY_OR(done, halo_agree(run->world, HALO_ALLOCATE(run->balls, run->count + 1, "balls")));
    memcpy(run->balls, in, (size_t)run->count * sizeof *run->balls);
done:
    free(layers);
    free(bytes);
    halo_memory_free(out);
    halo_memory_free(in);
    return status;
}

/* ---- painting -------------------------------------------------------------------------------- */

/* The largest first; of equal ones in raster order, so that memory is gone through in order. */
static int compare_balls(const void *a, const void *b)
{
    const distance_ball *one = a, *other = b;
    if (one->square != other->square) {
        return one->square > other->square ? -1 : 1;
    }
    for (int axis = 0; axis < HALO_AXES; axis++) {
        if (one->at[axis] != other->at[axis]) {
            return one->at[axis] < other->at[axis] ? -1 : 1;
        }
    }
    return 0;
}

static halo_status paint_balls(thickness_run *run)
{
    painting p = {.layers = run->own,
                  .rows = run->n[1],
                  .width = run->n[2],
                  .first = run->first,
                  .squares = run->squares};
    HALO_TRY(
        halo_watched_sort(run->world, run->balls, run->count, sizeof *run->balls, compare_balls));
    halo_status status = painting_begin(&p);
    int64_t since = 0;
    for (int64_t i = 0; i < run->count && status == HALO_OK; i++) {
        int64_t rows = painting_ball(&p, &run->balls[i]);
        status = halo_watch_piece(run->world, &since, rows);
    }
    painting_end(&p);
    return status;
}

/* ---- results --------------------------------------------------------------------------------- */

static halo_status pass_rows(const thickness_run *run, halo_distance_take *take, void *context)
{
    for (int64_t i = 0; i < run->own * run->n[1]; i++) {
        const halo_distance_row row = {.row = run->first * run->n[1] + i,
                                       .count = run->n[2],
                                       .type = HALO_SAMPLE_U32,
                                       .squares = run->squares + i * run->n[2]};
        HALO_TRY(take(context, &row));
    }
    return HALO_OK;
}

/* Collective. Thicknesses are summed as whole numbers of 2^-16, in any order with one result. */
static halo_status report_mean(const thickness_run *run, halo_thickness_report *report)
{
    const double unit = 1 << 16;
    int64_t sum = 0;
    for (int64_t i = 0; i < run->own * run->n[1] * run->n[2] && !run->report.infinite; i++) {
        sum += (int64_t)(2 * sqrt((double)run->squares[i]) * unit);
    }
    HALO_TRY(halo_allreduce_sum(run->world, &sum, 1));
    *report = (halo_thickness_report){
        .pixels = run->report.pixels,
        .foreground = run->report.foreground,
        .infinite = run->report.infinite,
        .max = 2 * run->report.max,
        .mean =
            run->report.foreground > 0 ? (double)sum / unit / (double)run->report.foreground : 0};
    return HALO_OK;
}

static halo_status prepare(thickness_run *run)
{
    double sum = 0;
    for (int axis = 0; axis < run->domain->axes; axis++) {
        double n = (double)run->domain->n[axis] + 64;
        sum += n * n;
    }
    HALO_FAIL_IF(sum >= UINT32_MAX, HALO_ARGUMENT,
                 "the squares of distances in this image may not fit in 32 bits, and thickness has "
                 "no others; cut it into parts of fewer than 40000 pixels along each axis");
    return HALO_ALLOCATE_LARGE(run->squares, run->own * run->n[1] * run->n[2] + 1,
                               "squares of distances");
}

/* Collective. */
static halo_status run_all(thickness_run *run)
{
    HALO_TRY(find_distances(run));
    if (run->report.infinite) {
        return HALO_OK;
    }
    HALO_TRY(halo_agree(run->world, find_balls(run)));
    HALO_TRY(send_balls(run));
    return halo_agree(run->world, paint_balls(run));
}

halo_status halo_thickness_run_sized(halo_world *world, const halo_domain *domain,
                                     const halo_view *bits, const halo_thickness_options *given,
                                     halo_distance_take *take, void *context,
                                     halo_thickness_report *report, size_t given_bytes,
                                     size_t report_bytes)
{
    bool solid = domain->axes == HALO_AXES;
    halo_thickness_report found = {0};
    thickness_run run = {.world = world,
                         .domain = domain,
                         .bits = bits,
                         .n = {domain->n[0], solid ? domain->n[1] : 1, domain->n[domain->axes - 1]},
                         .first = bits->owned.lo[0],
                         .own = halo_box_cells(&bits->owned) > 0 ? bits->owned.n[0] : 0};
    halo_status status = halo_options_take(&run.options, sizeof run.options, given, given_bytes,
                                           "halo_thickness_options");
    HALO_IF_OK(status, prepare(&run));
    status = halo_agree(world, status);
    HALO_IF_OK(status, run_all(&run));
    if (status == HALO_OK) {
        status = halo_agree(world, pass_rows(&run, take, context));
    }
    HALO_IF_OK(status, report_mean(&run, &found));
    halo_report_give(report, report_bytes, status == HALO_OK ? &found : NULL, sizeof found);
    balls_table_free(&run.table);
    free(run.balls);
    halo_memory_free(run.squares);
    return status;
}
