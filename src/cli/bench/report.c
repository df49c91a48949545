#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "app/report/report.h"
#include "app/page/page.h"
#include "app/report/facts.h"
#include "app/report/json_text.h"
#include "cli/bench/bench.h"
#include "core/file/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- CSV ------------------------------------------------------------------------------------- */

/* Nothing where a value is not known. */
static void write_value(FILE *to, const json_t *value)
{
    if (json_is_string(value)) {
        fputs(json_string_value(value), to);
    } else if (json_is_integer(value)) {
        fprintf(to, "%lld", (long long)json_integer_value(value));
    } else if (json_is_real(value)) {
        char text[APP_REAL_TEXT];
        app_real_text(json_real_value(value), text);
        fputs(text, to);
    }
}

/* The caller frees the text; NULL for want of memory. */
static char *csv_of(const json_t *rows, size_t *length)
{
    char *text = NULL;
    FILE *to = open_memstream(&text, length);
    json_t *row, *value;
    size_t i;
    const char *key, *between = "";
    if (to == NULL) {
        return NULL;
    }
    json_object_foreach(json_array_get(rows, 0), key, value)
    {
        fprintf(to, "%s%s", between, key);
        between = ",";
    }
    json_array_foreach(rows, i, row)
    {
        between = "\n";
        json_object_foreach(row, key, value)
        {
            fputs(between, to);
            write_value(to, value);
            between = ",";
        }
    }
    fputs("\n", to);
    return fclose(to) == 0 ? text : NULL;
}

static halo_status save_csv(halo_world *world, const char *path, const json_t *rows)
{
    halo_file *file;
    HALO_TRY(halo_file_create(&file, world, path));
    halo_status status = HALO_OK;
    if (halo_world_rank(world) == 0) {
        size_t length = 0;
        char *text = csv_of(rows, &length);
        status = text != NULL ? halo_file_write(file, 0, text, length)
                              : halo_fail(HALO_MEMORY, "out of memory: the CSV file");
        free(text);
    }
    return halo_file_commit(&file, status);
}

/* ---- the report ------------------------------------------------------------------------------ */

static const app_line machine_lines[] = {
    {.name = "machine",
     .text = "{ranks_here} rank{s:ranks_here} here, {cores_here} core{s:cores_here}"},
    {.name = "measured",
     .text = "medians of {repeats} repeat{s:repeats}, one after the other of each in turn"},
    {.name = "real",
     .text = "too few repeats to tell differences from chance: use --repeat {repeats_needed} or "
             "more"},
    {.name = "real",
     .text =
         "differences with a chance below {100*chance%g} % (Wilcoxon's signed-rank test) and of "
         "more than {100*least_gain%g} %"},
    {0}};

/* Hands `facts` over. NULL for want of memory. */
static json_t *compose(halo_world *world, const bench_arguments *arguments, json_t *facts)
{
    const bench_effort *effort = &arguments->effort;
    json_t *all =
        json_pack("{s:s, s:s, s:i, s:i, s:i, s:i, s:s, s:f, s:f}", "command", "bench", "measured",
                  effort->what, "ranks_started", halo_world_ranks(world), "ranks_here",
                  halo_world_node_ranks(world), "cores_here", halo_world_cores(world), "repeats",
                  effort->repeats, "wait", arguments->all.common.wait, "chance_of_unreal",
                  HALO_SAMPLES_CHANCE, "least_gain", HALO_SAMPLES_MIN_GAIN);
    bool whole = json_object_update(all, facts) == 0;
    json_decref(facts);
    if (!whole) {
        json_decref(all);
        return NULL;
    }
    return all;
}

static void print(const bench_arguments *arguments, const app_column *columns, const json_t *all)
{
    const app_listing listings[] = {{.rows = "measurements", .columns = columns}, {0}};
    json_t *texts = arguments->effort.repeats < HALO_SAMPLES_MIN
                        ? json_pack("{s:i}", "repeats_needed", HALO_SAMPLES_MIN)
                        : json_pack("{s:f}", "chance", HALO_SAMPLES_CHANCE);
    app_lines_print(machine_lines, all, texts, false);
    app_listings_print(listings, all, texts, false);
    json_decref(texts);
}

static halo_status report_all(halo_world *world, const bench_arguments *arguments,
                              const app_column *columns, json_t *all)
{
    const common_arguments *common = &arguments->all.common;
    bool first = halo_world_rank(world) == 0;
    HALO_TRY(halo_agree(world, HALO_REQUIRE(all != NULL, HALO_MEMORY, "out of memory: results")));
    if (first && !common->quiet) {
        print(arguments, columns, all);
    }
    if (arguments->csv != NULL) {
        HALO_TRY(save_csv(world, arguments->csv, json_object_get(all, "measurements")));
    }
    if (common->json != NULL) {
        HALO_TRY(report_save_json(world, common->json, first ? json_incref(all) : NULL));
    }
    return report_flush(world);
}

halo_status bench_report(halo_world *world, const bench_arguments *arguments,
                         const app_column *columns, json_t *facts)
{
    progress_end(arguments->effort.shown);
    json_t *all = compose(world, arguments, facts);
    halo_status status = report_all(world, arguments, columns, all);
    json_decref(all);
    return status;
}

halo_status bench_page(halo_world *world, const bench_arguments *arguments,
                       const app_listing *listings, json_t *facts)
{
    const app_line *const lines[] = {machine_lines, NULL};
    const app_listing *const lists[] = {listings, NULL};
    json_t *all = compose(world, arguments, facts);
    halo_status status =
        halo_agree(world, HALO_REQUIRE(all != NULL, HALO_MEMORY, "out of memory: results"));
    if (status == HALO_OK) {
        status = app_services_report(arguments->run,
                                     &(app_page){.facts = all, .lines = lines, .listings = lists});
    }
    json_decref(all);
    return status == HALO_OK ? report_flush(world) : status;
}

/* ---- benchmarks that measure a list ---------------------------------------------------------- */

static const app_column columns[] = {{"measure", "{measure}", -25},
                                     {"way", "{way}", -19},
                                     {"ranks", "{ranks}", 5},
                                     {"bytes", "{bytes}", 8},
                                     {"us", "{1e6*seconds%.3f}", 10},
                                     {"low", "{1e6*low_quartile%.3f}", 10},
                                     {"high", "{1e6*high_quartile%.3f}", 10},
                                     {"G/s", "{1e-9*rate%.3f}", 7},
                                     {"of", "{rate_of}", -4},
                                     {"ratio", "{ratio%.3f}", 7},
                                     {"real", "{real}", -8},
                                     {0}};

/* The facts of an item; a missing item has none. */
static json_t *row_of(const bench_list *list, const bench_item *item)
{
    static const halo_sample_spread nothing = {NAN, NAN, NAN, NAN};
    const halo_sample_spread *spread = item->missing ? &nothing : &item->spread;
    const bench_item *base = item->base >= 0 ? &list->items[item->base] : item;
    bool known = !item->missing, compared = known && base != item && !base->missing;
    const char *real = item->missing                    ? "not here"
                       : !compared                      ? ""
                       : bench_items_differ(item, base) ? "yes"
                                                        : "no";
    return json_pack(
        "{s:s, s:s, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:o, s:s}", "measure",
        item->measure, "way", item->way, "ranks", item->ranks, "bytes",
        app_fact_count(item->bytes > 0 ? item->bytes : -1), "times",
        app_fact_count(known ? item->times : -1), "repeats",
        app_fact_count(known ? item->repeats : -1), "seconds", app_fact_real(spread->median, true),
        "low_quartile", app_fact_real(spread->low, true), "high_quartile",
        app_fact_real(spread->high, true), "deviation", app_fact_real(spread->deviation, true),
        "rate", app_fact_real(item->moved > 0 ? item->moved / spread->median : NAN, true),
        "rate_of", known && item->moved > 0 ? "B" : "", "ratio",
        app_fact_real(compared ? spread->median / base->spread.median : NAN, true), "real", real);
}

static halo_status measure_list(bench_groups *groups, const bench_arguments *arguments,
                                bench_list *list)
{
    HALO_TRY(bench_measure(groups, list, &arguments->effort));
    json_t *rows = json_array();
    for (int i = 0; i < list->count; i++) {
        json_array_append_new(rows, row_of(list, &list->items[i]));
    }
    json_t *facts = json_pack("{s:o}", "measurements", rows);
    static const app_listing listings[] = {{.rows = "measurements", .columns = columns}, {0}};
    halo_status status = bench_report(groups->all, arguments, columns, json_incref(facts));
    HALO_IF_OK(status, bench_page(groups->all, arguments, listings, json_incref(facts)));
    json_decref(facts);
    return status;
}

halo_status bench_list_run(bench_groups *groups, const bench_arguments *arguments, bench_add *add)
{
    bench_list list = {0};
    for (int i = 0; i < arguments->ranks.count; i++) {
        add(&list, arguments->ranks.numbers[i]);
    }
    halo_status status = measure_list(groups, arguments, &list);
    bench_list_free(&list);
    return status;
}
