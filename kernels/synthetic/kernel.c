#include "core/world/simulated_compute.h"
#include "kernels/synthetic/chains.h"
#include "kernels/synthetic/profile.h"
#include "kernels/synthetic/synthetic.h"

#include "base/memory.h"

/* A simulated machine computes this many flops for a cell. */
enum { FLOPS_A_CELL = 9 };

typedef struct {
    synthetic_profile profile;
    int64_t columns;
    uint64_t fresh;  /* digest of the rows done here since the last vote */
    uint64_t beside; /* of those done in the halo: computed, never reported */
    uint64_t digest; /* of all ranks up to then */
    uint64_t *out;   /* or NULL */
} synthetic_state;

uint64_t halo_synthetic_cell(int64_t row, int64_t column, int64_t beats)
{
    return UINT64_C(0xD1342543DE82EF95) * (uint64_t)row +
           UINT64_C(0x9E3779B97F4A7C15) * (uint64_t)column + UINT64_C(0xA0761D6478BD642F) +
           (uint64_t)beats;
}

/* ---- a step ---------------------------------------------------------------------------------- */

/* Rows around the one at hand; `above` and `below` are NULL where the domain ends beside it. */
typedef struct {
    const uint64_t *above, *here, *below;
    uint64_t *next;
} neighbourhood;

static void update_end(const neighbourhood *rows, int64_t column)
{
    uint64_t here = rows->here[column], sum = here + 1;
    if (rows->above != NULL && rows->below != NULL) {
        sum += (rows->above[column] - here) + (rows->below[column] - here);
    }
    rows->next[column] = sum;
}

static void update_middle(const neighbourhood *rows, int64_t lo, int64_t hi)
{
    const uint64_t *above = rows->above, *here = rows->here, *below = rows->below;
    uint64_t *restrict next = rows->next;
    if (above != NULL && below != NULL) {
        for (int64_t x = lo; x < hi; x++) {
            next[x] = above[x] + below[x] + here[x - 1] + here[x + 1] - 3 * here[x] + 1;
        }
        return;
    }
    for (int64_t x = lo; x < hi; x++) {
        next[x] = here[x - 1] + here[x + 1] - here[x] + 1;
    }
}

/* Columns lo to hi - 1, of which 0 is global column `first`. The first and last of the domain have
 * no neighbours on both sides. */
static void update_cells(const neighbourhood *rows, int64_t lo, int64_t hi, int64_t first,
                         int64_t columns)
{
    if (first + lo == 0) {
        update_end(rows, lo);
        lo++;
    }
    if (first + hi == columns && hi > lo) {
        update_end(rows, hi - 1);
        hi--;
    }
    update_middle(rows, lo, hi);
}

/* The share of a row's work that goes with its (global) columns lo to hi - 1. Shares add up to what
 * the whole row has, wherever it is cut. */
static uint64_t work(const synthetic_state *state, int64_t row, int64_t lo, int64_t hi,
                     int64_t beat)
{
    int64_t steps = synthetic_profile_steps(&state->profile, row, beat), all = state->columns;
    return hi > lo ? synthetic_chains_share(row, beat, steps * lo / all, steps * hi / all,
                                            HALO_SIMULATED)
                   : 0;
}

static int64_t within(int64_t x, int64_t lo, int64_t hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

/* Columns lo to hi - 1 of row y (all local). What lies in the halo is done as its owner does it,
 * who counts it. */
static void do_work(synthetic_state *state, const halo_step *step, int64_t y, int64_t lo,
                    int64_t hi)
{
    const halo_box *owned = &step->in->owned;
    int64_t row = owned->lo[0] + y, first = owned->lo[1];
    int64_t own = within(0, lo, hi), own_end = within(owned->n[1], lo, hi);
    bool counts = y >= 0 && y < owned->n[0];
    uint64_t mine = work(state, row, first + own, first + own_end, step->beat);
    uint64_t others = work(state, row, first + lo, first + own, step->beat) +
                      work(state, row, first + own_end, first + hi, step->beat);
    state->fresh += counts ? mine : 0;
    state->beside += counts ? others : mine + others;
}

static halo_status synthetic_step(halo_step *step)
{
    synthetic_state *state = step->state;
    const halo_box *todo = &step->todo, *owned = &step->in->owned;
    for (int64_t y = todo->lo[0]; y < todo->lo[0] + todo->n[0]; y++) {
        int64_t row = owned->lo[0] + y;
        neighbourhood rows = {.here = halo_row(step->in, y), .next = halo_row(step->out, y)};
        rows.above = row > 0 ? halo_row(step->in, y - 1) : NULL;
        rows.below = row < state->profile.rows - 1 ? halo_row(step->in, y + 1) : NULL;
        int64_t lo = todo->lo[1], hi = lo + todo->n[1];
        update_cells(&rows, lo, hi, owned->lo[1], state->columns);
        do_work(state, step, y, lo, hi);
    }
    step->changed += halo_box_cells(todo);
    return HALO_OK;
}

/* ---- the rest of the table ------------------------------------------------------------------- */

static halo_status synthetic_create(void **out, const halo_domain *domain, const void *of_run)
{
    const halo_synthetic_options *options = of_run;
    if (options == NULL || domain->axes != 2 || domain->n[0] != options->rows ||
        domain->n[1] != options->columns || domain->periodic[0] || domain->periodic[1]) {
        return halo_fail(HALO_ARGUMENT, "the synthetic kernel needs options, and a domain of two"
                                        " axes as large as they say that is not periodic");
    }
    synthetic_state *state;
    HALO_TRY(HALO_ALLOCATE(state, 1, "a synthetic kernel's state"));
    *out = state;
    state->columns = options->columns;
    state->out = options->digest;
    return synthetic_profile_of(&state->profile, options);
}

static double synthetic_flops(const void *state, int64_t row, int64_t beat)
{
    const synthetic_state *s = state;
    return (double)synthetic_profile_steps(&s->profile, row, beat) * SYNTHETIC_FLOPS_A_STEP +
           (double)s->columns * FLOPS_A_CELL;
}

/* Sums over ranks are of signed numbers, where overflow is not defined: two halves cannot. */
enum { LOW_HALF, HIGH_HALF, HALVES };

static halo_status synthetic_beat(void *state, int64_t *sums, bool agreed)
{
    synthetic_state *s = state;
    if (!agreed) {
        sums[LOW_HALF] = (int64_t)(s->fresh & UINT32_MAX);
        sums[HIGH_HALF] = (int64_t)(s->fresh >> 32);
        s->fresh = 0;
        return HALO_OK;
    }
    s->digest += (uint64_t)sums[LOW_HALF] + ((uint64_t)sums[HIGH_HALF] << 32);
    if (s->out != NULL) {
        *s->out = s->digest;
    }
    return HALO_OK;
}

const halo_kernel halo_synthetic_kernel = {.name = "synthetic",
                                           .help = "rows of known cost with a known result",
                                           .cell_bits = {64},
                                           .depth = 1,
                                           .sums = HALVES,
                                           .sums_can_wait = true,
                                           .step = synthetic_step,
                                           .create = synthetic_create,
                                           .destroy = halo_kernel_free_state,
                                           .row_flops = synthetic_flops,
                                           .beat = synthetic_beat};
