/* Memory runs out on one rank, at every allocation in turn: all ranks leave together with the same
 * status, and the grid is at a generation that it had reached. */

#include "core/balance/balancing.h"
#include "core/world/collect.h"
#include "support/failing_memory.h"
#include "support/life_case.h"
#include "support/mpi_check.h"

#include <inttypes.h>

static int last_rank(void)
{
    return all_ranks() - 1;
}

enum { ROUND = 40 };

static life_case make_case(const char *rule, bool grows)
{
    life_case c = {.world = mpi_check_world(), .live = 40, .seed = 5, .generations = ROUND};
    halo_life_edge edge = grows ? HALO_LIFE_GROW : HALO_LIFE_WRAP;
    c.options = (halo_life_options){
        .rule = life_case_rule(rule), .box = {.n = {30, 70}}, .edges = {edge, edge}};
    return c;
}

/* Beside each other; rows are no whole words. */
static life_case make_blocks(const char *rule, bool grows)
{
    life_case c = make_case(rule, grows);
    int ranks = halo_world_ranks(c.world);
    c.options.box.n[HALO_LIFE_COLUMNS] = 64 * (int64_t)ranks + 6;
    c.options.parts[HALO_LIFE_ROWS] = 1;
    c.options.parts[HALO_LIFE_COLUMNS] = ranks;
    return c;
}

static halo_status create(void *of)
{
    const life_case *c = of;
    halo_life *life = NULL;
    halo_status status = halo_life_create(&life, c->world, &c->options);
    halo_life_destroy(&life);
    return status;
}

static void test_create(void)
{
    static const char *const rules[] = {"life", "345/2/4"};
    for (int n = 0; n < 6; n++) {
        life_case c = n < 4 ? make_case(rules[n % 2], n >= 2) : make_blocks(rules[n % 2], false);
        failing_memory_each(create, NULL, &c, false, rules[n % 2]);
    }
    life_case told_apart = make_case("B02-a/S12", true); /* two programs */
    failing_memory_each(create, NULL, &told_apart, false, "B02-a/S12");
    EXPECT_AGREED();
}

static halo_status run_plain(void *of)
{
    return halo_life_run(((life_case *)of)->life, ROUND);
}

static halo_status run_counted(void *of)
{
    halo_life_change changes[ROUND];
    int64_t count = 0;
    return halo_life_run_counted(((life_case *)of)->life, ROUND, changes, &count);
}

/* Whatever a run that fails has computed is right. */
static void check_run(life_case *c, bool counted)
{
    bool grows = c->options.edges[0] == HALO_LIFE_GROW;
    bool failed = true;
    for (int64_t nth = 0; failed; nth++) {
        if (!life_case_start(c)) {
            life_case_end(c);
            return;
        }
        failed = failing_memory_once(counted ? run_counted : run_plain, c, last_rank(), nth, grows,
                                     c->text);
        int64_t reached = halo_life_generation(c->life);
        expect(reached >= 0 && reached <= ROUND && (failed || reached == ROUND),
               "%s: generation %" PRId64, c->text, reached);
        life_case_follow(c, reached);
        life_case_check(c);
        if (failed) {
            life_case_run(c, ROUND - reached);
        }
        life_case_end(c);
    }
}

static void test_run(void)
{
    life_case still = make_case("life", false), grows = make_case("life", true),
              generations = make_case("345/2/4", true);
    check_run(&still, false);
    check_run(&still, true);
    check_run(&grows, false);
    check_run(&grows, true);
    check_run(&generations, false);
    EXPECT_AGREED();
}

static void test_run_blocks(void)
{
    life_case still = make_blocks("345/2/4", false), grows = make_blocks("life", true);
    check_run(&still, true);
    check_run(&grows, false);
    EXPECT_AGREED();
}

/* Boundaries move all the time. */
static void test_moving(void)
{
    life_case still = make_case("life", false), grows = make_case("life", true);
    life_case *cases[] = {&still, &grows};
    for (int i = 0; i < 2; i++) {
        halo_balance_options random = {.balancer = "random:seed=6", .every = 8};
        halo_balancing *balancing = NULL;
        expect_ok(halo_balancing_create(&balancing, mpi_check_world(), &random));
        cases[i]->options.balancing = balancing;
        cases[i]->options.beats_per_exchange = 2;
        check_run(cases[i], false);
        expect(all_ranks() == 1 || halo_balancing_get_report(balancing).moves > 0,
               "nothing has moved");
        halo_balancing_destroy(&balancing);
    }
    EXPECT_AGREED();
}

static halo_status keep(void *c)
{
    return halo_life_keep(((life_case *)c)->life);
}

static halo_status take_census(void *c)
{
    halo_life_census census;
    return halo_life_take_census(((life_case *)c)->life, &census);
}

static halo_status make_soup(void *c)
{
    return halo_life_soup(((life_case *)c)->life, 0.3, 1);
}

static halo_status stage(void *c)
{
    return halo_life_stage(((life_case *)c)->life);
}

static void ask(life_case *c)
{
    c->generations = 200;
    static const struct {
        failing_job *job;
        const char *name;
    } jobs[] = {
        {keep, "keeping"}, {take_census, "a census"}, {stage, "rows"}, {make_soup, "a soup"}};
    enum { JOBS = sizeof jobs / sizeof jobs[0] };
    if (life_case_start(c)) {
        for (int j = 0; j < JOBS; j++) {
            bool failed = true;
            for (int64_t nth = 0; failed; nth++) {
                if (j < JOBS - 1) { /* what was known of it is not true any more */
                    expect_ok(halo_life_run(c->life, 1));
                    life_case_follow(c, 1);
                }
                failed = failing_memory_once(jobs[j].job, c, last_rank(), nth, false, jobs[j].name);
                if (j < JOBS - 1) {
                    life_case_check(c);
                }
            }
        }
    }
    life_case_end(c);
}

static void test_others(void)
{
    life_case strips = make_case("345/2/4", true), blocks = make_blocks("345/2/4", false);
    ask(&strips);
    ask(&blocks);
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("Life without memory", {"making a grid", test_create}, {"running it", test_run},
               {"running it in blocks", test_run_blocks},
               {"running it while boundaries move", test_moving}, {"asking about it", test_others})
