#include "kernels/label/relax.h"

#include "core/memory.h"
#include "kernels/label/relax_rows.h"

#include <string.h>

/* ---- sweep --------------------------------------------------------------------------------- */

static halo_status sweep(halo_step *step, bool corners)
{
    const relax_rows *rows = relax_rows_best();
    for (int64_t y = step->todo.lo[0]; y < step->todo.lo[0] + step->todo.n[0]; y++) {
        step->changed +=
            rows->sweep(halo_row(step->in, y - 1), halo_row(step->in, y), halo_row(step->in, y + 1),
                        halo_row(step->out, y), step->todo.n[1], corners);
    }
    return HALO_OK;
}

static halo_status step_sweep_4(halo_step *step)
{
    return sweep(step, false);
}

static halo_status step_sweep_8(halo_step *step)
{
    return sweep(step, true);
}

/* ---- settle -------------------------------------------------------------------------------- */

/* Which rows have a neighbour with news for them; a row is looked at only then. */
typedef struct {
    const relax_rows *rows;
    const halo_view *labels;
    bool corners;
    uint8_t *look_above; /* [rows + 2], from row -1: the row above has changed */
    uint8_t *look_below; /* [rows + 2] */
} settling;

/* Labels spread along each run from one end to the other. Returns how many changed. */
static int64_t spread(int64_t *row, int64_t n, int64_t first, int64_t step)
{
    int64_t changed = 0, carry = row[first - step];
    for (int64_t i = 0, x = first; i < n; i++, x += step) {
        int64_t label = row[x], most = label > carry ? label : carry;
        carry = label != 0 ? most : 0;
        changed += carry != label;
        row[x] = carry;
    }
    return changed;
}

/* Halo pixels beside the row are copies of its own ends if columns go round, and else unlit. */
static void refresh_ends(int64_t *row, int64_t n)
{
    row[-1] = row[-1] != 0 ? row[n - 1] : 0;
    row[n] = row[n] != 0 ? row[0] : 0;
}

/* Until nothing changes: a run that goes round is two runs to spread(). */
static int64_t spread_all(int64_t *row, int64_t n)
{
    int64_t changed = 0, more;
    refresh_ends(row, n);
    do {
        more = spread(row, n, 0, 1) + spread(row, n, n - 1, -1);
        refresh_ends(row, n);
        changed += more;
    } while (more > 0 && row[-1] != 0 && row[n] != 0);
    return changed;
}

static int64_t update_row(settling *s, int64_t y, int64_t other, bool fresh)
{
    int64_t *row = halo_row(s->labels, y), n = s->labels->owned.n[1];
    int64_t changed = s->rows->take(row, halo_row(s->labels, other), n, s->corners);
    if (changed > 0 || fresh) {
        changed += spread_all(row, n);
    }
    if (changed > 0) {
        s->look_above[y + 2] = 1;
        s->look_below[y] = 1;
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

/* A strip that was settled has news only from beyond its first and last row; but when rows have
 * joined it, any two may not know of each other. */
static halo_status settle(halo_step *step, bool corners)
{
    size_t rows = (size_t)step->todo.n[0] + 2;
    void *flags;
    HALO_TRY(halo_memory_create(&flags, 2 * rows, "marks of rows to settle"));
    settling s = {relax_rows_best(), step->out, corners, flags, (uint8_t *)flags + rows};
    bool *moved = step->state, fresh = step->beat == 0 || *moved;
    *moved = false;
    if (fresh) {
        memset(flags, 1, 2 * rows);
    }
    s.look_above[1] = 1;
    s.look_below[rows - 2] = 1;
    int64_t changed;
    do {
        changed = pass(&s, fresh);
        step->changed += changed;
        fresh = false;
    } while (changed > 0);
    halo_memory_free(flags);
    return HALO_OK;
}

static halo_status create_settle(void **state, const halo_domain *domain, const void *options)
{
    bool *const *moved = options;
    (void)domain;
    *state = *moved;
    return HALO_OK;
}

static halo_status moved_settle(void *state, const halo_box *owned)
{
    bool *moved = state;
    (void)owned;
    *moved = true;
    return HALO_OK;
}

static halo_status step_settle_4(halo_step *step)
{
    return settle(step, false);
}

static halo_status step_settle_8(halo_step *step)
{
    return settle(step, true);
}

/* ---- both ---------------------------------------------------------------------------------- */

enum { LABEL_BITS = 64, CONNECTIVITIES = 2 };

static const halo_kernel kernels[][CONNECTIVITIES] = {
#define SWEEP_KERNEL(c, diagonal)                                                               \
    {                                                                                           \
        .name = "sweep", .help = "region labelling, a sweep a beat", .cell_bits = {LABEL_BITS}, \
        .depth = 1, .corners = (diagonal), .settles = true, .step = step_sweep_##c              \
    }
#define SETTLE_KERNEL(c, diagonal)                                                           \
    {                                                                                        \
        .name = "settle", .help = "region labelling, a settled strip a beat",                \
        .cell_bits = {LABEL_BITS}, .depth = 1, .corners = (diagonal), .whole = true,         \
        .in_place = true, .settles = true, .step = step_settle_##c, .create = create_settle, \
        .moved = moved_settle                                                                \
    }
    {SWEEP_KERNEL(4, false), SWEEP_KERNEL(8, true)},
    {SETTLE_KERNEL(4, false), SETTLE_KERNEL(8, true)},
};

static const halo_kernel *find_kernel(const char *method, int connectivity)
{
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        if (method == NULL || strcmp(kernels[i][0].name, method) == 0) {
            return &kernels[i][connectivity == 8];
        }
    }
    return NULL;
}

static halo_status check_arguments(const halo_domain *domain, const halo_view *lit,
                                   const halo_relax_options *options, const halo_view *labels)
{
    if (options->connectivity != 0 && options->connectivity != 4 && options->connectivity != 8) {
        return halo_fail(HALO_ARGUMENT, "connectivity is 4 or 8, not %d", options->connectivity);
    }
    if (find_kernel(options->method, options->connectivity) == NULL) {
        return halo_fail(HALO_ARGUMENT, "unknown method \"%s\"; use sweep or settle",
                         options->method);
    }
    if (domain->axes != 2) {
        return halo_fail(HALO_ARGUMENT, "an image has 2 axes, not %d", domain->axes);
    }
    if (lit->cell_bits != HALO_BIT || labels->cell_bits != LABEL_BITS) {
        return halo_fail(HALO_ARGUMENT, "lit pixels have 1 bit and labels %d bits, not %d and %d",
                         LABEL_BITS, lit->cell_bits, labels->cell_bits);
    }
    return HALO_OK;
}

/* Lit pixels start with their index, + 1 so that 0 can be unlit. */
static void fill_labels(const halo_view *labels, const halo_view *lit)
{
    int64_t width = labels->owned.n[1];
    for (int64_t y = 0; y < labels->owned.n[0]; y++) {
        const uint64_t *bits = halo_row(lit, y);
        int64_t *row = halo_row(labels, y);
        int64_t first = (labels->owned.lo[0] + y) * width + 1;
        for (int64_t x = 0; x < width; x++) {
            row[x] = (bits[x >> 6] >> (x & 63) & 1) != 0 ? first + x : 0;
        }
    }
}

static void copy_labels(const halo_view *to, const halo_view *from)
{
    for (int64_t y = 0; y < from->owned.n[0]; y++) {
        memcpy(halo_row(to, y), halo_row(from, y), (size_t)from->owned.n[1] * sizeof(int64_t));
    }
}

/* With a beat that the caller destroys. */
static halo_status relax(halo_beat *beat, const int64_t *cuts, int64_t most, const halo_view *lit,
                         const halo_view *labels, halo_beat_report *report)
{
    fill_labels(halo_beat_view(beat, 0), lit);
    halo_status status = halo_beat_run(beat, most);
    if (status == HALO_OK) {
        status = halo_beat_move(beat, cuts); /* back, if boundaries have moved */
    }
    if (status == HALO_OK) {
        copy_labels(labels, halo_beat_view(beat, 0));
    }
    if (report != NULL) {
        *report = halo_beat_reported(beat);
    }
    return status;
}

halo_status halo_label_relax(halo_world *world, const halo_domain *domain, const int64_t *cuts,
                             const halo_view *lit, const halo_relax_options *options,
                             const halo_view *labels, halo_beat_report *report)
{
    halo_partition partition = {0};
    halo_status status = check_arguments(domain, lit, options, labels);
    if (status == HALO_OK) {
        status = halo_partition_with_cuts(&partition, domain, halo_world_ranks(world), cuts);
    }
    halo_beat *beat = NULL;
    HALO_TRY_OR(done, halo_agree(world, status));
    bool moved = false, *place = &moved; /* the state of the kernel "settle" */
    halo_beat_options on = options->on;
    on.kernel_options = &place;
    HALO_TRY_OR(done, halo_beat_create(&beat, world, domain, &partition,
                                       find_kernel(options->method, options->connectivity), &on));
    status = relax(beat, cuts, options->most_beats, lit, labels, report);
done:
    halo_beat_destroy(&beat);
    halo_partition_free(&partition);
    return status;
}
