#include "cli/life/summary.h"

#include "app/lines.h"
#include "app/report.h"

#include <inttypes.h>
#include <stdio.h>

const char *life_ending_text(life_ending ending)
{
    static const char *const texts[] = {
#define ENDING_ENTRY(code, text) text,
        LIFE_ENDING_LIST(ENDING_ENTRY)
#undef ENDING_ENTRY
    };
    return texts[ending];
}

/* What both reports tell. */
typedef struct {
    cli_life_job *job;
    const report *all;
    halo_life_report engine;
    halo_life_box grid;
    int64_t live_lo[HALO_LIFE_AXES]; /* as users count */
    double per_second;               /* generations */
    double cells_per_second;         /* 0 for a grid that grows */
    char rule[HALO_LIFE_RULE_TEXT];
} life_facts;

static report_line own_line(const cli_life_job *job)
{
    halo_life_report engine = halo_life_report_of(job->life);
    report_line line = report_line_of(&engine.beats, &job->clock);
    report_line_own(&line, HALO_LIFE_AXES, engine.own.n, engine.parts);
    line.seconds = job->seconds;
    return line;
}

static halo_status gather_facts(void *told, const report *all)
{
    life_facts *facts = told;
    cli_life_job *job = facts->job;
    *facts = (life_facts){.job = job,
                          .all = all,
                          .engine = halo_life_report_of(job->life),
                          .grid = halo_life_size(job->life)};
    bool grows = false;
    for (int a = 0; a < HALO_LIFE_AXES; a++) {
        halo_life_edge edge = job->source.edges[a];
        facts->live_lo[a] = job->census.live.lo[a] - halo_life_origin(edge, facts->grid.lo[a]);
        grows = grows || edge == HALO_LIFE_GROW;
    }
    if (job->run_seconds > 0) {
        facts->per_second = (double)job->generations / job->run_seconds;
        facts->cells_per_second =
            grows ? 0 : facts->per_second * (double)facts->grid.n[0] * (double)facts->grid.n[1];
    }
    halo_life_rule_print(&job->source.rule, facts->rule);
    return HALO_OK;
}

static const char *pattern_name(const cli_life_job *job)
{
    const life_arguments *arguments = job->arguments;
    return arguments->saving.restore != NULL ? arguments->saving.restore : arguments->pattern.text;
}

static void print_grid(const life_facts *facts)
{
    const cli_life_job *job = facts->job;
    printf("pattern    %s: %" PRId64 " x %" PRId64 ", %s\n", pattern_name(job),
           job->source.n[HALO_LIFE_COLUMNS], job->source.n[HALO_LIFE_ROWS], job->source.kind);
    printf("grid       %s, %" PRId64 " x %" PRId64, halo_life_topology_words(job->source.edges),
           facts->grid.n[HALO_LIFE_COLUMNS], facts->grid.n[HALO_LIFE_ROWS]);
    if (facts->engine.enlargements > 0) {
        printf(" in the end, after %" PRId64 " enlargement%s", facts->engine.enlargements,
               facts->engine.enlargements == 1 ? "" : "s");
    }
    const int *parts = facts->engine.parts;
    if (parts[HALO_LIFE_COLUMNS] > 1) {
        printf(", in %d x %d blocks", parts[HALO_LIFE_ROWS], parts[HALO_LIFE_COLUMNS]);
    }
    printf("\nrule       %s\n", facts->rule);
}

static void print_state(const life_facts *facts)
{
    const cli_life_job *job = facts->job;
    const halo_life_box *live = &job->census.live;
    printf("generation %" PRId64 ": %s\n", halo_life_generation(job->life),
           life_ending_text(job->ending));
    char within[160] = "", change[96] = "";
    if (job->census.population > 0) {
        snprintf(within, sizeof within,
                 ", within %" PRId64 " x %" PRId64 " cells from column %" PRId64 ", row %" PRId64,
                 live->n[HALO_LIFE_COLUMNS], live->n[HALO_LIFE_ROWS],
                 facts->live_lo[HALO_LIFE_COLUMNS], facts->live_lo[HALO_LIFE_ROWS]);
    }
    if (job->counted) {
        snprintf(change, sizeof change,
                 "; %" PRId64 " births and %" PRId64 " deaths in the last generation",
                 job->change.births, job->change.deaths);
    }
    lines_printf("population", "%" PRId64 "%s%s", job->census.population, within, change);
    printf("hash       %016" PRIx64 "\n", job->census.hash);
}

static void print_speed(const life_facts *facts)
{
    const cli_life_job *job = facts->job;
    const double *phases = facts->all->sum.phases;
    char cells[48] = "";
    if (facts->cells_per_second > 0) {
        snprintf(cells, sizeof cells, "%.4g G cells/s, ", facts->cells_per_second / 1e9);
    }
    lines_printf("speed", "%s%.4g generations/s (%s, %s, halo depth %d)", cells, facts->per_second,
                 facts->engine.engine, facts->engine.instructions,
                 facts->engine.beats_per_exchange);
    if (job->arguments->common.verbose) {
        report_print_details(facts->all);
    }
    report_print_balance(facts->all, job->arguments->common.verbose);
    const report_part parts[] = {
        {"decode", phases[HALO_PHASE_DECODE]},   {"distribute", phases[HALO_PHASE_DISTRIBUTE]},
        {"compute", phases[HALO_PHASE_COMPUTE]}, {"exchange", phases[HALO_PHASE_EXCHANGE]},
        {"vote", phases[HALO_PHASE_VOTE]},       {"encode", phases[HALO_PHASE_ENCODE]}};
    report_print_seconds(facts->all, parts, sizeof parts / sizeof parts[0]);
}

static void print_summary(const void *told)
{
    const life_facts *facts = told;
    const cli_life_job *job = facts->job;
    const life_arguments *arguments = job->arguments;
    print_grid(facts);
    print_state(facts);
    print_speed(facts);
    if (life_film_wanted(arguments)) {
        printf("frames     %" PRId64 "\n", job->film.frames);
    }
    const char *const written[] = {
        arguments->output,     arguments->population,        arguments->frames,
        arguments->movie.path, arguments->saving.checkpoint, arguments->common.json};
    report_print_written(written, 6);
    report_print_ranks(facts->all, arguments->common.verbose);
}

static json_t *json_of_state(const life_facts *facts)
{
    const cli_life_job *job = facts->job;
    const halo_life_box *live = &job->census.live;
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, job->census.hash);
    json_t *change = job->counted
                         ? json_pack("{s:I, s:I}", "births", (json_int_t)job->change.births,
                                     "deaths", (json_int_t)job->change.deaths)
                         : json_null();
    return json_pack(
        "{s:I, s:s, s:I, s:s, s:{s:I, s:I, s:I, s:I}, s:o}", "generation",
        (json_int_t)halo_life_generation(job->life), "ended", life_ending_text(job->ending),
        "population", (json_int_t)job->census.population, "hash", hash, "live", "width_cells",
        (json_int_t)live->n[HALO_LIFE_COLUMNS], "height_cells", (json_int_t)live->n[HALO_LIFE_ROWS],
        "column", (json_int_t)facts->live_lo[HALO_LIFE_COLUMNS], "row",
        (json_int_t)facts->live_lo[HALO_LIFE_ROWS], "last_generation", change);
}

static json_t *json_of_facts(const void *told)
{
    const life_facts *facts = told;
    const cli_life_job *job = facts->job;
    json_t *json = json_pack(
        "{s:s, s:s, s:{s:o, s:s, s:I, s:I, s:I}, s:{s:s, s:I, s:I, s:I, s:[i, i]}, s:s, s:o, s:I, "
        "s:f, s:f, s:f, s:s, s:s, s:i, s:I}",
        "command", "life", "version", HALOBEAT_VERSION, "pattern", "name",
        report_json_of_name(pattern_name(job)), "kind", job->source.kind, "width_cells",
        (json_int_t)job->source.n[HALO_LIFE_COLUMNS], "height_cells",
        (json_int_t)job->source.n[HALO_LIFE_ROWS], "generation", (json_int_t)job->source.generation,
        "grid", "topology", halo_life_topology_words(job->source.edges), "width_cells",
        (json_int_t)facts->grid.n[HALO_LIFE_COLUMNS], "height_cells",
        (json_int_t)facts->grid.n[HALO_LIFE_ROWS], "enlargements",
        (json_int_t)facts->engine.enlargements, "parts", facts->engine.parts[HALO_LIFE_ROWS],
        facts->engine.parts[HALO_LIFE_COLUMNS], "rule", facts->rule, "state", json_of_state(facts),
        "generations", (json_int_t)job->generations, "generations_seconds", job->run_seconds,
        "generations_per_second", facts->per_second, "cells_per_second", facts->cells_per_second,
        "engine", facts->engine.engine, "instructions", facts->engine.instructions, "halo_depth",
        facts->engine.beats_per_exchange, "frames", (json_int_t)job->film.frames);
    return report_add_json(facts->all, json);
}

static halo_status show_grid(void *told)
{
    cli_life_job *job = ((life_facts *)told)->job;
    return life_screen_wanted(&job->screen) && !job->arguments->watch
               ? life_screen_show(&job->screen, job->life, &job->census, false)
               : HALO_OK;
}

halo_status life_summary_report(cli_life_job *job)
{
    const report_manner manner = {
        .gather = gather_facts, .json = json_of_facts, .show = show_grid, .print = print_summary};
    report_line mine = own_line(job);
    life_facts facts = {.job = job};
    return report_tell(job->balance, &job->arguments->common, &mine, &manner, &facts);
}
