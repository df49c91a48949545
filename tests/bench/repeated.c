/* repeated, with two ranks: what balancing costs a master and its worker, and what an operation of
 * the clustering in tests/sim takes. The master rests; the shortest of many batches counts, since
 * other programs only ever add to them. clustering, with more ranks: what all of the clustering
 * takes with each balancer. */

#include "core/master/repeated_work.h"
#include "core/world/clock.h"
#include "partition/balance/share_planner.h"
#include "tests/bench/bench.h"
#include "tests/sim/clustering.h"

#include <math.h>
#include <string.h>

enum { UNITS = 3, BYTES = 64 };

static halo_status work(void *context, const halo_work_part *part)
{
    (void)context;
    memset(part->units_back, 1, (size_t)(part->hi - part->lo) * BYTES);
    return HALO_OK;
}

/* Seconds of a beat, of which nothing but messages is left. */
static halo_status batch(halo_world *world, bool balanced, int beats, double *seconds)
{
    char units[UNITS * BYTES] = {0}, back[UNITS * BYTES];
    const halo_repeated_work_options options = {
        .units = UNITS,
        .unit_out = BYTES,
        .unit_back = BYTES,
        .work = work,
        .balancer = balanced ? "lb2" : "none",
        .workers = {.master_rests = true, .unmeasured = !balanced}};
    const halo_repeated_work_beat beat = {.units = units, .units_back = back};
    halo_repeated_work *repeated;
    HALO_TRY(halo_repeated_work_create(&repeated, world, &options));
    halo_status status = HALO_OK;
    double begun = halo_seconds();
    for (int i = 0; i < beats && status == HALO_OK; i++) {
        status = halo_repeated_work_run(repeated, &beat, NULL);
    }
    *seconds = fmin(*seconds, (halo_seconds() - begun) / beats);
    halo_repeated_work_destroy(&repeated);
    return status;
}

void bench_repeated(bench *b)
{
    enum { BEATS = 1000 };
    double plain = INFINITY, balanced = INFINITY, lines, clusters;
    for (int64_t i = 0; i < bench_integer(b, "batches", 15); i++) {
        bench_check(batch(b->world, false, BEATS, &plain), "a batch");
        bench_check(batch(b->world, true, BEATS, &balanced), "a balanced batch");
    }
    if (b->rank == 0) {
        clustering_measure(&lines, &clusters);
        bench_print(b, "balancing=%.3g beat=%.3g operation=%.3g operations=%.0f cluster_cost=%.3f",
                    1e6 * (balanced - plain), 1e6 * plain, 1e9 * lines, (balanced - plain) / lines,
                    clusters / lines);
    }
}

void bench_clustering(bench *b)
{
    static clustering data;
    bench_check(b->threads ? halo_fail(HALO_ARGUMENT, "ranks share its variables") : HALO_OK,
                "threads");
    for (halo_share_method method = 0; method < HALO_SHARE_METHODS; method++) {
        const char *balancer = halo_share_method_name(method);
        const clustering_options options = {
            .balancer = balancer, .iterations = 10, .computes = true};
        clustering_result result;
        bench_check(clustering_run(b->world, &options, &data, &result), balancer);
        bench_print(b, "key=%s seconds=%.4f", balancer, result.seconds);
    }
}
