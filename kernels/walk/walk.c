#include "kernels/walk/walk.h"

#include "base/memory.h"
#include "base/random.h"
#include "kernels/walk/walk_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

const halo_isa_variant walk_variants[] = HALO_ISA_VARIANTS(walk_ops, AVX512);

enum { WORD_BITS = 64, FLAT_MARGIN = 16, DEEP_MARGIN = 8 };

/* ---- where walkers begin --------------------------------------------------------------------- */

static void count_fluid(halo_walk *walk, const halo_walk_options *options, bool anywhere)
{
    int64_t count = 0, fluid = 0;
    for (int64_t row = 0; row < walk->rows; row++) {
        walk->before[row] = count;
        for (int64_t w = 0; w < walk->row_words; w++) {
            int64_t left = walk->n[0] - w * WORD_BITS;
            uint64_t all = left < WORD_BITS ? (UINT64_C(1) << left) - 1 : ~UINT64_C(0);
            uint64_t bits = options->fluid[row * walk->row_words + w] & all;
            fluid += __builtin_popcountll(bits);
            bits = anywhere ? all : bits;
            walk->starts[row * walk->row_words + w] = bits;
            count += __builtin_popcountll(bits);
        }
    }
    walk->before[walk->rows] = count;
    walk->facts.started = count;
    walk->facts.fluid = fluid;
}

static halo_status find_starts(halo_walk *walk, const halo_walk_options *options)
{
    walk->rows = options->n[1] * options->n[2];
    walk->row_words = (options->n[0] + WORD_BITS - 1) / WORD_BITS;
    walk->facts.cells = walk->rows * options->n[0];
    HALO_TRY(HALO_ALLOCATE(walk->starts, walk->rows * walk->row_words, "a medium's cells"));
    HALO_TRY(HALO_ALLOCATE(walk->before, walk->rows + 1, "a medium's rows"));
    count_fluid(walk, options, options->conductivity > 0);
    return walk->facts.fluid > 0 ? HALO_OK
                                 : halo_fail(HALO_ARGUMENT,
                                             "none of the medium's %" PRId64
                                             " cells is fluid, so there is nowhere to "
                                             "walk; take another threshold, or invert it",
                                             walk->facts.cells);
}

/* The cell that has so many others before it. */
static void find_cell(const halo_walk *walk, int64_t index, int64_t cell[HALO_WALK_AXES])
{
    int64_t lo = 0, hi = walk->rows;
    while (hi - lo > 1) {
        int64_t middle = lo + (hi - lo) / 2;
        *(walk->before[middle] <= index ? &lo : &hi) = middle;
    }
    const uint64_t *word = walk->starts + lo * walk->row_words;
    int64_t left = index - walk->before[lo], x = 0;
    for (int count; (count = __builtin_popcountll(*word)) <= left; word++) {
        left -= count;
        x += WORD_BITS;
    }
    uint64_t bits = *word;
    for (; left > 0; left--) {
        bits &= bits - 1;
    }
    cell[0] = x + __builtin_ctzll(bits);
    cell[1] = lo % walk->n[1];
    cell[2] = lo / walk->n[1];
}

/* floor(a * b / 2^64) */
static uint64_t scale(uint64_t a, uint64_t b)
{
    uint64_t low = (a & UINT32_MAX) * (b & UINT32_MAX);
    uint64_t one = (a >> 32) * (b & UINT32_MAX) + (low >> 32);
    uint64_t other = (a & UINT32_MAX) * (b >> 32) + (one & UINT32_MAX);
    return (a >> 32) * (b >> 32) + (one >> 32) + (other >> 32);
}

static void find_start(const halo_walk *walk, uint64_t number, int64_t cell[HALO_WALK_AXES])
{
    const uint32_t counter[] = {(uint32_t)number, (uint32_t)(number >> 32), 0, WALK_DRAWS_START};
    uint32_t four[WALK_WORDS];
    halo_philox(counter, walk->table.key, four);
    uint64_t drawn = four[0] | (uint64_t)four[1] << 32;
    find_cell(walk, (int64_t)scale(drawn, (uint64_t)walk->facts.started), cell);
}

static void put_walker(const halo_walk *walk, walk_group *group, int lane, uint64_t number,
                       const int64_t cell[HALO_WALK_AXES])
{
    const walk_table *table = &walk->table;
    int64_t place = 0;
    for (int axis = 0; axis < table->axes; axis++) {
        group->at[axis][lane] = (int32_t)cell[axis];
        group->moved[axis][lane] = 0;
        place += (cell[axis] + table->margin) * table->stride[axis];
    }
    group->place[lane] = (uint32_t)place;
    group->number[lane] = (uint32_t)number;
    group->upper = (uint32_t)(number >> 32);
}

/* ---- which walkers go together --------------------------------------------------------------- */

/* Walkers that begin near each other read the same part of the medium, so they go together: sorted
 * by the squares of a coarse grid, of two axes, in the order of G. M. Morton's curve. */
enum { SQUARE_BITS = 5, SQUARES = 1 << (2 * SQUARE_BITS) };

typedef struct {
    int64_t cell[HALO_WALK_TASK][HALO_WALK_AXES];
    int32_t order[HALO_WALK_TASK];
} walk_starts;

static int square_of(const halo_walk *walk, const int64_t cell[HALO_WALK_AXES])
{
    int deep = walk->table.axes == 3 ? 2 : 0, square = 0;
    int64_t x = (cell[deep] << SQUARE_BITS) / walk->n[deep];
    int64_t y = (cell[1] << SQUARE_BITS) / walk->n[1];
    for (int bit = 0; bit < SQUARE_BITS; bit++) {
        square |= (int)(x >> bit & 1) << (2 * bit) | (int)(y >> bit & 1) << (2 * bit + 1);
    }
    return square;
}

static void sort_starts(const halo_walk *walk, int64_t first, int count, walk_starts *starts)
{
    int next[SQUARES + 1] = {0}, square[HALO_WALK_TASK];
    for (int i = 0; i < count; i++) {
        find_start(walk, (uint64_t)(first + i), starts->cell[i]);
        square[i] = square_of(walk, starts->cell[i]);
        next[square[i] + 1]++;
    }
    for (int i = 0; i < SQUARES; i++) {
        next[i + 1] += next[i];
    }
    for (int i = 0; i < count; i++) {
        starts->order[next[square[i]]++] = i;
    }
}

/* Walkers `done` on of the sorted ones; the last one again in place of those that are missing. */
static void start_group(const halo_walk *walk, walk_group *group, int64_t first, int done,
                        int count, const walk_starts *starts)
{
    for (int lane = 0; lane < WALK_GROUP; lane++) {
        int i = starts->order[done + lane < count ? done + lane : count - 1];
        put_walker(walk, group, lane, (uint64_t)(first + i), starts->cell[i]);
    }
}

/* ---- steps ----------------------------------------------------------------------------------- */

static void advance(const halo_walk *walk, walk_group *group, int64_t from, int64_t to)
{
    (walk->table.around != NULL ? walk->ops->hop : walk->ops->choose)(&walk->table, group, from,
                                                                      to);
}

static void add_sums(const walk_group *group, int axes, int count, int64_t *sums)
{
    for (int i = 0; i < count; i++) {
        int64_t *next = sums;
        for (int a = 0; a < axes; a++) {
            *next++ += group->moved[a][i];
        }
        for (int a = 0; a < axes; a++) {
            for (int b = a; b < axes; b++) {
                *next++ += (int64_t)group->moved[a][i] * group->moved[b][i];
            }
        }
    }
}

void halo_walk_run(const halo_walk *walk, int64_t first, int count, int64_t steps, int64_t every,
                   int64_t *sums)
{
    const int axes = walk->table.axes;
    walk_starts starts;
    sort_starts(walk, first, count, &starts);
    for (int done = 0; done < count; done += WALK_GROUP) {
        walk_group group;
        int64_t *record = sums;
        int walkers = count - done < WALK_GROUP ? count - done : WALK_GROUP;
        start_group(walk, &group, first, done, count, &starts);
        for (int64_t from = 0; from < steps;) {
            int64_t to = steps - from < every ? steps : from + every;
            advance(walk, &group, from, to);
            add_sums(&group, axes, walkers, record);
            record += halo_walk_sums(axes);
            from = to;
        }
    }
}

void halo_walk_trace(const halo_walk *walk, int64_t number, int64_t steps,
                     int32_t (*places)[HALO_WALK_AXES])
{
    walk_group group;
    int64_t start[HALO_WALK_AXES];
    find_start(walk, (uint64_t)number, start);
    for (int lane = 0; lane < WALK_GROUP; lane++) {
        put_walker(walk, &group, lane, (uint64_t)number, start);
    }
    for (int64_t step = 0; step <= steps; step++) {
        for (int axis = 0; axis < HALO_WALK_AXES; axis++) {
            int32_t moved = axis < walk->table.axes ? group.moved[axis][0] : 0;
            places[step][axis] = (int32_t)start[axis] + moved;
        }
        if (step < steps) {
            advance(walk, &group, step, step + 1);
        }
    }
}

/* ---- making one ------------------------------------------------------------------------------ */

static int margin_of(const halo_walk_options *options)
{
    return options->axes == 2 ? FLAT_MARGIN : DEEP_MARGIN;
}

/* How far a word's cells are from its own ones. */
static int beyond_of(const halo_walk_options *options)
{
    return options->axes == 2 ? WALK_FLAT_REACH + (1 << WALK_FLAT_SHARE)
                              : WALK_DEEP_REACH + (1 << WALK_DEEP_SHARE);
}

static bool has_chances(const halo_walk_options *options)
{
    return options->conductivity > 0 || fabs(options->flow) > 0;
}

/* Cells of the period and beyond, as far as walkers get. As double: it may be any number. */
static double count_places(const halo_walk_options *options, int beyond)
{
    double places = 1;
    for (int axis = 0; axis < options->axes; axis++) {
        double n = (double)options->n[axis];
        n *= options->edges[axis] == HALO_WALK_MIRRORED ? 2 : 1;
        places *= n + 3 * margin_of(options) + 2 * beyond;
    }
    return places;
}

static halo_status check_size(const halo_walk_options *options)
{
    static const double max = INT32_MAX;
    double places = count_places(options, 0);
    return places <= max ? HALO_OK
                         : halo_fail(HALO_ARGUMENT,
                                     "the medium has %.0f cells with those beyond its edges, and "
                                     "walkers count them up to %.0f; take a smaller one",
                                     places, max);
}

halo_status halo_walk_check(const halo_walk_options *options)
{
    const halo_isa_variant *variant;
    HALO_TRY(halo_isa_pick(&variant, walk_variants, options->instructions));
    if (fabs(options->flow) > 0 && options->edges[0] == HALO_WALK_REFLECTING) {
        return halo_fail(HALO_ARGUMENT,
                         "a flow along x cannot leave a medium with reflecting edges "
                         "there; make them periodic");
    }
    return check_size(options);
}

void halo_walk_bytes(const halo_walk_options *options, int64_t *working, int64_t *kept)
{
    double places = count_places(options, 0), padded = count_places(options, beyond_of(options));
    int share = options->axes == 2 ? WALK_FLAT_SHARE : WALK_DEEP_SHARE;
    double each = has_chances(options) ? sizeof(uint16_t) : sizeof(uint32_t) / (double)(1 << share);
    *kept = (int64_t)(places * each);
    *working = *kept + (int64_t)padded;
}

static void set_table(halo_walk *walk, const halo_walk_options *options, const walk_padded *padded)
{
    walk_table *table = &walk->table;
    int64_t stride = 1;
    table->axes = options->axes;
    table->margin = margin_of(options);
    table->key[0] = (uint32_t)options->seed;
    table->key[1] = (uint32_t)(options->seed >> 32);
    for (int axis = 0; axis < HALO_WALK_AXES; axis++) {
        table->n[axis] = padded->period[axis];
        table->stride[axis] = (int32_t)stride;
        stride *= padded->n[axis] - 2 * padded->beyond[axis];
        stride = axis == 0 ? (stride + 3) / 4 * 4 : stride;
    }
}

static halo_status make(halo_walk *walk, const halo_walk_options *options, walk_padded *padded)
{
    const halo_isa_variant *variant;
    for (int axis = 0; axis < HALO_WALK_AXES; axis++) {
        walk->n[axis] = options->n[axis];
    }
    HALO_TRY(halo_walk_check(options));
    HALO_TRY(halo_isa_pick(&variant, walk_variants, options->instructions));
    walk->ops = variant->ops;
    walk->facts.instructions = halo_isa_name(variant->isa);
    walk->facts.free_slope =
        1. / options->axes / (options->conductivity > 1 ? options->conductivity : 1);
    HALO_TRY(find_starts(walk, options));
    HALO_TRY(walk_padded_create(padded, options, margin_of(options), beyond_of(options)));
    set_table(walk, options, padded);
    return has_chances(options) ? walk_make_chances(walk, options, padded)
                                : walk_make_walls(walk, padded);
}

halo_status halo_walk_create(halo_walk **out, const halo_walk_options *options)
{
    walk_padded padded = {.cells = NULL};
    HALO_TRY(HALO_ALLOCATE(*out, 1, "a walk"));
    halo_status status = make(*out, options, &padded);
    walk_padded_free(&padded);
    if (status != HALO_OK) {
        halo_walk_destroy(out);
    }
    return status;
}

void halo_walk_destroy(halo_walk **out)
{
    halo_walk *walk = *out;
    if (walk == NULL) {
        return;
    }
    halo_memory_free(walk->around);
    halo_memory_free(walk->kind);
    free(walk->columns);
    free(walk->starts);
    free(walk->before);
    free(walk);
    *out = NULL;
}

halo_walk_facts halo_walk_describe(const halo_walk *walk)
{
    return walk->facts;
}
