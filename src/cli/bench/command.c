#include "cli/bench/options.h"
#include "cli/bench/report.h"
#include "cli/commands.h"
#include "io/plot/plot.h"

#include <string.h>

/* ---- benchmarks that measure a list ---------------------------------------------------------- */

#define AT(member) offsetof(bench_item, member)
static const bench_column columns[] = {
    {"measure", BENCH_TEXT, AT(measure), "measure", 25, 0, 0},
    {"way", BENCH_TEXT, AT(way), "way", 19, 0, 0},
    {"ranks", BENCH_INT, AT(ranks), "ranks", 5, 0, 0},
    {"bytes", BENCH_WHOLE, AT(bytes), "bytes", 8, 0, 0},
    {"times", BENCH_LONG, AT(times), NULL, 0, 0, 0},
    {"repeats", BENCH_INT, AT(repeats), NULL, 0, 0, 0},
    {"seconds", BENCH_REAL, AT(spread.median), "us", 10, 1e6, 3},
    {"low_quartile", BENCH_REAL, AT(spread.low), "low", 10, 1e6, 3},
    {"high_quartile", BENCH_REAL, AT(spread.high), "high", 10, 1e6, 3},
    {"deviation", BENCH_REAL, AT(spread.deviation), NULL, 0, 0, 0},
    {"rate", BENCH_REAL, AT(rate), "G/s", 7, 1e-9, 3},
    {"rate_of", BENCH_NAME, AT(unit), "of", 4, 0, 0},
    {"ratio", BENCH_REAL, AT(ratio), "ratio", 7, 0, 3},
    {"real", BENCH_NAME, AT(real), "real", 8, 0, 0},
};

static halo_status run_list(bench_groups *groups, const bench_arguments *arguments)
{
    bench_list list = {0};
    for (int i = 0; i < arguments->ranks.count; i++) {
        arguments->benchmark->add(&list, arguments->ranks.numbers[i]);
    }
    halo_status status = bench_measure(groups, &list, &arguments->effort);
    if (status == HALO_OK) {
        const bench_table table = {columns, sizeof columns / sizeof columns[0], list.items,
                                   list.count, sizeof *list.items};
        status = bench_report(groups->all, arguments, &table, NULL);
    }
    bench_list_free(&list);
    return status;
}

static const bench_benchmark benchmarks[] = {
#define RUN_decomposition                    .run = bench_decomposition
#define RUN_exchange                         .run = run_list, .add = bench_add_exchange
#define RUN_vote                             .run = run_list, .add = bench_add_vote
#define RUN_wait                             .run = run_list, .add = bench_add_wait
#define RUN_memory                           .run = run_list, .add = bench_add_memory
#define BENCHMARK_ENTRY(called, ranks, help) {.name = #called, .min_ranks = (ranks), RUN_##called},
    BENCH_LIST(BENCHMARK_ENTRY)
#undef BENCHMARK_ENTRY
};

const bench_benchmark *bench_benchmark_find(const char *name)
{
    for (size_t i = 0; i < sizeof benchmarks / sizeof benchmarks[0]; i++) {
        if (strcmp(benchmarks[i].name, name) == 0) {
            return &benchmarks[i];
        }
    }
    return NULL;
}

/* ---- the command ----------------------------------------------------------------------------- */

/* What would go wrong in the end is told before anything is measured. */
static halo_status check_plot(app_run *run)
{
    const bench_arguments *arguments = run->options;
    halo_status status = HALO_OK;
    if (arguments->plot != NULL && halo_world_rank(run->world) == 0) {
        status = halo_plot_check(arguments->plot);
    }
    return halo_agree(run->world, status);
}

static halo_status measure(app_run *run)
{
    bench_arguments *arguments = run->options;
    const common_arguments *common = &arguments->all.common;
    bool first = halo_world_rank(run->world) == 0;
    progress_phase(&run->progress, "measuring");
    arguments->effort.shown = &run->progress;
    arguments->effort.tells =
        first && !run->progress.shown && !common->quiet && strcmp(common->progress, "never") != 0;
    bench_groups groups;
    halo_status status = bench_groups_create(&groups, run->world, arguments->ranks.numbers,
                                             arguments->ranks.count, common->wait);
    if (status == HALO_OK) {
        status = arguments->benchmark->run(&groups, arguments);
    }
    bench_groups_destroy(&groups);
    return status;
}

const app_command bench_command = {.syntax = &bench_syntax,
                                   .wait = "sleep", /* ranks that only watch must not spin */
                                   .open = check_plot,
                                   .run = measure};
