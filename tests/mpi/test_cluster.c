/* Clustering against a reference that asks every centre. */

#include "core/balance/balancing.h"
#include "support/cluster_case.h"
#include "support/images.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANKS = 64 };

static const char *const engines[] = {
#define ENGINE_NAME(name, help) #name,
    HALO_CLUSTER_ENGINE_LIST(ENGINE_NAME)
#undef ENGINE_NAME
};
static const char *const sets[] = {"avx512", "avx2", "plain"};

enum { ENGINES = sizeof engines / sizeof engines[0], SETS = sizeof sets / sizeof sets[0] };

/* A run that is compared with the reference. */
typedef struct {
    halo_cluster_options options;
    halo_kernel kernel;
    halo_beat *beat;
    int64_t changed; /* as the watcher heard */
    char text[128];
} contender;

static bool note_changed(void *context, int64_t beats, int64_t changed)
{
    contender *run = context;
    (void)beats;
    run->changed = changed;
    return false;
}

static halo_domain domain_of(const cluster_case *c)
{
    return (halo_domain){.axes = 2, .n = {c->rows, c->columns, 1}};
}

/* False where this machine lacks the instructions. */
static bool start(const cluster_case *c, contender *run, const char *engine, const char *set)
{
    halo_world *world = mpi_check_world();
    *run = (contender){.options = cluster_case_options(c)};
    run->options.engine = engine;
    run->options.instructions = set;
    snprintf(run->text, sizeof run->text,
             "%" PRId64 " x %" PRId64 ", %d bits, picture %d, weight %g, %d clusters: %s, %s",
             c->rows, c->columns, c->cell_bits, (int)c->picture, c->weight, c->clusters,
             engine != NULL ? engine : "auto", set != NULL ? set : "best");
    if (halo_cluster_kernel(&run->kernel, &run->options, c->cell_bits) != HALO_OK) {
        return false;
    }
    halo_domain domain = domain_of(c);
    halo_partition strips;
    expect(halo_partition_strips(&strips, &domain, halo_world_ranks(world)) == HALO_OK, "strips");
    halo_beat_options on = {.kernel_options = &run->options, .watch = note_changed, .context = run};
    expect(halo_beat_create(&run->beat, world, &domain, &strips, &run->kernel, &on) == HALO_OK,
           "%s: %s", run->text, halo_last_message());
    halo_partition_free(&strips);
    cluster_case_fill(c, halo_beat_view(run->beat, 0));
    expect(halo_cluster_begin(run->beat, world) == HALO_OK, "%s", halo_last_message());
    return true;
}

static void compare(const cluster_case *c, contender *run)
{
    int64_t differences = cluster_case_differences(c, run->beat);
    expect(differences == 0, "%s: %" PRId64 " labels differ after beat %" PRId64, run->text,
           differences, c->beats);
    expect(c->beats == 0 || run->changed == c->changed,
           "%s: %" PRId64 " changed in beat %" PRId64 ", not %" PRId64, run->text, run->changed,
           c->beats, c->changed);
}

/* Other strips, at random. */
static void move(const cluster_case *c, contender *run, uint64_t *random)
{
    int64_t cuts[MOST_RANKS + 1];
    random_cuts(random, c->rows, halo_world_ranks(mpi_check_world()), 1, cuts);
    expect(halo_beat_move(run->beat, cuts) == HALO_OK, "%s", halo_last_message());
}

/* Several runs side by side, so that the reference is computed once. */
static void check_case(cluster_case *c, int64_t beats, bool moves, uint64_t *random)
{
    contender runs[ENGINES * SETS];
    int count = 0, ranks = halo_world_ranks(mpi_check_world());
    cluster_case_create(c);
    for (int e = 0; e < ENGINES; e++) {
        for (int s = 0; s < SETS; s++) {
            count += start(c, &runs[count], engines[e], sets[s]);
        }
    }
    for (int64_t beat = 0; beat <= beats; beat++) {
        for (int i = 0; i < count; i++) {
            if (beat > 0) {
                expect(halo_beat_run(runs[i].beat, 1) == HALO_OK, "%s", halo_last_message());
            }
            compare(c, &runs[i]);
            if (moves && ranks > 1) {
                move(c, &runs[i], random);
            }
        }
        cluster_case_beat(c);
    }
    for (int i = 0; i < count; i++) {
        halo_beat_destroy(&runs[i].beat);
    }
    cluster_case_free(c);
}

static void test_all_cases(void)
{
    static const int sizes[][2] = {{1, 1},   {1, 70},  {70, 1},    {31, 33},
                                   {9, 140}, {65, 64}, {130, 131}, {50, 290}};
    static const int clusters[] = {1, 2, 7, 64, 300};
    static const double weights[] = {0, .5, 1, 4, 100};
    static const int bits[] = {8, 16, 48};
    uint64_t random = 11;
    int ranks = halo_world_ranks(mpi_check_world());
    for (int n = 0; n < (ranks > 1 ? 48 / ranks : 45); n++) {
        const int *size = sizes[random_below(&random, 8)];
        cluster_case c = {.rows = size[0],
                          .columns = size[1],
                          .cell_bits = bits[n % 3],
                          .picture = (cluster_picture)random_below(&random, CLUSTER_PICTURES),
                          .seed = random_next(&random),
                          .weight = weights[random_below(&random, 5)],
                          .clusters = clusters[random_below(&random, 5)]};
        if (c.clusters <= c.rows * c.columns) {
            check_case(&c, 3, n % 2 == 0, &random);
        }
    }
    EXPECT_AGREED();
}

/* Leaves with more candidates than numbers for them, regions side by side, tiles cut on all sides.
 */
static void test_large_cases(void)
{
    static const cluster_case cases[] = {
        {.rows = 60, .columns = 61, .cell_bits = 8, .picture = CLUSTER_noise, .clusters = 1500},
        {.rows = 40, .columns = 64, .cell_bits = 16, .picture = CLUSTER_noise, .clusters = 900},
        {.rows = 3, .columns = 2300, .cell_bits = 8, .picture = CLUSTER_slope, .clusters = 40},
        {.rows = 300, .columns = 170, .cell_bits = 48, .picture = CLUSTER_slope, .clusters = 50},
    };
    uint64_t random = 12;
    /* Candidates are as many on any number of ranks. */
    for (size_t i = halo_world_ranks(mpi_check_world()) > 2 ? 2 : 0;
         i < sizeof cases / sizeof cases[0]; i++) {
        cluster_case c = cases[i];
        c.seed = i;
        c.weight = i < 2 ? 50 : .02;
        check_case(&c, 2, true, &random);
    }
    EXPECT_AGREED();
}

static cluster_case slope(void)
{
    return (cluster_case){.rows = 90,
                          .columns = 101,
                          .cell_bits = 8,
                          .picture = CLUSTER_slope,
                          .seed = 5,
                          .weight = 2,
                          .clusters = 30};
}

/* A run that goes on from another one's records, in other strips and with another engine. */
static void test_restored(void)
{
    enum { BEFORE = 4, AFTER = 3 };
    cluster_case c = slope();
    uint64_t random = 13;
    for (int stop = 0; stop <= BEFORE; stop += 2) {
        contender first, second;
        cluster_case_create(&c);
        expect(start(&c, &first, engines[stop / 2], NULL) && start(&c, &second, NULL, NULL),
               "two runs");
        for (int beat = 0; beat < stop; beat++) {
            expect(halo_beat_run(first.beat, 1) == HALO_OK, "%s", halo_last_message());
            cluster_case_beat(&c);
        }
        second.changed = c.changed;
        move(&c, &second, &random);
        expect(halo_cluster_restore(second.beat, halo_cluster_records_before(first.beat),
                                    halo_cluster_records(first.beat)) == HALO_OK,
               "%s", halo_last_message());
        compare(&c, &second);
        for (int beat = 0; beat < AFTER; beat++) {
            expect(halo_beat_run(second.beat, 1) == HALO_OK, "%s", halo_last_message());
            cluster_case_beat(&c);
            compare(&c, &second);
        }
        halo_beat_destroy(&first.beat);
        halo_beat_destroy(&second.beat);
        cluster_case_free(&c);
    }
    EXPECT_AGREED();
}

/* To the end, with boundaries that a balancer moves at random before every beat. */
static void test_balanced(void)
{
    halo_world *world = mpi_check_world();
    cluster_case c = slope();
    cluster_case_create(&c);
    contender run;
    halo_balancing *balancing;
    halo_balance_options how = {.balancer = "random", .every = 1};
    expect(halo_balancing_create(&balancing, world, &how) == HALO_OK, "%s", halo_last_message());
    run.options = cluster_case_options(&c);
    expect(halo_cluster_kernel(&run.kernel, &run.options, c.cell_bits) == HALO_OK, "kernel");
    halo_domain domain = domain_of(&c);
    halo_partition strips;
    expect(halo_partition_strips(&strips, &domain, halo_world_ranks(world)) == HALO_OK, "strips");
    halo_beat_options on = {.kernel_options = &run.options, .balancing = balancing};
    expect(halo_beat_create(&run.beat, world, &domain, &strips, &run.kernel, &on) == HALO_OK, "%s",
           halo_last_message());
    cluster_case_fill(&c, halo_beat_view(run.beat, 0));
    expect(halo_cluster_begin(run.beat, world) == HALO_OK, "%s", halo_last_message());
    expect(halo_beat_run(run.beat, 0) == HALO_OK, "%s", halo_last_message());
    do {
        cluster_case_beat(&c);
    } while (c.changed > 0);
    halo_beat_report report = halo_beat_reported(run.beat);
    expect(report.converged && report.beats == c.beats, "%" PRId64 " beats, not %" PRId64,
           report.beats, c.beats);
    expect(cluster_case_differences(&c, run.beat) == 0, "labels after all beats");
    halo_beat_destroy(&run.beat);
    halo_balancing_destroy(&balancing);
    halo_partition_free(&strips);
    cluster_case_free(&c);
    EXPECT_AGREED();
}

static void test_bad_options(void)
{
    static const struct {
        halo_cluster_options options;
        int cell_bits;
        const char *says;
    } bad[] = {
        {{.clusters = 0}, 8, "0 clusters"},
        {{.clusters = 65536}, 8, "65536 clusters"},
        {{.clusters = 2, .weight = -1}, 8, "weight -1"},
        {{.clusters = 2, .engine = "magic"}, 8, "magic"},
        {{.clusters = 2, .instructions = "mmx"}, 8, "mmx"},
        {{.clusters = 2}, 32, "32 bits"},
        {{.clusters = 2, .colour = true}, 8, "8 bits"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        halo_kernel kernel;
        expect(halo_cluster_kernel(&kernel, &bad[i].options, bad[i].cell_bits) == HALO_ARGUMENT,
               "%s", bad[i].says);
        expect(strstr(halo_last_message(), bad[i].says) != NULL, "%s", halo_last_message());
    }
    halo_world *world = mpi_check_world();
    halo_domain domain = {.axes = 2, .n = {2, 3, 1}};
    halo_cluster_options options = {.clusters = 7};
    halo_kernel kernel;
    halo_partition strips;
    halo_beat *beat;
    expect(halo_cluster_kernel(&kernel, &options, 8) == HALO_OK, "%s", halo_last_message());
    expect(halo_partition_strips(&strips, &domain, halo_world_ranks(world)) == HALO_OK, "strips");
    expect(halo_beat_create(&beat, world, &domain, &strips, &kernel,
                            &(halo_beat_options){.kernel_options = &options}) == HALO_ARGUMENT,
           "7 clusters of 6 pixels");
    halo_partition_free(&strips);
    EXPECT_AGREED();
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"all engines against the definition", test_all_cases},
        {"many candidates, regions, tiles", test_large_cases},
        {"a restored run goes on as if nothing had been", test_restored},
        {"boundaries that move at random, to the end", test_balanced},
        {"options that are refused", test_bad_options},
        CU_TEST_INFO_NULL,
    };
    return mpi_check_run(argc, argv, "clustering", tests);
}
