#include "kernels/distance/distance.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/option.h"
#include "core/world/collect.h"
#include "core/world/watch.h"
#include "kernels/distance/distance_internal.h"
#include "kernels/distance/spacing.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <string.h>

/* The distance transform of a strip. */

static const halo_isa_variant distance_variants[] = HALO_ISA_VARIANTS(distance_ops, AVX512);

const distance_ops *distance_best_ops(void)
{
    return halo_isa_find(distance_variants, NULL)->ops;
}

/* ---- arguments ------------------------------------------------------------------------------- */

/* No index is near what stands for no background. */
enum { MOST_ALONG = INT32_MAX / 2 - 64 };

static halo_status check(const halo_domain *domain, const halo_view *bits)
{
    HALO_FAIL_IF(domain->axes < 2 || bits->axes != domain->axes || bits->cell_bits != HALO_BIT,
                 HALO_ARGUMENT, "distances need bits of 2 or 3 axes; these have %d, of %d bits",
                 bits->axes, bits->cell_bits);
    for (int axis = 0; axis < domain->axes; axis++) {
        HALO_FAIL_IF(domain->n[axis] > MOST_ALONG, HALO_ARGUMENT,
                     "an axis of %" PRId64 " pixels is longer than %d, the most for distances; cut "
                     "the image into parts",
                     domain->n[axis], MOST_ALONG);
    }
    return HALO_OK;
}

/* The largest square that there can be, edges and room behind lines included. */
static double largest_square(const distance_run *run, const uint64_t *weight)
{
    const int64_t n[HALO_AXES] = {run->layers, run->rows, run->width};
    double sum = 0;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        double most = (double)n[axis] + 2 * DISTANCE_GROUP;
        sum += most * most * (weight != NULL ? (double)weight[axis] : 1);
    }
    return sum;
}

static void choose_kind(distance_run *run)
{
    const double limit32 = UINT32_MAX, limit64 = (double)(UINT64_C(1) << 63);
    if (run->spaced) {
        bool common = distance_spacing_is_common(run->spacing, run->weight) &&
                      largest_square(run, run->weight) < limit64;
        run->kind = common ? DISTANCE_64 : DISTANCE_REAL;
    } else if (largest_square(run, NULL) >= limit32) {
        run->kind = DISTANCE_64;
    } else {
        run->kind = run->finds ? DISTANCE_32 : DISTANCE_SHORT;
    }
    run->bytes = run->kind == DISTANCE_64 || run->kind == DISTANCE_REAL ? sizeof(uint64_t)
                                                                        : sizeof(uint32_t);
}

/* Are pixels as large along all axes, but for those along which there is one? Then this is the unit
 * of distances, which are computed in pixels. */
static bool have_one_size(distance_run *run)
{
    const int64_t n[HALO_AXES] = {run->layers, run->rows, run->width};
    double size = 0;
    bool one = true;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        bool counts = n[axis] > 1 || run->edge[axis];
        one = one &&
              (!counts || size <= 0 || !(size < run->spacing[axis] || size > run->spacing[axis]));
        size = counts && size <= 0 ? run->spacing[axis] : size;
    }
    run->unit = one && size > 0 ? size : 1;
    return one;
}

static halo_status take_axes(distance_run *run)
{
    int given = 0;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        run->spacing[axis] = 1;
        run->weight[axis] = 1;
    }
    for (int axis = 0; axis < run->axes; axis++) {
        double size = run->options->spacing[axis];
        HALO_FAIL_IF(!(size >= 0 && size < (double)INFINITY), HALO_ARGUMENT,
                     "a spacing of %g is not possible; give numbers above 0", size);
        given += size > 0;
        /* An image has one row a layer: its axes are the first and the last of 3. */
        int of = run->axes == HALO_AXES ? axis : 2 * axis;
        run->spacing[of] = size > 0 ? size : 1;
        run->edge[of] = run->options->edge[axis];
    }
    if (run->axes < HALO_AXES) {
        run->spacing[1] = run->spacing[0];
    }
    HALO_FAIL_IF(given != 0 && given != run->axes, HALO_ARGUMENT,
                 "the spacing of %d axes is given, of %d; give that of all axes", given, run->axes);
    run->spaced = !have_one_size(run);
    run->finds = run->options->indices || run->spaced;
    return HALO_OK;
}

static void take_shape(distance_run *run)
{
    const halo_domain *domain = &run->domain;
    run->layers = domain->n[0];
    run->rows = domain->axes == HALO_AXES ? domain->n[1] : 1;
    run->width = domain->n[domain->axes - 1];
    run->first = run->bits.owned.lo[0];
    run->own = halo_box_cells(&run->bits.owned) > 0 ? run->bits.owned.n[0] : 0;
    run->words = (run->width + DISTANCE_WORD - 1) / DISTANCE_WORD;
    run->columns = run->rows * run->words * DISTANCE_WORD;
}

/* Gaps of a block fill a megabyte of the cache, but a layer's numbers of columns are kept once for
 * each block. */
static void choose_block(distance_run *run)
{
    enum { BYTES = 1 << 20, LEAST = 32, MOST = 128 };
    run->block = halo_max(LEAST, halo_min(MOST, BYTES / halo_max(1, run->columns)));
    run->blocks = (run->own + run->block - 1) / run->block;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static uint64_t *row_of(const halo_view *view, int64_t i)
{
    return halo_view_row(view, i);
}

/* Bits past the width stay 0. */
static void invert(const distance_run *run, const halo_view *to)
{
    int64_t past = run->words * DISTANCE_WORD - run->width;
    for (int64_t i = 0; i < run->own * run->rows; i++) {
        const uint64_t *from = row_of(&run->bits, i);
        uint64_t *row = row_of(to, i);
        for (int64_t w = 0; w < run->words; w++) {
            row[w] = ~from[w];
        }
        row[run->words - 1] &= UINT64_MAX >> past;
    }
}

static halo_status create_inverted(distance_run *run)
{
    HALO_TRY(halo_field_create(&run->inverted, &run->domain, &run->bits.owned, HALO_BIT, 0));
    const halo_view *view = halo_field_view(run->inverted);
    invert(run, view);
    run->bits = *view;
    return HALO_OK;
}

static halo_status create(distance_run *run)
{
    static const char what[] = "distances along axis 0";
    int64_t n = run->columns;
    if (run->options->inverted) {
        HALO_TRY(create_inverted(run));
    }
    HALO_TRY(HALO_ALLOCATE_LARGE(run->above, n, what));
    HALO_TRY(HALO_ALLOCATE_LARGE(run->below, n, what));
    HALO_TRY(HALO_ALLOCATE_LARGE(run->next, halo_max(1, n * run->blocks), what));
    HALO_TRY(HALO_ALLOCATE_LARGE(run->state, n, what));
    HALO_TRY(HALO_ALLOCATE_LARGE(run->gaps, n * halo_min(run->block, halo_max(1, run->own)), what));
    HALO_TRY(distance_exact_create(run));
    return run->kind == DISTANCE_SHORT ? distance_short_create(run) : HALO_OK;
}

static void destroy(distance_run *run)
{
    void *const all[] = {run->above, run->below, run->next, run->state, run->gaps};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        halo_memory_free(all[i]);
    }
    distance_short_free(run);
    distance_exact_free(run);
    halo_field_destroy(&run->inverted);
}

/* ---- running --------------------------------------------------------------------------------- */

static halo_status run_layer(distance_run *run, int64_t block, int64_t layer, const uint8_t *gaps)
{
    bool done = false;
    if (run->kind == DISTANCE_SHORT && !run->none) {
        HALO_TRY(distance_short_layer(run, layer, gaps, &done));
    }
    return done ? HALO_OK : distance_exact_layer(run, block, layer, gaps);
}

static halo_status run_blocks(distance_run *run)
{
    for (int64_t b = 0; b < run->blocks; b++) {
        int64_t begin = b * run->block, count = halo_min(run->block, run->own - begin);
        distance_carry_begin(run, b);
        distance_exact_begin(run);
        for (int64_t i = 0; i < count; i++) {
            HALO_TRY(run_layer(run, b, run->first + begin + i, run->gaps + i * run->columns));
            HALO_TRY(halo_watch_work(run->world, begin + i + 1, run->own));
        }
        distance_carry_end(run, b);
    }
    return HALO_OK;
}

static int64_t count_foreground(const distance_run *run)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < run->own * run->rows; i++) {
        const uint64_t *row = row_of(&run->bits, i);
        for (int64_t w = 0; w < run->words; w++) {
            sum += __builtin_popcountll(row[w]);
        }
    }
    return sum;
}

/* Collective. Counts the foreground of all ranks. */
static halo_status count(distance_run *run, halo_distance_report *report)
{
    report->foreground = count_foreground(run);
    report->pixels = run->layers * run->rows * run->width;
    HALO_TRY(halo_allreduce_sum(run->world, &report->foreground, 1));
    bool edge = run->edge[0] || run->edge[1] || run->edge[2];
    run->none = report->foreground == report->pixels && !edge;
    report->infinite = run->none && report->pixels > 0;
    return HALO_OK;
}

/* Collective. */
static halo_status report_max(const distance_run *run, halo_distance_report *report)
{
    double own = run->spaced ? sqrt(run->max_real) : sqrt((double)run->max) * run->unit;
    int64_t bits; /* the order of doubles from 0 on is that of their bits */
    _Static_assert(sizeof bits == sizeof own, "a double has 64 bits");
    own = run->none ? 0 : own;
    memcpy(&bits, &own, sizeof bits);
    HALO_TRY(halo_allreduce_max(run->world, &bits, 1));
    memcpy(&report->max, &bits, sizeof bits);
    return HALO_OK;
}

/* Collective, once there is memory. */
static halo_status run_all(distance_run *run, halo_distance_report *report)
{
    HALO_TRY(count(run, report));
    HALO_TRY(halo_agree(run->world, distance_carry_find(run)));
    HALO_TRY(distance_carry_share(run));
    HALO_TRY(halo_agree(run->world, run_blocks(run)));
    return report_max(run, report);
}

/* Local. Refuses what is not possible, and sets memory aside. */
static halo_status prepare(distance_run *run)
{
    const halo_isa_variant *variant;
    HALO_TRY(check(&run->domain, &run->bits));
    HALO_TRY(halo_isa_pick(&variant, distance_variants, run->options->instructions));
    run->ops = variant->ops;
    take_shape(run);
    HALO_TRY(take_axes(run));
    choose_kind(run);
    choose_block(run);
    return create(run);
}

halo_status halo_distance_run_sized(halo_world *world, const halo_domain *domain,
                                    const halo_view *bits, const halo_distance_options *given,
                                    halo_distance_take *take, void *context,
                                    halo_distance_report *report, size_t given_bytes,
                                    size_t report_bytes)
{
    halo_distance_report found = {0};
    halo_distance_options options;
    distance_run run = {.world = world,
                        .options = &options,
                        .take = take,
                        .context = context,
                        .axes = domain->axes,
                        .domain = *domain,
                        .bits = *bits};
    halo_status status =
        halo_options_take(&options, sizeof options, given, given_bytes, "halo_distance_options");
    HALO_IF_OK(status, prepare(&run));
    status = halo_agree(world, status);
    HALO_IF_OK(status, run_all(&run, &found));
    destroy(&run);
    halo_report_give(report, report_bytes, status == HALO_OK ? &found : NULL, sizeof found);
    return status;
}

int64_t halo_distance_bytes_sized(const halo_domain *domain, const halo_box *owned,
                                  const halo_distance_options *given, size_t given_bytes)
{
    enum { EACH = 24, FOUND = 12 };
    halo_distance_options options;
    halo_options_take_known(&options, sizeof options, given, given_bytes);
    distance_run run = {.options = &options, .axes = domain->axes, .domain = *domain};
    run.bits.owned = *owned;
    take_shape(&run);
    choose_block(&run);
    int64_t numbers = run.columns * run.blocks * (int64_t)sizeof(int32_t);
    int64_t gaps = run.columns * halo_min(run.block, run.own);
    int64_t inverted = options.inverted ? run.own * run.columns / CHAR_BIT : 0;
    return numbers + gaps + inverted + run.columns * (options.indices ? EACH + FOUND : EACH);
}
