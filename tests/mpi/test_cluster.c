/* Clustering of pictures that are hard on engines, against a reference that asks every centre;
 * others are for test_same_bytes.c. */

#include "support/blocks.h"
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
    halo_partition strips = even_strips(&domain);
    halo_beat_options on = {.kernel_options = &run->options, .watch = note_changed, .context = run};
    expect_case_ok(run->text,
                   halo_beat_create(&run->beat, world, &domain, &strips, &run->kernel, &on));
    halo_partition_free(&strips);
    cluster_case_fill(c, halo_beat_view(run->beat, 0));
    expect_ok(halo_cluster_begin(run->beat, world));
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
    random_cuts(random, c->rows, all_ranks(), 1, cuts);
    expect_ok(halo_beat_move(run->beat, cuts));
}

/* Several runs side by side, so that the reference is computed once. */
static void check_case(cluster_case *c, int64_t beats, bool moves, uint64_t *random)
{
    contender runs[ENGINES * SETS];
    int count = 0, ranks = all_ranks();
    cluster_case_create(c);
    for (int e = 0; e < ENGINES; e++) {
        for (int s = 0; s < SETS; s++) {
            count += start(c, &runs[count], engines[e], sets[s]);
        }
    }
    for (int64_t beat = 0; beat <= beats; beat++) {
        for (int i = 0; i < count; i++) {
            if (beat > 0) {
                expect_ok(halo_beat_run(runs[i].beat, 1));
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
    for (size_t i = all_ranks() > 2 ? 2 : 0; i < sizeof cases / sizeof cases[0]; i++) {
        cluster_case c = cases[i];
        c.seed = i;
        c.weight = i < 2 ? 50 : .02;
        check_case(&c, 2, true, &random);
    }
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
    halo_beat *beat;
    expect_ok(halo_cluster_kernel(&kernel, &options, 8));
    halo_partition strips = even_strips(&domain);
    expect(halo_beat_create(&beat, world, &domain, &strips, &kernel,
                            &(halo_beat_options){.kernel_options = &options}) == HALO_ARGUMENT,
           "7 clusters of 6 pixels");
    halo_partition_free(&strips);
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("clustering", {"many candidates, regions, tiles", test_large_cases},
               {"options that are refused", test_bad_options})
