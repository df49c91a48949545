#include "cli/synthetic/summary.h"

#include "app/lines.h"
#include "app/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* What both reports tell, on rank 0. */
typedef struct {
    const cli_synthetic_job *job;
    const report *all;
    double beat_seconds;
    double steps_per_second;
    double efficiency; /* share of the ranks' time in the beats that they computed */
    double imbalance;  /* index of load imbalance of all beats together */
    char digest[17];
} synthetic_facts;

static report_line own_line(const cli_synthetic_job *job)
{
    static const halo_clock nothing_besides;
    halo_beat_report beats = halo_synthetic_report_of(job->synthetic);
    report_line line = report_line_of(&beats, &nothing_besides);
    report_line_own(&line, 2, halo_synthetic_view(job->synthetic)->owned.n, job->partition.parts);
    line.seconds = job->seconds;
    return line;
}

static halo_status gather_facts(void *told, const report *all)
{
    synthetic_facts *facts = told;
    const cli_synthetic_job *job = facts->job;
    *facts = (synthetic_facts){.job = job, .all = all};
    double beats = (double)job->arguments->beats, sum = 0;
    double *computing = calloc((size_t)all->ranks, sizeof *computing);
    if (computing == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: the summary");
    }
    for (int r = 0; r < all->ranks; r++) {
        computing[r] = all->lines[r].phases[HALO_PHASE_COMPUTE];
        sum += computing[r];
    }
    facts->imbalance = halo_load_imbalance(computing, all->ranks);
    facts->beat_seconds = job->run_seconds / beats;
    if (job->run_seconds > 0) {
        facts->steps_per_second = (double)job->facts.steps * beats / job->run_seconds;
        facts->efficiency = sum / ((double)all->ranks * job->run_seconds);
    }
    snprintf(facts->digest, sizeof facts->digest, "%016" PRIx64, job->verdict.digest);
    free(computing);
    return HALO_OK;
}

static void print_result(const synthetic_facts *facts)
{
    const cli_synthetic_job *job = facts->job;
    const halo_synthetic_options *options = &job->arguments->synthetic;
    printf("profile    %s\n", job->facts.profile);
    lines_printf("grid",
                 "%" PRId64 " rows of %" PRId64 " cells; %" PRId64
                 " steps of work in a row that costs 1, %.6g in a row on average",
                 options->rows, options->columns, job->facts.work,
                 (double)job->facts.steps / (double)options->rows);
    const int *parts = job->partition.parts;
    if (parts[1] > 1) {
        printf("blocks     %d x %d\n", parts[0], parts[1]);
    }
    printf("beats      %" PRId64 "\n", facts->all->sum.beats);
    printf("digest     %s, %s\n", facts->digest, job->verdict.holds ? "checked" : "WRONG");
}

static void print_summary(const void *told)
{
    const synthetic_facts *facts = told;
    const cli_synthetic_job *job = facts->job;
    const common_arguments *common = &job->arguments->common;
    const double *phases = facts->all->sum.phases;
    print_result(facts);
    printf("speed      %.4g seconds a beat, %.4g G steps/s\n", facts->beat_seconds,
           facts->steps_per_second / 1e9);
    lines_printf("efficiency",
                 "%.1f %% of the ranks' time is computing; index of load imbalance (IDC) %.1f %%",
                 100 * facts->efficiency, 100 * facts->imbalance);
    if (common->verbose) {
        report_print_details(facts->all);
    }
    report_print_balance(facts->all, common->verbose);
    const report_part parts[] = {{"compute", phases[HALO_PHASE_COMPUTE]},
                                 {"exchange", phases[HALO_PHASE_EXCHANGE]},
                                 {"vote", phases[HALO_PHASE_VOTE]},
                                 {"check", job->check_seconds}};
    report_print_seconds(facts->all, parts, sizeof parts / sizeof parts[0]);
    report_print_written(&common->json, 1);
    report_print_ranks(facts->all, common->verbose);
}

static json_t *json_of_facts(const void *told)
{
    const synthetic_facts *facts = told;
    const cli_synthetic_job *job = facts->job;
    const halo_synthetic_options *options = &job->arguments->synthetic;
    json_t *json = json_pack(
        "{s:s, s:s, s:s, s:[ii], s:I, s:I, s:I, s:I, s:i, s:f, s:f, s:f, s:f, s:f, s:f, s:s, s:b, "
        "s:I}",
        "command", "synthetic", "version", HALOBEAT_VERSION, "profile", job->facts.profile, "parts",
        job->partition.parts[0], job->partition.parts[1], "rows", (json_int_t)options->rows,
        "columns", (json_int_t)options->columns, "work_steps", (json_int_t)job->facts.work,
        "steps_per_beat", (json_int_t)job->facts.steps, "halo_depth",
        (int)job->arguments->cutting.beats_per_exchange, "beats_seconds", job->run_seconds,
        "seconds_per_beat", facts->beat_seconds, "steps_per_second", facts->steps_per_second,
        "efficiency", facts->efficiency, "imbalance", facts->imbalance, "check_seconds",
        job->check_seconds, "digest", facts->digest, "checked", (int)job->verdict.holds,
        "wrong_cells", (json_int_t)job->verdict.wrong_cells);
    return report_add_json(facts->all, json);
}

halo_status synthetic_summary_report(cli_synthetic_job *job)
{
    const report_manner manner = {
        .gather = gather_facts, .json = json_of_facts, .print = print_summary};
    report_line mine = own_line(job);
    synthetic_facts facts = {.job = job};
    return report_tell(job->balance, &job->arguments->common, &mine, &manner, &facts);
}
