#include "app/paths.h"
#include "cli/bench/cuts.h"
#include "cli/bench/kinds.h"
#include "cli/bench/options.h"
#include "cli/bench/report.h"
#include "cli/commands.h"
#include "io/plot/plot.h"

#include <stdio.h>
#include <string.h>

typedef void list_function(bench_list *list, int ranks);

static list_function *find_kind(const char *name)
{
#define KIND_FIND(kind, least, help) \
    if (strcmp(name, #kind) == 0) {  \
        return bench_list_##kind;    \
    }
    BENCH_KIND_LIST(KIND_FIND)
#undef KIND_FIND
    return NULL;
}

/* Everything but decomposition: a list of things to measure. */
static halo_status run_list(bench_groups *groups, const bench_arguments *arguments,
                            bench_list *list, bench_table *table)
{
    for (int i = 0; i < arguments->ranks.count; i++) {
        list->base = -1;
        find_kind(arguments->what)(list, arguments->ranks.numbers[i]);
    }
    HALO_TRY(bench_groups_meet(
        groups,
        list->failed ? halo_fail(HALO_MEMORY, "out of memory: a list of measurements") : HALO_OK));
    HALO_TRY(bench_measure(groups, list->items, list->count, &arguments->effort));
    HALO_TRY(bench_groups_meet(groups, bench_list_table(list, arguments->effort.repeats, table)));
    return bench_report(bench_groups_all(groups), arguments, table, NULL);
}

static halo_status run_kind(bench_groups *groups, const bench_arguments *arguments)
{
    if (strcmp(arguments->what, "decomposition") == 0) {
        return bench_cuts_run(groups, arguments);
    }
    bench_list list = {0};
    bench_table table = {0};
    halo_status status = run_list(groups, arguments, &list, &table);
    bench_table_free(&table);
    bench_list_free(&list);
    return status;
}

/* What would go wrong in the end is told before anything is measured. */
static halo_status check_files(halo_world *world, const bench_arguments *arguments)
{
    const char *const paths[] = {arguments->csv, arguments->json, arguments->plot};
    HALO_TRY(paths_check(world, paths, 3, NULL, 0));
    halo_status status = HALO_OK;
    if (arguments->plot != NULL && halo_world_rank(world) == 0) {
        status = halo_plot_check(arguments->plot);
    }
    return halo_agree(world, status);
}

static halo_status run(halo_world *world, bench_arguments *arguments, progress *shown)
{
    HALO_TRY(check_files(world, arguments));
    progress_phase(shown, "measuring");
    arguments->effort.shown = shown;
    bench_groups *groups;
    HALO_TRY(bench_groups_create(&groups, world, arguments->ranks.numbers, arguments->ranks.count,
                                 arguments->wait));
    halo_status status = run_kind(groups, arguments);
    progress_end(shown);
    bench_groups_destroy(&groups);
    return status;
}

static int run_parsed(bench_arguments *arguments, int rank)
{
    halo_world *world = NULL;
    /* Ranks that only watch must not spin. */
    const halo_world_options options = {.wait = "sleep"};
    halo_status status = halo_world_create(&world, MPI_COMM_WORLD, &options);
    if (status == HALO_OK) {
        progress shown = progress_create(arguments->progress, rank);
        status = run(world, arguments, &shown);
    }
    if (status != HALO_OK && rank == 0) {
        fprintf(stderr, "halobeat bench: %s\n", halo_last_message());
    }
    halo_world_destroy(&world);
    return status == HALO_OK ? 0 : status == HALO_ARGUMENT ? EXIT_USAGE : EXIT_FAILED;
}

int bench_command(int argc, char **argv)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    bench_arguments arguments;
    app_options *given;
    app_verdict verdict = app_options_parse(&given, &bench_syntax, "halobeat bench", argc, argv,
                                            rank == 0, &arguments);
    int status = verdict == APP_PARSED   ? run_parsed(&arguments, rank)
                 : verdict == APP_HELPED ? 0
                                         : EXIT_USAGE;
    app_options_destroy(&given);
    return status;
}
