/* Random grids against the oracle: every class of rules, every instruction set, edges that are
 * dead or wrap, sizes and halo depths that are hard on an engine. */

#include "support/images.h"
#include "support/life_case.h"
#include "support/mpi_check.h"

#include <inttypes.h>

/* Rules by class; the library has code of its own for some of them. */
static const char *const common_rules[] = {"life",  "highlife", "day & night", "replicator",
                                           "seeds", "maze",     "2x2",         "life without death",
                                           "morley"};
static const char *const zero_rules[] = {
    "B0/S", "B0/S8", "B01/S", "B012345678/S34678", "B03/S238", "B0123478/S01", "B0245/S01345678"};
static const char *const generations_rules[] = {"/2/3",     "345/2/4", "23/3/5",  "347/23/8",
                                                "2/13/6",   "12/34/7", "/2/256",  "345/24/25",
                                                "678/02/3", "0/08/9",  "23/3/17", "23/36/33"};

static halo_life_rule random_rule(uint64_t *random, int states)
{
    /* Half of all rules with B1 or worse fill the grid at once: leave their counts sparse. */
    uint16_t born = (uint16_t)(random_below(random, 512) & random_below(random, 512));
    return (halo_life_rule){born, (uint16_t)random_below(random, 512), states};
}

/* One case. Returns whether it was run. */
static bool run_case(life_case *c, uint64_t *random)
{
    bool runs = life_case_start(c);
    if (runs) {
        life_case_check(c);
        int64_t first = random_below(random, c->generations);
        life_case_run(c, first);
        life_case_run(c, c->generations - first);
    }
    life_case_end(c);
    return runs;
}

/* `cases` grids for each instruction set, with the rules that `choose` makes. */
static void run_cases(int cases, uint64_t seed, halo_life_rule choose(uint64_t *random, int which))
{
    static const int live[] = {50, 35, 10, 2, 100, 0};
    for (int s = 0; life_case_sets[s] != NULL; s++) {
        if (!life_case_has_set(life_case_sets[s])) {
            continue;
        }
        uint64_t random = seed + (uint64_t)s;
        int run = 0;
        for (int n = 0; n < cases; n++) {
            life_case c = {.world = mpi_check_world(),
                           .seed = random_next(&random),
                           .live = live[random_below(&random, 12) % 6 % (n % 4 == 0 ? 6 : 3)],
                           .generations = 1 + random_below(&random, 45)};
            c.options.rule = choose(&random, n);
            life_case_shape(&c, &random, false);
            c.options.instructions = life_case_sets[s];
            run += run_case(&c, &random);
        }
        expect(run > cases / 3, "only %d of %d cases were possible", run, cases);
    }
}

static halo_life_rule named(const char *name)
{
    halo_life_rule rule = {0};
    expect(halo_life_rule_parse(name, &rule, NULL) == HALO_OK, "%s", halo_last_message());
    return rule;
}

static halo_life_rule choose_life(uint64_t *random, int which)
{
    (void)random, (void)which;
    return named("life");
}

static halo_life_rule choose_common(uint64_t *random, int which)
{
    (void)random;
    return named(common_rules[which % (int)(sizeof common_rules / sizeof common_rules[0])]);
}

static halo_life_rule choose_random(uint64_t *random, int which)
{
    (void)which;
    return random_rule(random, 2);
}

static halo_life_rule choose_zero(uint64_t *random, int which)
{
    const int count = sizeof zero_rules / sizeof zero_rules[0];
    halo_life_rule rule = random_rule(random, 2);
    rule.born |= 1;
    return which % 2 == 0 ? rule : named(zero_rules[which / 2 % count]);
}

static halo_life_rule choose_generations(uint64_t *random, int which)
{
    const int count = sizeof generations_rules / sizeof generations_rules[0];
    if (which % 2 == 0) {
        return random_rule(random, 3 + which / 2 % 6);
    }
    return named(generations_rules[which / 2 % count]);
}

static void test_life(void)
{
    run_cases(36, 1, choose_life);
    EXPECT_AGREED();
}

static void test_common(void)
{
    run_cases(27, 2, choose_common);
    EXPECT_AGREED();
}

static void test_random(void)
{
    run_cases(27, 3, choose_random);
    EXPECT_AGREED();
}

static void test_zero(void)
{
    run_cases(20, 4, choose_zero);
    EXPECT_AGREED();
}

static void test_generations(void)
{
    run_cases(36, 5, choose_generations);
    EXPECT_AGREED();
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"Conway's Life", test_life},      {"rules that people use", test_common},
        {"random rules", test_random},     {"rules with B0", test_zero},
        {"Generations", test_generations}, CU_TEST_INFO_NULL,
    };
    return mpi_check_run(argc, argv, "Life against the oracle", tests);
}
