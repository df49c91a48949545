#include "core/beat/beat.h"
#include "support/images.h"
#include "support/layer_kernel.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANKS = 64, MOST_WATCHED = 256 };

/* ---- runs ------------------------------------------------------------------------------------ */

typedef struct {
    halo_domain domain;
    rule rule;
    halo_beat_options options;
    int64_t beats[2]; /* of two runs, one after the other; 0 for until it settles */
} run_case;

static void look_around(order *o, const run_case *c, halo_world *world, const int64_t *cuts)
{
    int rank = halo_world_rank(world);
    for (int side = LOW; side < ENDS; side++) {
        int other = halo_cuts_neighbour(cuts, halo_world_ranks(world), rank, side == LOW ? -1 : 1,
                                        c->domain.periodic[0]);
        o->others[side] = other >= 0 && other != rank;
        o->ends[side] = other >= 0 ? HALO_END_WIDENS : HALO_END_EDGE;
    }
}

static void fill(const halo_view *cells, const rule *r)
{
    for (int64_t y = 0; y < cells->owned.n[0]; y++) {
        uint64_t random = (uint64_t)(cells->owned.lo[0] + y) * 77;
        uint64_t *row = halo_row(cells, y);
        for (int64_t x = 0; x < cells->owned.n[1]; x++) {
            uint64_t value = random_next(&random);
            row[x] = r->rises && value % 8 < 2 ? 0 : value;
        }
    }
}

/* What a run came to. */
typedef struct {
    int64_t beats, supersteps;
    bool settled;
    int64_t changed[MOST_WATCHED]; /* by the beat before, of all ranks; -1 where not told */
    uint64_t *cells;               /* this rank's; the caller frees them */
} outcome;

static bool watch(void *context, int64_t beats, int64_t changed)
{
    outcome *out = context;
    out->supersteps++;
    out->changed[beats < MOST_WATCHED ? beats : 0] = changed;
    return false;
}

static void collect(const halo_beat *beat, outcome *out)
{
    const halo_view *cells = halo_beat_view(beat, 0);
    int64_t width = cells->owned.n[1];
    out->beats = halo_beat_reported(beat).beats;
    out->settled = halo_beat_reported(beat).converged;
    out->cells = malloc((size_t)(cells->owned.n[0] * width + 1) * sizeof(uint64_t));
    for (int64_t y = 0; out->cells != NULL && y < cells->owned.n[0]; y++) {
        memcpy(out->cells + y * width, halo_row(cells, y), (size_t)width * sizeof(uint64_t));
    }
}

static void run(const run_case *c, halo_world *world, const int64_t *cuts, bool advances,
                outcome *out)
{
    halo_kernel kernel = layer_kernel(&c->rule, advances);
    halo_beat_options options = c->options;
    *out = (outcome){0};
    memset(out->changed, -1, sizeof out->changed);
    order o = {.rule = c->rule,
               .depth = options.beats_per_exchange > 0 ? options.beats_per_exchange : 1,
               .fail_call = -1};
    order *told = &o;
    options.kernel_options = &told;
    options.watch = watch;
    options.context = out;
    look_around(&o, c, world, cuts);
    halo_partition partition;
    expect(halo_partition_with_cuts(&partition, &c->domain, halo_world_ranks(world), cuts) ==
               HALO_OK,
           "cuts: %s", halo_last_message());
    halo_beat *beat;
    halo_status status = halo_beat_create(&beat, world, &c->domain, &partition, &kernel, &options);
    halo_partition_free(&partition);
    expect(status == HALO_OK, "create: %s", halo_last_message());
    if (status != HALO_OK) {
        return;
    }
    fill(halo_beat_view(beat, 0), &c->rule);
    for (int i = 0; i < 2 && !halo_beat_reported(beat).converged; i++) {
        o.remaining = c->beats[i] > 0 ? c->beats[i] : -1;
        expect(halo_beat_run(beat, c->beats[i]) == HALO_OK, "run: %s", halo_last_message());
        expect(!o.follows[LOW] && !o.follows[HIGH], "an end was not advanced");
    }
    bool owns = cuts[halo_world_rank(world)] < cuts[halo_world_rank(world) + 1];
    expect(!advances || o.supersteps == (owns ? out->supersteps : 0),
           "%d supersteps, watched %" PRId64, o.supersteps, out->supersteps);
    collect(beat, out);
    halo_beat_destroy(&beat);
    layer_kernel_forget(&o);
}

static void compare_changes(const outcome *deep, const outcome *plain)
{
    for (int beat = 1; beat < MOST_WATCHED; beat++) {
        expect(deep->changed[beat] < 0 || deep->changed[beat] == plain->changed[beat],
               "beat %d changed %" PRId64 " cells, not %" PRId64, beat, deep->changed[beat],
               plain->changed[beat]);
    }
}

/* Against the plain stencil, a beat an exchange, on this rank alone. */
static void compare(const run_case *c, halo_world *alone, const int64_t *cuts)
{
    halo_world *world = mpi_check_world();
    run_case simple = *c;
    simple.options.beats_per_exchange = 0;
    int64_t whole[] = {0, c->domain.n[0]}, first = cuts[halo_world_rank(world)];
    int64_t width = c->domain.n[1], rows = cuts[halo_world_rank(world) + 1] - first;
    outcome plain, deep;
    run(&simple, alone, whole, false, &plain);
    for (int advances = 0; advances < 2; advances++) {
        run(c, world, cuts, advances == 1, &deep);
        compare_changes(&deep, &plain);
        expect(deep.beats == plain.beats && deep.settled == plain.settled,
               "depth %d, %s: %" PRId64 " beats, settled %d; plain %" PRId64 ", %d",
               c->options.beats_per_exchange, advances ? "advance" : "step", deep.beats,
               deep.settled, plain.beats, plain.settled);
        expect(deep.cells != NULL && plain.cells != NULL &&
                   memcmp(deep.cells, plain.cells + first * width,
                          (size_t)(rows * width) * sizeof(uint64_t)) == 0,
               "depth %d, %s: rows from %" PRId64 " on of %" PRId64 " differ",
               c->options.beats_per_exchange, advances ? "advance" : "step", first, c->domain.n[0]);
        free(deep.cells);
    }
    free(plain.cells);
}

/* Strips about as high as a middle needs; every fifth has no cells. A lone owner may have less than
 * its halo is deep. Returns the domain's height. */
static int64_t make_cuts(uint64_t *random, int ranks, int64_t reach, int64_t *cuts)
{
    int owners = 0;
    cuts[0] = 0;
    for (int r = 0; r < ranks; r++) {
        bool owns = random_below(random, 5) > 0;
        owners += owns;
        cuts[r + 1] = cuts[r] + (owns ? reach + random_below(random, 3 * reach + 4) : 0);
    }
    if (owners <= 1) {
        int owner = (int)random_below(random, ranks);
        int64_t height = 1 + random_below(random, 2 * reach);
        for (int r = 0; r <= ranks; r++) {
            cuts[r] = r > owner ? height : 0;
        }
    }
    return cuts[ranks];
}

static void compare_many(bool rises, int axes)
{
    static const char *const exchanges[] = {"p2p", "persistent"};
    static const char *const votes[] = {"tree", "coordinator", "allreduce", "broadcast"};
    int ranks = halo_world_ranks(mpi_check_world());
    int64_t cuts[MOST_RANKS + 1];
    uint64_t random = (uint64_t)(ranks * 4 + axes);
    halo_world *alone;
    expect(halo_world_create(&alone, MPI_COMM_SELF, NULL) == HALO_OK, "a world of one");
    for (int i = 0; i < 72; i++) {
        int depth = 1 + i % 6, reach = 1 + i / 6 % MOST_REACH;
        run_case c = {.rule = {reach, rises, axes == 2 && random_below(&random, 2) == 1},
                      .options = {.vote = votes[random_below(&random, 4)],
                                  .exchange = exchanges[random_below(&random, 2)],
                                  .beats_per_exchange = depth},
                      .beats = {1 + random_below(&random, 2 * depth + 2),
                                rises ? 0 : 1 + random_below(&random, 2 * depth)}};
        c.domain = (halo_domain){.axes = axes,
                                 .n = {make_cuts(&random, ranks, (int64_t)reach * depth, cuts),
                                       axes == 2 ? 1 + random_below(&random, 9) : 1, 1},
                                 .periodic = {random_below(&random, 2) == 1, c.rule.wraps, false}};
        compare(&c, alone, cuts);
    }
    halo_world_destroy(&alone);
    EXPECT_AGREED();
}

static void test_mixing(void)
{
    compare_many(false, 2);
}

static void test_mixing_on_one_axis(void)
{
    compare_many(false, 1);
}

static void test_settling(void)
{
    compare_many(true, 2);
}

static void test_settling_on_one_axis(void)
{
    compare_many(true, 1);
}

/* ---- failures -------------------------------------------------------------------------------- */

enum { DEPTH = 3, STRIP = 4 * DEPTH, WIDTH = 4 };

static halo_status create(halo_beat **beat, const halo_kernel *kernel, order *o, int depth,
                          int64_t strip)
{
    halo_world *world = mpi_check_world();
    int ranks = halo_world_ranks(world);
    const halo_domain domain = {.axes = 2, .n = {strip * ranks, WIDTH, 1}};
    halo_partition partition;
    expect(halo_partition_strips(&partition, &domain, ranks) == HALO_OK, "strips");
    const run_case c = {.domain = domain};
    look_around(o, &c, world, partition.cuts[0]);
    o->depth = depth;
    halo_beat_options options = {.beats_per_exchange = depth, .kernel_options = &o};
    halo_status status = halo_beat_create(beat, world, &domain, &partition, kernel, &options);
    halo_partition_free(&partition);
    return status;
}

/* Two supersteps are good; then a call of the third fails on one rank. */
static void test_a_failing_advance_ends_all(void)
{
    int ranks = halo_world_ranks(mpi_check_world()), rank = halo_world_rank(mpi_check_world());
    for (int culprit = 0; culprit < ranks; culprit++) {
        order o = {.rule = {.reach = 1}, .remaining = 4 * DEPTH, .fail_call = -1};
        int parts = 1 + (culprit > 0) + (culprit < ranks - 1), call = 2 * parts + culprit % parts;
        o.fail_call = rank == culprit ? call : -1;
        halo_kernel kernel = layer_kernel(&o.rule, true);
        halo_beat *beat;
        expect(create(&beat, &kernel, &o, DEPTH, STRIP) == HALO_OK, "%s", halo_last_message());
        halo_status status = halo_beat_run(beat, 4 * DEPTH);
        char message[HALO_MESSAGE_SIZE], text[64];
        snprintf(text, sizeof text, "call %d is too much", call);
        if (ranks > 1) {
            snprintf(message, sizeof message, "rank %d: %s", culprit, text);
        }
        expect(status == HALO_FORMAT &&
                   strcmp(halo_last_message(), ranks > 1 ? message : text) == 0,
               "%s: %s", halo_status_text(status), halo_last_message());
        expect(halo_beat_reported(beat).beats == 2 * DEPTH, "%" PRId64 " beats",
               halo_beat_reported(beat).beats);
        halo_beat_destroy(&beat);
        layer_kernel_forget(&o);
    }
    EXPECT_AGREED();
}

static void test_bad_depths_are_refused(void)
{
    int ranks = halo_world_ranks(mpi_check_world());
    order o = {.rule = {.reach = 1}, .fail_call = -1};
    halo_kernel advancing = layer_kernel(&o.rule, true), stepping = layer_kernel(&o.rule, false);
    halo_beat *beat;
    for (int kind = 0; kind < 2; kind++) {
        halo_status status = create(&beat, kind ? &advancing : &stepping, &o, 5, 4);
        expect(status == (ranks > 1 ? HALO_RANKS : HALO_OK), "5 deep: %s", halo_last_message());
        halo_beat_destroy(&beat);
        expect(create(&beat, kind ? &advancing : &stepping, &o, -1, 4) == HALO_ARGUMENT &&
                   beat == NULL,
               "-1 beats per exchange");
    }
    advancing.in_place = false;
    expect(create(&beat, &advancing, &o, 2, 4) == HALO_ARGUMENT, "an advance to another copy");
    stepping.in_place = true;
    expect(create(&beat, &stepping, &o, 2, 4) == HALO_ARGUMENT, "two steps in place");
    expect(create(&beat, &stepping, &o, 1, 4) == HALO_OK, "%s", halo_last_message());
    halo_beat_destroy(&beat);
    stepping = layer_kernel(&o.rule, false);
    stepping.depth = 1 << 20;
    expect(create(&beat, &stepping, &o, 1 << 20, 4) == HALO_ARGUMENT, "a halo of 2^40 cells");
    EXPECT_AGREED();
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"several beats an exchange, mixing", test_mixing},
        {"mixing on one axis", test_mixing_on_one_axis},
        {"the beat it settles at is exact", test_settling},
        {"settling on one axis", test_settling_on_one_axis},
        {"a failing advance ends all ranks", test_a_failing_advance_ends_all},
        {"bad depths are refused", test_bad_depths_are_refused},
        CU_TEST_INFO_NULL,
    };
    return mpi_check_run(argc, argv, "advance", tests);
}
