/* Grids too large for the oracle, so wide and high that rows go by in several blocks: all ranks
 * together, with any halo depth and instruction set, find what one rank finds alone a generation at
 * a time with plain instructions, which other tests hold against the oracle. */

#include "core/world/collect.h"
#include "kernels/life/life.h"
#include "support/images.h"
#include "support/life_case.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <stdio.h>

enum { PIECES = 3 /* a run is cut into */, MAX_CASES = 40 };

typedef struct {
    halo_life_options options;
    uint64_t seed;
    int64_t generations[PIECES];
    char text[160];
} large;

static halo_life_rule rule_of(uint64_t *random)
{
    static const char *const rules[] = {"life",     "life",  "highlife", "day & night", "seeds",
                                        "B35/S236", "B0/S1", "/2/3",     "345/2/4",     "23/36/33"};
    return life_case_rule(rules[random_below(random, 10)]);
}

/* Strips or, every second time where it can be, blocks; returns how many are above each other. */
static int choose_parts(halo_life_options *o, uint64_t *random, int ranks)
{
    int columns = 1 + (int)random_below(random, ranks);
    bool cuts = random_below(random, 2) == 0 && ranks % columns == 0 &&
                o->box.n[HALO_LIFE_COLUMNS] >= (int64_t)64 * columns;
    columns = cuts ? columns : 1;
    o->parts[HALO_LIFE_ROWS] = ranks / columns;
    o->parts[HALO_LIFE_COLUMNS] = columns;
    return ranks / columns;
}

/* What is computed does not depend on the number of ranks, only how; `random` goes on the same way
 * for all. */
static large choose_large(uint64_t *random, int64_t max_cells)
{
    static const int64_t widths[] = {64,   1000, 1024, 4095,  4096,  4097,
                                     5000, 8192, 9999, 16384, 33000, 200003};
    int ranks = all_ranks();
    large l = {.seed = random_next(random)};
    halo_life_options *o = &l.options;
    o->rule = rule_of(random);
    int64_t columns = widths[random_below(random, 12)];
    int64_t rows = 1 + random_below(random, max_cells / columns);
    o->box.n[HALO_LIFE_ROWS] = rows;
    o->box.n[HALO_LIFE_COLUMNS] = columns;
    for (int axis = 0; axis < HALO_LIFE_AXES; axis++) {
        o->edges[axis] = random_below(random, 3) == 0 ? HALO_LIFE_DEAD : HALO_LIFE_WRAP;
    }
    for (int piece = 0; piece < PIECES; piece++) {
        l.generations[piece] = random_below(random, 40);
    }
    uint64_t cuts = l.seed ^ (uint64_t)ranks;
    int high = choose_parts(o, &cuts, ranks);
    int64_t max = o->parts[HALO_LIFE_COLUMNS] > 1 ? 64 : 130;
    int64_t deepest = rows / high < max ? rows / high : max;
    o->beats_per_exchange =
        deepest > 0 && random_below(&cuts, 3) > 0 ? 1 + (int)random_below(&cuts, deepest) : 0;
    return l;
}

static void name_case(large *l)
{
    char rule[HALO_LIFE_RULE_TEXT];
    const halo_life_options *o = &l->options;
    halo_life_rule_print(&o->rule, rule);
    snprintf(l->text, sizeof l->text,
             "%s, %d x %d, %" PRId64 " x %" PRId64 ", edges %d %d, halo %d, %s", rule, o->parts[0],
             o->parts[1], o->box.n[0], o->box.n[1], (int)o->edges[0], (int)o->edges[1],
             o->beats_per_exchange, o->instructions != NULL ? o->instructions : "best");
}

/* Collective over the world's ranks. The second piece is counted. */
static halo_life_census run(halo_world *world, const large *l, halo_life_change *last)
{
    halo_life_census census = {0};
    halo_life *life;
    halo_status status = halo_life_create(&life, world, &l->options);
    expect_case_ok(l->text, status);
    if (status != HALO_OK) {
        return census;
    }
    halo_life_change changes[40];
    int64_t count = 0;
    expect(halo_life_soup(life, 0.4, l->seed) == HALO_OK &&
               halo_life_run(life, l->generations[0]) == HALO_OK &&
               halo_life_run_counted(life, l->generations[1], changes, &count) == HALO_OK &&
               halo_life_run(life, l->generations[2]) == HALO_OK &&
               halo_life_take_census(life, &census) == HALO_OK,
           "%s: %s", l->text, halo_last_message());
    *last = count > 0 ? changes[count - 1] : (halo_life_change){0};
    halo_life_destroy(&life);
    return census;
}

/* What rank 0 finds alone; it keeps that for worlds of other sizes. */
typedef struct {
    bool known;
    halo_life_census census;
    halo_life_change last;
} outcome;

/* Told to all; `kept` is where rank 0 keeps it. */
static halo_life_census run_alone(halo_world *alone, const large *l, outcome *kept,
                                  halo_life_change *last)
{
    outcome found = *kept;
    if (my_rank() == 0 && !found.known) {
        large plain = *l;
        plain.options.beats_per_exchange = 1;
        plain.options.parts[HALO_LIFE_ROWS] = plain.options.parts[HALO_LIFE_COLUMNS] = 0;
        plain.options.instructions = "plain";
        found.census = run(alone, &plain, &found.last);
        found.known = true;
        *kept = found;
    }
    expect_ok(halo_bcast(mpi_check_world(), &found, sizeof found, 0));
    *last = found.last;
    return found.census;
}

static void check_large(halo_world *alone, large *l, outcome *kept)
{
    static const char *const sets[] = {NULL, "avx2", "plain"};
    halo_life_change wanted_last, last;
    name_case(l);
    halo_life_census wanted = run_alone(alone, l, kept, &wanted_last), found;
    for (int s = 0; s < 3; s++) {
        l->options.instructions = sets[s];
        name_case(l);
        if (sets[s] != NULL && !life_case_has_set(sets[s])) {
            continue;
        }
        found = run(mpi_check_world(), l, &last);
        expect(found.hash == wanted.hash && found.population == wanted.population,
               "%s: population %" PRId64 ", not %" PRId64, l->text, found.population,
               wanted.population);
        expect(last.births == wanted_last.births && last.deaths == wanted_last.deaths,
               "%s: births %" PRId64 ", not %" PRId64, l->text, last.births, wanted_last.births);
    }
}

static void check_some(int cases, int64_t max_cells, uint64_t seed, outcome kept[MAX_CASES])
{
    uint64_t random = seed;
    halo_world *alone;
    halo_status status = halo_world_create(&alone, MPI_COMM_SELF, NULL);
    expect_ok(status);
    for (int n = 0; n < cases && status == HALO_OK; n++) {
        large l = choose_large(&random, max_cells);
        check_large(alone, &l, &kept[n]);
    }
    halo_world_destroy(&alone);
    EXPECT_AGREED();
}

static void test_large(void)
{
    static outcome kept[MAX_CASES];
    check_some(14, 8000000, 1, kept);
}

static void test_medium(void)
{
    static outcome kept[MAX_CASES];
    check_some(MAX_CASES, 400000, 2, kept);
}

MPI_CHECK_MAIN("large grids of Life", {"some hundred thousand cells", test_medium},
               {"some million cells", test_large})
