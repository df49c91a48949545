/* Grids of Life: every class of rules, edges that are dead or wrap or grow, sizes and halo depths
 * that are hard on an engine. */

#include "same.h"

#include "support/images.h"
#include "support/life_case.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <string.h>

/* Rules by class; the library has code of its own for some of them. */
static const char *const common_rules[] = {
    "life", "highlife", "day & night",        "replicator", "seeds",        "maze",  "2x2",
    "life", "morley",   "life without death", "B1/S1",      "B3678/S34678", "B2/S0", "B25/S4"};
static const char *const zero_rules[] = {"B0/S",
                                         "B0/S8",
                                         "B01/S",
                                         "B012345678/S34678",
                                         "B03/S238",
                                         "B0123478/S01",
                                         "B03/S23",
                                         "B02/S8",
                                         "B0123478/S01234678",
                                         "B0246/S1357",
                                         "B0245/S01345678",
                                         "B0123/S045",
                                         "B012/S12"};
static const char *const generations_rules[] = {
    "/2/3",      "345/2/4",  "23/3/5", "347/23/8", "2/13/6",   "12/34/7", "/2/256",
    "345/24/25", "678/02/3", "0/08/9", "23/3/17",  "23/36/33", "2/13/21"};

static const char *const map_rules[] = {
    "B2-a/S12",
    "B2n3/S23-q",
    "B3-cnqy4/S2-i34q",
    "B37/S2-i34q",
    "B2-ak3cn4ce5ajk/S2ck3-an4ijz5cr6ae",
    "B2ein3cijn4cnrwy5cnq6e/S1c2-ai3acny4anqy5c6ek8",
    "12/2-a/3",
    "23-k4ce/3ai/6",
    "WireWorld",
    "WireWorld",
    "MAPAtD7fGUOv8fwNfBb0jXxUJR4QQAAabVVloZaXZxmCu1VShIqmArIntn9oX98WHgCtzC1uwB5FXZPf7stg7Nvlw"};

static const char *const zero_map_rules[] = {
    "B02ce/S1c8", "B02-a/S", "B023cek5a/S12ci", "B0123-a478/S0134-q678",
    "MAP4tD7fGUOv8fwNfBb0jXxUJR4QQAAabVVloZaXZxmCu1VShIqmArIntn9oX98WHgCtzC1uwB5FXZPf7stg7Nvkw"};

static halo_life_rule named(const char *const *rules, size_t count, uint64_t *random)
{
    return life_case_rule(rules[random_below(random, (int64_t)count)]);
}

static halo_life_rule random_rule(uint64_t *random, int states)
{
    /* Half of all rules with B1 or worse fill the grid at once: leave their counts sparse. */
    int64_t counts = 512;
    halo_life_rule rule = {.states = states};
    if (random_below(random, 3) == 0) {
        rule.neighbourhood = (halo_life_neighbourhood)random_below(random, HALO_LIFE_MAP);
        counts = 2 << halo_life_neighbours(&rule);
    }
    rule.born = (uint16_t)(random_below(random, counts) & random_below(random, counts));
    rule.survive = (uint16_t)random_below(random, counts);
    return rule;
}

static halo_life_rule any_rule(uint64_t *random)
{
    halo_life_rule rule;
    switch (random_below(random, 12)) {
    case 0:
    case 1:
        return named(common_rules, 1, random);
    case 2:
    case 3:
        return named(common_rules, sizeof common_rules / sizeof *common_rules, random);
    case 4:
        return random_rule(random, 2);
    case 5:
        rule = random_rule(random, 2);
        rule.born |= 1;
        return rule;
    case 6:
        return named(zero_rules, sizeof zero_rules / sizeof *zero_rules, random);
    case 7:
        return random_rule(random, 3 + (int)random_below(random, 6));
    case 8:
    case 9:
        return named(map_rules, sizeof map_rules / sizeof *map_rules, random);
    case 10:
        return named(zero_map_rules, sizeof zero_map_rules / sizeof *zero_map_rules, random);
    default:
        return named(generations_rules, sizeof generations_rules / sizeof *generations_rules,
                     random);
    }
}

static void move(const life_case *c, uint64_t *random)
{
    int64_t cuts[BALANCE_WATCH_RANKS + 1], rows = halo_life_size(c->life).n[HALO_LIFE_ROWS];
    int ranks = halo_world_ranks(c->world);
    random_cuts(random, rows, ranks, halo_life_get_report(c->life).beats_per_exchange, cuts);
    expect_case_ok(c->text, halo_life_move(c->life, cuts));
    expect(memcmp(halo_life_cuts(c->life), cuts, ((size_t)ranks + 1) * sizeof *cuts) == 0,
           "%s: other cuts", c->text);
}

/* In four runs, with births and deaths or not; a grid whose boundaries stay may be gone on from. */
static void run(life_case *c, const way *w, uint64_t *random)
{
    int64_t left = c->generations;
    bool stays = w->balancer[0] == '\0' && !way_moves(w);
    life_case_check(c);
    for (int piece = 0; piece < 4; piece++) {
        int64_t some = piece == 3 ? left : random_below(random, left + 1) / 2;
        if (way_moves(w) && w->strips) {
            move(c, random);
        }
        if (piece == 1) {
            life_case_run_counted(c, some);
        } else {
            life_case_run(c, some);
        }
        if (piece == 2 && stays) {
            life_case_replace(c);
        }
        left -= some;
    }
}

static void live(const way *w, uint64_t *random, way_tally *all, bool grows)
{
    static const int live[] = {50, 35, 10, 2, 100, 0, 40, 30, 20, 10, 50, 35};
    way how = *w;
    life_case c = {.world = mpi_check_world(),
                   .seed = random_next(random),
                   .live = live[random_below(random, 12)],
                   .generations = 1 + random_below(random, 60)};
    balance_watch watch = {.text = c.text};
    c.options.rule = any_rule(random);
    if (grows && c.options.rule.states > 2) {
        c.options.rule.born &= (uint16_t)~1U; /* empty space without end comes to life */
    }
    life_case_shape(&c, random, grows);
    if (!w->strips) {
        life_case_cut(&c, random);
        how.balancer[0] = '\0';
    }
    if (grows && random_below(random, 3) == 0) {
        c.options.beats_per_exchange = 1;
    }
    c.options.vote = w->of[WAY_vote];
    c.options.exchange = w->of[WAY_exchange];
    c.options.instructions = w->of[WAY_instructions];
    c.options.balancing = way_balance(&how, &watch, 0);
    if (life_case_start(&c)) {
        watch.min_rows = grows ? 1 : halo_life_get_report(c.life).beats_per_exchange;
        run(&c, &how, random);
    } else {
        all->runs--; /* refused, for a halo that is too deep */
    }
    life_case_end(&c);
    way_balance_end(&how, &watch, all);
}

void same_life(const way *w, uint64_t *random, way_tally *all)
{
    live(w, random, all, false);
}

void same_life_grows(const way *w, uint64_t *random, way_tally *all)
{
    live(w, random, all, true);
}
