#include "kernels/chan_vese/chan_vese.h"

#include "base/isa.h"
#include "base/memory.h"
#include "base/option.h"
#include "core/world/collect.h"
#include "kernels/chan_vese/stages.h"

#include <math.h>
#include <stdlib.h>

static const halo_isa_variant row_variants[] = HALO_ISA_VARIANTS(chan_vese_row_ops, AVX512);

/* The kernel adds these sums to the vote: the changes of a beat. The vote counts changed pixels
 * anyway, but does not pass that count to a kernel. */
typedef enum { SUM_CHANGED, SUM_INSIDE, SUM_GREY, SUM_TRACE_LOW, SUM_TRACE_HIGH, SUMS } vote_sum;

enum { BITS_A_BYTE = 8, MAX_BITS = 16, HALF = 32 };

typedef struct {
    halo_chan_vese_options options;
    halo_domain domain;
    const chan_vese_row_ops *ops;
    chan_vese_stages stages;
    chan_vese_force force;
    chan_vese_drawn drawn;
    chan_vese_change mine; /* of this rank, since the last vote */
    halo_chan_vese_report report;
} chan_vese;

/* ---- a beat ---------------------------------------------------------------------------------- */

/* Skimage's formula, with its guard against a side without pixels. */
static double mean_of(int64_t sum, int64_t pixels)
{
    static const double guard = 1e-8;
    return (double)sum / ((double)pixels + guard);
}

static void find_means(chan_vese *state)
{
    halo_chan_vese_report *report = &state->report;
    report->inside_mean = mean_of(report->inside_grey_sum, report->inside);
    report->outside_mean =
        mean_of(report->grey_sum - report->inside_grey_sum, report->pixels - report->inside);
    state->force.c1 = report->inside_mean;
    state->force.c0 = report->outside_mean;
    chan_vese_find_sets(&state->force);
    chan_vese_drawn_renew(&state->drawn);
}

static halo_status chan_vese_step(halo_step *step)
{
    chan_vese *state = step->state;
    /* With an odd number of operators a beat, every other beat begins with the second one. */
    bool second = (step->beat & 1) != 0 && (state->options.smoothing & 1) != 0;
    chan_vese_beat beat = {.ops = state->ops,
                           .drawn = &state->drawn,
                           .cells = &step->in[0],
                           .greys = &step->in[1],
                           .domain_rows = state->domain.n[0],
                           .first_is_sup_inf = second,
                           .row_cost = step->row_cost};
    chan_vese_change change = {0};
    HALO_TRY(chan_vese_drawn_fit(&state->drawn, &step->in[1]));
    int64_t lo = step->todo.lo[0];
    chan_vese_stages_run(&state->stages, &beat, lo, lo + step->todo.n[0], &change);
    step->changed += change.changed;
    state->mine.changed += change.changed;
    state->mine.inside += change.inside;
    state->mine.grey += change.grey;
    state->mine.trace += change.trace;
    return HALO_OK;
}

/* If two smoothing operators alternate, a beat without changes proves nothing about the other
 * operator: two such beats in a row are needed. */
static void count_still(chan_vese *state, int64_t steady_beats)
{
    state->report.steady_beats = steady_beats;
    state->report.settled = steady_beats >= 1 + state->options.smoothing % 2;
}

/* Operators are the same ones again after two beats, so that two beats that change the same pixels,
 * to and fro, begin a swing without an end. */
static void note_vote(chan_vese *state, int64_t changed, uint64_t trace)
{
    halo_chan_vese_report *report = &state->report;
    report->changed = changed;
    report->swings = changed > 0 && trace == report->trace;
    report->trace = trace;
    count_still(state, changed == 0 ? report->steady_beats + 1 : 0);
}

static halo_status chan_vese_vote(void *of, int64_t *sums, bool agreed)
{
    chan_vese *state = of;
    if (!agreed) {
        sums[SUM_CHANGED] = state->mine.changed;
        sums[SUM_INSIDE] = state->mine.inside;
        sums[SUM_GREY] = state->mine.grey;
        sums[SUM_TRACE_LOW] = (int64_t)(state->mine.trace & UINT32_MAX);
        sums[SUM_TRACE_HIGH] = (int64_t)(state->mine.trace >> HALF);
        state->mine = (chan_vese_change){0};
        return HALO_OK;
    }
    note_vote(state, sums[SUM_CHANGED],
              (uint64_t)sums[SUM_TRACE_LOW] + ((uint64_t)sums[SUM_TRACE_HIGH] << HALF));
    if (sums[SUM_CHANGED] != 0) {
        state->report.inside += sums[SUM_INSIDE];
        state->report.inside_grey_sum += sums[SUM_GREY];
        find_means(state);
    }
    return HALO_OK;
}

/* ---- the rest of the table ------------------------------------------------------------------- */

static bool is_lambda(double value)
{
    return value == 0 || (value >= HALO_CHAN_VESE_MIN_LAMBDA && value <= HALO_CHAN_VESE_MAX_LAMBDA);
}

static halo_status check(const halo_chan_vese_options *options, const halo_domain *domain)
{
    if (options->grey_bits != BITS_A_BYTE && options->grey_bits != MAX_BITS) {
        return halo_fail(HALO_ARGUMENT, "pictures of %d bits a pixel; use 8 or 16",
                         options->grey_bits);
    }
    if (options->smoothing < 0 || options->smoothing > HALO_CHAN_VESE_MAX_SMOOTHING) {
        return halo_fail(HALO_ARGUMENT, "smoothing %d times a beat; use 0 to %d times",
                         options->smoothing, HALO_CHAN_VESE_MAX_SMOOTHING);
    }
    if (!is_lambda(options->lambda1) || !is_lambda(options->lambda2)) {
        return halo_fail(HALO_ARGUMENT,
                         "weights lambda of %g and %g; use 0, or numbers from %g"
                         " to %g",
                         options->lambda1, options->lambda2, HALO_CHAN_VESE_MIN_LAMBDA,
                         HALO_CHAN_VESE_MAX_LAMBDA);
    }
    if (domain->periodic[0] || domain->periodic[1]) {
        return halo_fail(HALO_ARGUMENT, "a periodic picture; Chan-Vese has edges on all sides");
    }
    return HALO_OK;
}

static void chan_vese_destroy(void **of)
{
    chan_vese *state = *of;
    if (state != NULL) {
        chan_vese_drawn_free(&state->drawn);
        chan_vese_stages_free(&state->stages);
        free(state->force.signs);
        free(state);
    }
    *of = NULL;
}

static halo_status allocate(chan_vese *state)
{
    const halo_chan_vese_options *options = &state->options;
    const halo_isa_variant *variant;
    HALO_TRY(halo_isa_pick(&variant, row_variants, options->instructions));
    state->ops = variant->ops;
    size_t levels = (size_t)1 << options->grey_bits;
    state->force = (chan_vese_force){.bits = options->grey_bits,
                                     .max = (int64_t)levels - 1,
                                     .lambda1 = options->lambda1,
                                     .lambda2 = options->lambda2};
    HALO_TRY(HALO_ALLOCATE(state->force.signs, levels, "the force on greys"));
    state->drawn = (chan_vese_drawn){.ops = state->ops,
                                     .shape = &state->stages.shape,
                                     .force = &state->force,
                                     .margin = 2 * options->smoothing};
    return chan_vese_stages_create(&state->stages, state->domain.n[1], options->smoothing);
}

static halo_status chan_vese_create(void **out, const halo_domain *domain, const void *options)
{
    HALO_TRY(check(options, domain));
    chan_vese *state;
    HALO_TRY(HALO_ALLOCATE(state, 1, "the state of Chan-Vese"));
    *out = state;
    state->options = *(const halo_chan_vese_options *)options;
    state->domain = *domain;
    return allocate(state);
}

int64_t halo_chan_vese_bytes(const halo_box *owned, int smoothing)
{
    return chan_vese_drawn_bytes(owned, 2 * smoothing, owned->n[1]);
}

halo_kernel halo_chan_vese_kernel(const halo_chan_vese_options *options)
{
    return (halo_kernel){.name = "chan-vese",
                         .help = "a picture into an inside and an outside, each even in grey",
                         .axes = 2,
                         .cell_bits = {HALO_BIT, options->grey_bits},
                         .cell_kind = {HALO_UNSIGNED, HALO_UNSIGNED},
                         .depth = 1 + 2 * options->smoothing,
                         .whole = true,
                         .in_place = true,
                         .converges = true,
                         .sums = SUMS,
                         .step = chan_vese_step,
                         .create = chan_vese_create,
                         .destroy = chan_vese_destroy,
                         .white = 1,
                         .beat = chan_vese_vote,
                         .flops = 1};
}

/* ---- what a picture adds up to --------------------------------------------------------------- */

typedef struct {
    int64_t sum, min, max;
} extremes;

#define DEFINE_LOOK_AT_ROW(name, type)                                \
    static void name(const type *row, int64_t width, extremes *found) \
    {                                                                 \
        for (int64_t x = 0; x < width; x++) {                         \
            found->sum += row[x];                                     \
            found->min = row[x] < found->min ? row[x] : found->min;   \
            found->max = row[x] > found->max ? row[x] : found->max;   \
        }                                                             \
    }
DEFINE_LOOK_AT_ROW(look_at_row8, uint8_t)
DEFINE_LOOK_AT_ROW(look_at_row16, uint16_t)

/* A row is represented by what changes when it goes from all outside to what it is. */
static void look_at_rows(chan_vese *state, const halo_view *cells, const halo_view *greys,
                         extremes *found, chan_vese_change *change)
{
    chan_vese_shape *shape = &state->stages.shape;
    bool wide = greys->cell_bits == MAX_BITS;
    uint64_t *scratch = state->stages.nothing + state->stages.pitch; /* the first stage's */
    for (int64_t y = 0; y < cells->owned.n[0]; y++) {
        const void *row = halo_row(greys, y);
        if (wide) {
            look_at_row16(row, shape->width, found);
        } else {
            look_at_row8(row, shape->width, found);
        }
        for (int64_t i = 0; i < shape->words; i++) {
            scratch[i] = 0;
        }
        chan_vese_return one = {.count = 1,
                                .fresh = {chan_vese_stages_row(&state->stages, cells, y, 0)},
                                .greys = {row},
                                .cells = {scratch}};
        state->ops->commit[wide](shape, &one, change);
    }
}

halo_status halo_chan_vese_begin(halo_beat *beat, halo_world *world)
{
    chan_vese *state = halo_beat_state(beat);
    extremes found = {.min = INT64_MAX, .max = INT64_MIN};
    chan_vese_change change = {0};
    look_at_rows(state, halo_beat_view(beat, 0), halo_beat_view(beat, 1), &found, &change);
    int64_t sums[] = {found.sum, change.inside, change.grey}, ends[] = {-found.min, found.max};
    HALO_TRY(halo_allreduce_sum(world, sums, 3));
    HALO_TRY(halo_allreduce_max(world, ends, 2));
    state->report = (halo_chan_vese_report){.pixels = state->domain.n[0] * state->domain.n[1],
                                            .inside = sums[1],
                                            .grey_sum = sums[0],
                                            .inside_grey_sum = sums[2]};
    state->force.min = -ends[0];
    state->force.max = ends[1];
    find_means(state);
    return HALO_OK;
}

void halo_chan_vese_get_report_sized(const halo_beat *beat, halo_chan_vese_report *report,
                                     size_t report_bytes)
{
    const chan_vese *state = halo_beat_state(beat);
    halo_report_give(report, report_bytes, &state->report, sizeof state->report);
}

void halo_chan_vese_recall(halo_beat *beat, int64_t steady_beats, uint64_t trace)
{
    chan_vese *state = halo_beat_state(beat);
    state->report.trace = trace;
    count_still(state, steady_beats);
}
