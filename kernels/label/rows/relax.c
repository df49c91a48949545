#include "kernels/label/rows/relax.h"

#include "base/isa.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "core/beat/beat.h"
#include "kernels/label/merge/seeds.h"
#include "kernels/label/rows/relax_ops.h"

#include <limits.h>
#include <string.h>

static const halo_isa_variant variants[] = HALO_ISA_VARIANTS(label_relax_ops, AVX512);

/* ---- sweep --------------------------------------------------------------------------------- */

/* The state of the kernels. */
typedef struct {
    const label_relax_ops *ops;
    bool corners;   /* are neighbours, too */
    int order;      /* see label_input */
    int64_t width;  /* of the domain */
    bool fresh;     /* rows have joined the strip or block since it was settled */
    uint8_t *looks; /* asynchronously: of the settling that is under way */
} relaxation;

static halo_status sweep(halo_step *step)
{
    const relaxation *state = step->state;
    const int64_t x = step->todo.lo[1];
    for (int64_t y = step->todo.lo[0]; y < step->todo.lo[0] + step->todo.n[0]; y++) {
        const int64_t *above = halo_row(step->in, y - 1), *here = halo_row(step->in, y);
        const int64_t *below = halo_row(step->in, y + 1);
        int64_t *out = halo_row(step->out, y);
        step->changed += state->ops->sweep(above + x, here + x, below + x, out + x, step->todo.n[1],
                                           state->corners);
    }
    return HALO_OK;
}

/* ---- settle -------------------------------------------------------------------------------- */

/* Which rows have a neighbour with news for them; a row is looked at only then. */
typedef struct {
    const label_relax_ops *ops;
    const halo_view *labels;
    bool corners;
    bool whole; /* rows are: halo pixels beside them are copies of their own ends, or background */
    uint8_t *look_above; /* [rows + 2], from row -1: the row above has changed */
    uint8_t *look_below; /* [rows + 2] */
} settling;

enum { ROW_PARTS = 256, MIN_PART = 128 };

/* Parts of a row, of `size` columns each. In those without news each run has one label, so that a
 * row that takes labels in a few places need not be gone through from end to end. */
typedef struct {
    int64_t size;
    bool news[ROW_PARTS];
} row_parts;

static int64_t part_size(int64_t n)
{
    return halo_max(MIN_PART, (n + ROW_PARTS - 1) / ROW_PARTS);
}

/* Labels spread along each run from one end to the other. Returns how many changed. */
static int64_t spread(int64_t *row, int64_t n, int64_t first, int64_t step)
{
    int64_t changed = 0, carry = row[first - step];
    for (int64_t i = 0, x = first; i < n; i++, x += step) {
        int64_t label = row[x], max = label > carry ? label : carry;
        carry = label != 0 ? max : 0;
        changed += carry != label;
        row[x] = carry;
    }
    return changed;
}

/* The same in both directions. A part without news changes only if a larger label comes from the
 * part before it. */
static int64_t spread_parts(int64_t *row, int64_t n, const row_parts *parts)
{
    int64_t changed = 0, last = (n - 1) / parts->size;
    for (int64_t i = 0; i <= last; i++) {
        int64_t x = i * parts->size, size = halo_min(parts->size, n - x);
        bool comes = row[x] != 0 && row[x - 1] > row[x];
        changed += parts->news[i] || comes ? spread(row, size, x, 1) : 0;
    }
    for (int64_t i = last; i >= 0; i--) {
        int64_t x = i * parts->size, size = halo_min(parts->size, n - x), end = x + size - 1;
        bool comes = row[end] != 0 && row[end + 1] > row[end];
        changed += parts->news[i] || comes ? spread(row, size, end, -1) : 0;
    }
    return changed;
}

/* Halo pixels beside a whole row are copies of its own ends if columns go round, and else
 * background. */
static void refresh_ends(int64_t *row, int64_t n)
{
    row[-1] = row[-1] != 0 ? row[n - 1] : 0;
    row[n] = row[n] != 0 ? row[0] : 0;
}

/* Until nothing changes: a run that goes round is two runs to spread_parts(). */
static int64_t spread_all(int64_t *row, int64_t n, bool whole, const row_parts *parts)
{
    if (!whole) {
        return spread_parts(row, n, parts);
    }
    int64_t changed = 0, more;
    refresh_ends(row, n);
    do {
        more = spread_parts(row, n, parts);
        refresh_ends(row, n);
        changed += more;
    } while (more > 0 && row[-1] != 0 && row[n] != 0);
    return changed;
}

/* Rows above and below a row that has changed have to look at it. */
static void notify_neighbours(settling *s, int64_t y)
{
    s->look_above[y + 2] = 1;
    s->look_below[y] = 1;
}

static int64_t update_row(settling *s, int64_t y, int64_t other, bool fresh)
{
    int64_t *row = halo_row(s->labels, y), n = s->labels->owned.n[1], changed = 0;
    const int64_t *from = halo_row(s->labels, other);
    row_parts parts = {.size = fresh ? halo_max(n, 1) : part_size(n)};
    for (int64_t i = 0, x = 0; x < n; i++, x += parts.size) {
        int64_t news = s->ops->take(row + x, from + x, halo_min(parts.size, n - x), s->corners);
        parts.news[i] = news > 0 || fresh;
        changed += news;
    }
    if (changed > 0 || fresh) {
        changed += spread_all(row, n, s->whole, &parts);
    }
    if (changed > 0) {
        notify_neighbours(s, y);
    }
    return changed;
}

/* The largest label that an end of row y is offered by the halo beside it, column x. */
static int64_t offered(const settling *s, int64_t y, int64_t x)
{
    int64_t max = ((const int64_t *)halo_row(s->labels, y))[x];
    for (int64_t other = y - 1; s->corners && other <= y + 1; other += 2) {
        int64_t label = ((const int64_t *)halo_row(s->labels, other))[x];
        max = label > max ? label : max;
    }
    return max;
}

/* Rows of a block take what has come from the blocks beside it. */
static int64_t take_sides(settling *s)
{
    int64_t changed = 0, n = s->labels->owned.n[1];
    row_parts ends = {.size = part_size(n)};
    ends.news[0] = ends.news[(n - 1) / ends.size] = true;
    for (int64_t y = 0; y < s->labels->owned.n[0]; y++) {
        int64_t *row = halo_row(s->labels, y), first = offered(s, y, -1), last = offered(s, y, n);
        int64_t news = (row[0] != 0 && first > row[0]) + (row[n - 1] != 0 && last > row[n - 1]);
        if (news > 0) {
            row[0] = row[0] != 0 && first > row[0] ? first : row[0];
            row[n - 1] = row[n - 1] != 0 && last > row[n - 1] ? last : row[n - 1];
            changed += news + spread_all(row, n, s->whole, &ends);
            notify_neighbours(s, y);
        }
    }
    return changed;
}

/* One raster pass down and one up. Returns how many labels changed. */
static int64_t pass(settling *s, bool fresh)
{
    int64_t changed = 0, n = s->labels->owned.n[0];
    for (int64_t y = 0; y < n; y++) {
        if (s->look_above[y + 1]) {
            s->look_above[y + 1] = 0;
            changed += update_row(s, y, y - 1, fresh);
        }
    }
    for (int64_t y = n - 1; y >= 0; y--) {
        if (s->look_below[y + 1]) {
            s->look_below[y + 1] = 0;
            changed += update_row(s, y, y + 1, false);
        }
    }
    return changed;
}

/* A strip or block that was settled has news only from beyond its sides; but when rows have joined
 * it, any two may not know of each other. */
static settling begin_settling(halo_step *step, uint8_t *flags)
{
    size_t rows = (size_t)step->todo.n[0] + 2;
    relaxation *state = step->state;
    bool whole = step->out->owned.n[1] == state->width;
    settling s = {state->ops, step->out, state->corners, whole, flags, flags + rows};
    if (state->fresh) {
        memset(flags, 1, 2 * rows);
    } else if (!whole) {
        step->changed += take_sides(&s);
    }
    s.look_above[1] = 1;
    s.look_below[rows - 2] = 1;
    return s;
}

static halo_status create_flags(uint8_t **flags, const halo_step *step)
{
    size_t rows = (size_t)step->todo.n[0] + 2;
    return HALO_ALLOCATE_LARGE(*flags, 2 * rows, "marks of rows to settle");
}

static halo_status settle(halo_step *step)
{
    uint8_t *flags;
    relaxation *state = step->state;
    HALO_TRY(create_flags(&flags, step));
    settling s = begin_settling(step, flags);
    int64_t changed;
    do {
        changed = pass(&s, state->fresh);
        step->changed += changed;
        state->fresh = false;
    } while (changed > 0);
    halo_memory_free(flags);
    return HALO_OK;
}

/* A pass at a time: rows that are yet to be looked at stay marked. */
static halo_status settle_a_pass(halo_step *step)
{
    relaxation *state = step->state;
    if (state->fresh) {
        halo_memory_free(state->looks);
        HALO_TRY(create_flags(&state->looks, step));
    }
    settling s = begin_settling(step, state->looks);
    int64_t changed = pass(&s, state->fresh);
    state->fresh = false;
    step->changed += changed;
    step->more = changed > 0;
    return HALO_OK;
}

static halo_status note_move(void *state, const halo_view *fields)
{
    relaxation *moved = state;
    (void)fields;
    moved->fresh = true;
    return HALO_OK;
}

/* ---- volumes ------------------------------------------------------------------------------- */

/* Row (z, y) takes larger labels of its neighbours before it (`side` -1) or behind it (1): three of
 * the plane there and one of its own. Returns how many did. */
static int64_t take_rows(const relaxation *state, const halo_view *from, int64_t *row, int64_t z,
                         int64_t y, int side, int64_t first, int64_t n)
{
    const struct {
        int64_t z, y;
    } places[] = {{z + side, y}, {z, y + side}, {z + side, y - 1}, {z + side, y + 1}};
    int64_t changed = 0;
    for (int i = 0; i < 4; i++) {
        int axes = i < 2 ? 1 : 2;
        if (axes <= state->order) {
            const int64_t *other = halo_row_of_plane(from, places[i].z, places[i].y);
            changed += state->ops->take(row, other + first, n, state->order > axes);
        }
    }
    return changed;
}

static halo_status sweep_volume(halo_step *step)
{
    const relaxation *state = step->state;
    const halo_box *todo = &step->todo;
    const int64_t x = todo->lo[2], n = todo->n[2];
    for (int64_t z = todo->lo[0]; z < todo->lo[0] + todo->n[0]; z++) {
        for (int64_t y = todo->lo[1]; y < todo->lo[1] + todo->n[1]; y++) {
            const int64_t *here = (const int64_t *)halo_row_of_plane(step->in, z, y) + x;
            int64_t *out = (int64_t *)halo_row_of_plane(step->out, z, y) + x;
            step->changed += state->ops->sweep(here, here, here, out, n, false);
            step->changed += take_rows(state, step->in, out, z, y, -1, x, n);
            step->changed += take_rows(state, step->in, out, z, y, 1, x, n);
        }
    }
    return HALO_OK;
}

static int64_t settle_row(const relaxation *state, const halo_view *labels, int64_t z, int64_t y,
                          int side)
{
    int64_t *row = halo_row_of_plane(labels, z, y), n = labels->owned.n[2];
    return take_rows(state, labels, row, z, y, side, 0, n) + spread(row, n, 0, 1) +
           spread(row, n, n - 1, -1);
}

/* One raster pass from the first row to the last and one back. Returns how many labels changed. */
static int64_t pass_volume(const relaxation *state, const halo_view *labels)
{
    int64_t changed = 0, planes = labels->owned.n[0], rows = labels->owned.n[1];
    for (int64_t r = 0; r < planes * rows; r++) {
        changed += settle_row(state, labels, r / rows, r % rows, -1);
    }
    for (int64_t r = planes * rows - 1; r >= 0; r--) {
        changed += settle_row(state, labels, r / rows, r % rows, 1);
    }
    return changed;
}

static halo_status settle_volume(halo_step *step)
{
    int64_t changed;
    do {
        changed = pass_volume(step->state, step->out);
        step->changed += changed;
    } while (changed > 0);
    return HALO_OK;
}

static halo_status settle_volume_a_pass(halo_step *step)
{
    int64_t changed = pass_volume(step->state, step->out);
    step->changed += changed;
    step->more = changed > 0;
    return HALO_OK;
}

/* ---- both ---------------------------------------------------------------------------------- */

enum { LABEL_BITS = 64 };

/* `order` points to that of neighbours, see label_input. */
static halo_status create(void **out, const halo_domain *domain, const void *order)
{
    relaxation *state;
    HALO_TRY(HALO_ALLOCATE(state, 1, "the state of labelling"));
    *state = (relaxation){.ops = halo_isa_find(variants, NULL)->ops,
                          .order = *(const int *)order,
                          .corners = *(const int *)order > 1,
                          .width = domain->n[domain->axes - 1],
                          .fresh = true};
    *out = state;
    return HALO_OK;
}

static void destroy(void **state)
{
    relaxation *relaxing = *state;
    if (relaxing != NULL) {
        halo_memory_free(relaxing->looks);
    }
    halo_kernel_free_state(state);
}

static const halo_kernel sweep_kernel = {.name = "sweep",
                                         .help = "region labelling, a sweep a beat",
                                         .cell_bits = {LABEL_BITS},
                                         .depth = 1,
                                         .converges = true,
                                         .step = sweep,
                                         .create = create,
                                         .destroy = destroy};

static const halo_kernel settle_kernel = {.name = "settle",
                                          .help = "region labelling, a settled strip a beat",
                                          .cell_bits = {LABEL_BITS},
                                          .depth = 1,
                                          .whole = true,
                                          .in_place = true,
                                          .converges = true,
                                          .step = settle,
                                          .create = create,
                                          .destroy = destroy,
                                          .moved = note_move};

static const halo_kernel async_kernel = {.name = "async",
                                         .help = "region labelling, without rounds",
                                         .cell_bits = {LABEL_BITS},
                                         .depth = 1,
                                         .whole = true,
                                         .in_place = true,
                                         .converges = true,
                                         .monotone_bytes = LABEL_BITS / CHAR_BIT,
                                         .step = settle_a_pass,
                                         .create = create,
                                         .destroy = destroy,
                                         .moved = note_move};

/* Foreground pixels start with their index, + 1 so that 0 can be background. */
static void fill_labels(const halo_view *labels, const label_input *pixels)
{
    for (int64_t r = 0; r < pixels->height; r++) {
        const uint64_t *bits = label_input_row(pixels, r);
        int64_t *row = labels->axes == HALO_AXES
                           ? halo_row_of_plane(labels, r / pixels->rows, r % pixels->rows)
                           : halo_row(labels, r);
        int64_t first = label_input_global(pixels, r) * pixels->image_width + pixels->left + 1;
        for (int64_t x = 0; x < pixels->width; x++) {
            row[x] = (bits[x >> 6] >> (x & 63) & 1) != 0 ? first + x : 0;
        }
    }
}

typedef halo_status step_function(halo_step *step);

static halo_status relax(label_job *job, const halo_kernel *method, step_function *of_volume)
{
    halo_kernel kernel = *method;
    const label_input pixels = label_job_input(job);
    kernel.step = job->domain.axes == HALO_AXES ? of_volume : kernel.step;
    kernel.corners = job->order > 1;
    const halo_beat_options options = {.kernel_options = &job->order,
                                       .vote = job->vote,
                                       .exchange = job->exchange,
                                       .corner_way = job->corner_way,
                                       .packing = job->packing,
                                       .async = method->monotone_bytes > 0 ? &job->async : NULL,
                                       .balancing = job->balancing};
    halo_beat *beat;
    halo_status status;
    HALO_TRY(halo_beat_create(&beat, job->world, &job->domain, &job->partition, &kernel, &options));
    fill_labels(halo_beat_view(beat, 0), &pixels);
    HALO_TRY_OR(done, halo_beat_run(beat, 0));
    /* Back, if boundaries have moved. */
    HALO_TRY_OR(done, halo_beat_repartition(beat, &job->partition));
    *job->report = halo_beat_get_report(beat);
    job->async_report = halo_beat_get_async_report(beat);
    status = label_adopt_seeds(job, halo_beat_view(beat, 0));
done:
    halo_beat_destroy(&beat);
    return status;
}

halo_status label_run_sweep(label_job *job)
{
    return relax(job, &sweep_kernel, sweep_volume);
}

halo_status label_run_settle(label_job *job)
{
    return relax(job, &settle_kernel, settle_volume);
}

halo_status label_run_async(label_job *job)
{
    return relax(job, &async_kernel, settle_volume_a_pass);
}
