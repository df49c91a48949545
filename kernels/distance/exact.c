#include "base/memory.h"
#include "base/minmax.h"
#include "kernels/distance/distance_internal.h"

#include <math.h>
#include <string.h>

/* Squares of any size, along whole lines. */

/* ---- lines ----------------------------------------------------------------------------------- */

/* A line from `from` to `to`, which may be the same, along an axis of the 3. */
static void solve(const distance_run *run, int axis, int64_t count, const void *from, void *to,
                  int32_t *nearest)
{
    const distance_scratch *s = &run->scratch;
#define SOLVE(type, line_weight)                                                                  \
    {                                                                                             \
        .count = count, .from = from, .to = to, .nearest = run->finds ? nearest : NULL,           \
        .weight = (line_weight), .values = s->values, .places = s->places, .numbers = s->numbers, \
        .best = s->best                                                                           \
    }
    if (run->kind == DISTANCE_64) {
        const distance_line64 line = SOLVE(uint64_t, run->weight[axis]);
        run->ops->solve64(&line);
    } else if (run->kind == DISTANCE_REAL) {
        const distance_line_real line = SOLVE(double, run->spacing[axis]);
        run->ops->solve_real(&line);
    } else {
        const distance_line32 line = SOLVE(uint32_t, 1);
        run->ops->solve32(&line);
    }
#undef SOLVE
}

/* The same with what is beyond both ends as background. `from` has an element more before and
 * behind, and room. Results are moved back by one. */
static void solve_with_edges(const distance_run *run, int axis, int64_t count, char *from,
                             int32_t *nearest)
{
    size_t bytes = run->bytes;
    char *first = from - bytes;
    memset(first, 0, bytes);
    memset(from + (size_t)count * bytes, 0, bytes);
    solve(run, axis, count + 2, first, first, nearest);
    for (int64_t i = 0; i < count && run->finds; i++) {
        nearest[i] = nearest[i + 1] - 1;
    }
}

/* `from`, [count] with room at both ends, becomes the solution. */
static void solve_line(const distance_run *run, int axis, int64_t count, char *from,
                       int32_t *nearest)
{
    if (run->edge[axis]) {
        solve_with_edges(run, axis, count, from, nearest);
    } else {
        solve(run, axis, count, from, from, nearest);
    }
}

/* ---- along axis 0 ---------------------------------------------------------------------------- */

void distance_exact_begin(distance_run *run)
{
    if (run->finds) {
        memcpy(run->before, run->above, (size_t)run->columns * sizeof *run->before);
    }
}

/* The square of a distance along axis 0, as the element `i` of `out`. */
static void put_square(const distance_run *run, void *out, int64_t i, int64_t distance, bool none)
{
    if (run->kind == DISTANCE_64) {
        uint64_t square = (uint64_t)distance * (uint64_t)distance * run->weight[0];
        ((uint64_t *)out)[i] = none ? UINT64_MAX : square;
    } else if (run->kind == DISTANCE_REAL) {
        double length = (double)distance * run->spacing[0];
        ((double *)out)[i] = none ? (double)INFINITY : length * length;
    } else {
        ((uint32_t *)out)[i] = none ? UINT32_MAX : (uint32_t)distance * (uint32_t)distance;
    }
}

/* The nearest above, or in the layer itself, is found by going along. */
static void first_with_nearest(const distance_run *run, int64_t layer, const distance_row *row,
                               int32_t *before, int32_t *nearest, void *out)
{
    for (int64_t x = 0; x < run->width; x++) {
        bool set = row->bits[x / DISTANCE_WORD] >> (x % DISTANCE_WORD) & 1;
        before[x] = set ? before[x] : (int32_t)layer;
        int64_t up = layer - before[x];
        int64_t down = row->gaps[x] < DISTANCE_GAP ? INT64_MAX : row->below[x] - layer;
        int64_t least = row->gaps[x] < DISTANCE_GAP ? row->gaps[x] : halo_min(up, down);
        bool none = before[x] == DISTANCE_NONE_ABOVE && least == down &&
                    row->below[x] == DISTANCE_NONE_BELOW;
        nearest[x] = none ? -1 : (int32_t)(up == least ? layer - up : layer + least);
        put_square(run, out, x, least, none);
    }
}

static void first_alone(const distance_run *run, int64_t layer, const distance_row *row, void *out)
{
    if (run->bytes == sizeof(uint32_t)) {
        run->ops->square32(row, run->width, out);
        return;
    }
    for (int64_t x = 0; x < run->width; x++) {
        int64_t up = layer - row->above[x], down = row->below[x] - layer;
        bool far = row->gaps[x] == DISTANCE_GAP;
        bool none =
            far && row->above[x] == DISTANCE_NONE_ABOVE && row->below[x] == DISTANCE_NONE_BELOW;
        put_square(run, out, x, far ? halo_min(up, down) : row->gaps[x], none);
    }
}

static void first_axis(const distance_run *run, int64_t block, int64_t layer, const uint8_t *gaps)
{
    int64_t pitch = run->words * DISTANCE_WORD;
    const halo_view *view = &run->bits;
    for (int64_t y = 0; y < run->rows; y++) {
        int64_t at = y * pitch;
        const distance_row row = {.layer = (int32_t)layer,
                                  .gaps = gaps + at,
                                  .above = run->above + at,
                                  .below = distance_below(run, block) + at,
                                  .bits = run->axes == HALO_AXES
                                              ? halo_row_of_plane(view, layer - run->first, y)
                                              : halo_row(view, layer - run->first)};
        void *out = (char *)run->exact + (size_t)at * run->bytes;
        if (run->finds) {
            first_with_nearest(run, layer, &row, run->before + at, run->by_axis[0] + at, out);
        } else {
            first_alone(run, layer, &row, out);
        }
    }
}

/* ---- along axis 1 ---------------------------------------------------------------------------- */

/* Copies elements between rows of the layer, `count` columns from `x` on, and lines. */
static void turn(const distance_run *run, int64_t x, int64_t count, bool back)
{
    const distance_scratch *s = &run->scratch;
    int64_t pitch = run->words * DISTANCE_WORD;
    for (int64_t y = 0; y < run->rows; y++) {
        for (int64_t i = 0; i < count; i++) {
            int64_t line = i * s->pitch + DISTANCE_GROUP + y, at = y * pitch + x + i;
            void *from = (char *)run->exact + (size_t)at * run->bytes;
            void *to = (char *)s->lines + (size_t)line * run->bytes;
            if (run->bytes == sizeof(uint32_t)) {
                memcpy(back ? from : to, back ? to : from, sizeof(uint32_t));
            } else {
                memcpy(back ? from : to, back ? to : from, sizeof(uint64_t));
            }
            if (back && run->finds) {
                run->by_axis[1][at] = s->nearest[line];
            }
        }
    }
}

static void second_axis(const distance_run *run)
{
    const distance_scratch *s = &run->scratch;
    for (int64_t x = 0; x < run->width; x += DISTANCE_LINES) {
        int64_t count = halo_min(DISTANCE_LINES, run->width - x);
        turn(run, x, count, false);
        for (int64_t i = 0; i < count; i++) {
            int64_t at = i * s->pitch + DISTANCE_GROUP;
            solve_line(run, 1, run->rows, (char *)s->lines + (size_t)at * run->bytes,
                       s->nearest + at);
        }
        turn(run, x, count, true);
    }
}

/* ---- along the last axis --------------------------------------------------------------------- */

/* The pixel that the nearest one along the last axis leads to. */
static void find_nearest(const distance_run *run, int64_t y, const int32_t *along)
{
    int64_t pitch = run->words * DISTANCE_WORD;
    bool solid = run->axes == HALO_AXES;
    int32_t *const *out = run->nearest;
    for (int64_t x = 0; x < run->width; x++) {
        int32_t last = along[x], plane = (int32_t)run->layer_now, row = (int32_t)y;
        bool inside = last >= 0 && last < run->width;
        if (inside) {
            row = solid ? run->by_axis[1][y * pitch + last] : 0;
            inside = row >= 0 && row < run->rows;
            plane = inside ? run->by_axis[0][row * pitch + last] : plane;
        }
        bool none = run->none;
        out[0][x] = none ? -1 : plane;
        out[1][x] = none ? -1 : row;
        out[2][x] = none ? -1 : last;
    }
}

/* Squares of distances in units of length, summed as scipy does. */
static void measure(const distance_run *run, int64_t y)
{
    const double *spacing = run->spacing;
    for (int64_t x = 0; x < run->width; x++) {
        double z = (double)(run->nearest[0][x] - run->layer_now) * spacing[0];
        double across = (double)(run->nearest[1][x] - y) * spacing[1];
        double along = (double)(run->nearest[2][x] - x) * spacing[2];
        run->reals[x] = run->none ? (double)INFINITY : z * z + across * across + along * along;
    }
}

static void note_max(distance_run *run, halo_sample_type type, const void *squares)
{
    if (type == HALO_SAMPLE_U32) {
        run->max = halo_max(run->max, run->ops->largest32(squares, run->width));
        return;
    }
    for (int64_t x = 0; x < run->width; x++) {
        if (type == HALO_SAMPLE_F64) {
            run->max_real = fmax(run->max_real, ((const double *)squares)[x]);
        } else {
            run->max = halo_max(run->max, (int64_t)((const uint64_t *)squares)[x]);
        }
    }
}

static halo_status pass_row(distance_run *run, int64_t layer, int64_t y, const void *squares)
{
    halo_distance_row out = {.row = layer * run->rows + y,
                             .count = run->width,
                             .type = run->kind == DISTANCE_64     ? HALO_SAMPLE_U64
                                     : run->kind == DISTANCE_REAL ? HALO_SAMPLE_F64
                                                                  : HALO_SAMPLE_U32,
                             .unit = run->unit,
                             .squares = squares};
    if (run->spaced) {
        measure(run, y);
        out.type = HALO_SAMPLE_F64;
        out.squares = run->reals;
    }
    for (int axis = 0; axis < run->axes && run->options->indices; axis++) {
        /* An image has one row a layer. */
        out.nearest[axis] = run->nearest[run->axes == HALO_AXES ? axis : 2 * axis];
    }
    note_max(run, out.type, out.squares);
    return run->take(run->context, &out);
}

static halo_status last_axis(distance_run *run, int64_t layer, int64_t y, char *squares)
{
    int32_t *along = run->scratch.nearest + DISTANCE_GROUP;
    solve_line(run, 2, run->width, squares, along);
    if (run->finds) {
        find_nearest(run, y, along);
    }
    return pass_row(run, layer, y, squares);
}

/* ---- layers and rows ------------------------------------------------------------------------- */

halo_status distance_exact_layer(distance_run *run, int64_t block, int64_t layer,
                                 const uint8_t *gaps)
{
    size_t pitch = (size_t)(run->words * DISTANCE_WORD) * run->bytes;
    char *line = (char *)run->scratch.lines + DISTANCE_GROUP * run->bytes;
    run->layer_now = layer;
    first_axis(run, block, layer, gaps);
    if (run->axes == HALO_AXES) {
        second_axis(run);
    }
    for (int64_t y = 0; y < run->rows; y++) {
        memcpy(line, (char *)run->exact + (size_t)y * pitch, (size_t)run->width * run->bytes);
        HALO_TRY(last_axis(run, layer, y, line));
    }
    return HALO_OK;
}

halo_status distance_exact_row(distance_run *run, int64_t row, const uint16_t *squares)
{
    uint32_t *line = (uint32_t *)run->scratch.lines + DISTANCE_GROUP;
    for (int64_t x = 0; x < run->width; x++) {
        line[x] = squares[x];
    }
    return last_axis(run, row / run->rows, row % run->rows, (char *)line);
}

/* ---- memory ---------------------------------------------------------------------------------- */

halo_status distance_exact_create(distance_run *run)
{
    static const char what[] = "lines of squares";
    distance_scratch *s = &run->scratch;
    int64_t longest = halo_max(run->rows, run->width);
    int64_t cells = run->columns, found = run->finds ? cells : 1;
    /* A group before a line and behind it, and the line is rounded up. */
    s->pitch = (longest / DISTANCE_GROUP + 4) * DISTANCE_GROUP;
    HALO_TRY(halo_memory_create(&s->lines, (size_t)(DISTANCE_LINES * s->pitch) * run->bytes, what));
    HALO_TRY(halo_memory_create(&s->values, (size_t)s->pitch * run->bytes, what));
    HALO_TRY(halo_memory_create(&s->places, (size_t)s->pitch * run->bytes, what));
    HALO_TRY(HALO_ALLOCATE_LARGE(s->numbers, s->pitch, what));
    HALO_TRY(HALO_ALLOCATE_LARGE(s->best, s->pitch, what));
    HALO_TRY(HALO_ALLOCATE_LARGE(s->nearest, DISTANCE_LINES * s->pitch, what));
    HALO_TRY(halo_memory_create(&run->exact, (size_t)cells * run->bytes, what));
    HALO_TRY(HALO_ALLOCATE_LARGE(run->before, found, what));
    HALO_TRY(HALO_ALLOCATE_LARGE(run->by_axis[0], found, what));
    HALO_TRY(HALO_ALLOCATE_LARGE(run->by_axis[1], found, what));
    HALO_TRY(HALO_ALLOCATE_LARGE(run->reals, run->width, what));
    for (int axis = 0; axis < HALO_AXES; axis++) {
        HALO_TRY(HALO_ALLOCATE_LARGE(run->nearest[axis], run->width, what));
    }
    return HALO_OK;
}

void distance_exact_free(distance_run *run)
{
    distance_scratch *s = &run->scratch;
    void *const all[] = {s->lines,        s->values,       s->places,  s->numbers,
                         s->best,         s->nearest,      run->exact, run->before,
                         run->by_axis[0], run->by_axis[1], run->reals, run->nearest[0],
                         run->nearest[1], run->nearest[2]};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        halo_memory_free(all[i]);
    }
}
