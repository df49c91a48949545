#include "cli/bench/report.h"

#include "app/lines.h"
#include "app/report.h"

#include <stdio.h>

static json_t *head(const halo_world *world, const bench_arguments *arguments)
{
    return json_pack("{s:s, s:s, s:i, s:i, s:i, s:i, s:s, s:f, s:f}", "command", "bench",
                     "measured", arguments->what, "ranks_started", halo_world_ranks(world),
                     "ranks_here", halo_world_node_ranks(world), "cores_here",
                     halo_world_cores(world), "repeats", arguments->effort.repeats, "wait",
                     arguments->wait, "chance_of_unreal", HALO_SAMPLES_CHANCE, "least_gain",
                     HALO_SAMPLES_MIN_GAIN);
}

/* `more`'s entries belong to the object afterwards. */
static json_t *compose(halo_world *world, const bench_arguments *arguments,
                       const bench_table *table, json_t *more)
{
    json_t *all = head(world, arguments), *rows = bench_table_json(table);
    bool good = all != NULL && rows != NULL && json_object_set(all, "measurements", rows) == 0 &&
                (more == NULL || json_object_update(all, more) == 0);
    json_decref(rows);
    if (!good) {
        json_decref(all);
    }
    return good ? all : NULL;
}

static void print_head(const halo_world *world, const bench_arguments *arguments)
{
    lines_printf("machine", "%d rank%s here, %d core%s", halo_world_node_ranks(world),
                 halo_world_node_ranks(world) == 1 ? "" : "s", halo_world_cores(world),
                 halo_world_cores(world) == 1 ? "" : "s");
    lines_printf("measured", "medians of %d repeats, one after the other of each in turn",
                 arguments->effort.repeats);
    if (arguments->effort.repeats < HALO_SAMPLES_MIN) {
        lines_printf("real",
                     "too few repeats to tell differences from chance: use --repeat %d or "
                     "more",
                     HALO_SAMPLES_MIN);
    } else {
        lines_printf("real",
                     "differences with a chance below %g %% (Wilcoxon's signed-rank test) and of "
                     "more than %g %%",
                     100 * HALO_SAMPLES_CHANCE, 100 * HALO_SAMPLES_MIN_GAIN);
    }
    printf("\n");
}

halo_status bench_report(halo_world *world, const bench_arguments *arguments,
                         const bench_table *table, json_t *more)
{
    bool speaks = halo_world_rank(world) == 0;
    if (speaks && arguments->effort.shown != NULL) {
        progress_end(arguments->effort.shown);
    }
    if (speaks && !arguments->quiet) {
        print_head(world, arguments);
        bench_table_print(table, stdout);
    }
    if (arguments->csv != NULL) {
        HALO_TRY(bench_table_save_csv(world, arguments->csv, table));
    }
    if (arguments->json != NULL) {
        json_t *all = speaks ? compose(world, arguments, table, more) : NULL;
        HALO_TRY(report_save_json(world, arguments->json, all));
    }
    return report_flush(world);
}
