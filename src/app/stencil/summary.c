#include "app/stencil/summary.h"

#include "app/lines.h"
#include "app/report_shares.h"
#include "base/version.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { TEXT = 96 };

/* What both reports tell, on rank 0. */
typedef struct {
    const run_job *job;
    const report *all;
    const int *parts;
    int64_t cells, beats; /* computed here */
    report_shares shares;
    char grid[TEXT], decomposition[TEXT];
} facts;

static report_line own_line(const run_job *job)
{
    halo_beat_report beats = halo_beat_reported(job->beat);
    report_line line = report_line_of(&beats, &job->clock);
    report_line_own(&line, job->source.domain.axes, halo_beat_view(job->beat, 0)->owned.n,
                    halo_beat_partition(job->beat)->parts);
    line.seconds = job->seconds;
    return line;
}

/* "2 x 3" */
static void print_numbers(const int64_t *numbers, int count, char text[TEXT])
{
    text[0] = '\0';
    for (int i = 0; i < count && i < HALO_AXES; i++) {
        size_t used = strlen(text);
        snprintf(text + used, TEXT - used, "%s%" PRId64, i > 0 ? " x " : "", numbers[i]);
    }
}

static void describe(facts *f)
{
    const halo_domain *domain = &f->job->source.domain;
    int64_t parts[HALO_AXES] = {f->parts[0], f->parts[1], f->parts[2]};
    int64_t size[HALO_AXES]; /* columns first, as --size has them */
    for (int a = 0; a < domain->axes; a++) {
        size[a] = domain->n[domain->axes - 1 - a];
    }
    print_numbers(size, domain->axes, f->grid);
    if (parts[1] == 1 && parts[2] == 1) {
        snprintf(f->decomposition, TEXT, "%" PRId64 " strip%s", parts[0], parts[0] == 1 ? "" : "s");
    } else {
        char numbers[TEXT];
        print_numbers(parts, domain->axes, numbers);
        snprintf(f->decomposition, TEXT, "%.64s blocks", numbers);
    }
}

static halo_status gather_facts(void *told, const report *all)
{
    facts *f = told;
    const run_job *job = f->job;
    *f = (facts){.job = job,
                 .all = all,
                 .parts = halo_beat_partition(job->beat)->parts,
                 .cells = 1,
                 .beats = run_job_beats(job) - job->course.begin};
    for (int a = 0; a < HALO_AXES; a++) {
        f->cells *= job->source.domain.n[a];
    }
    describe(f);
    f->shares = (report_shares){.seconds = job->course.seconds,
                                .updates = (double)f->cells * (double)f->beats,
                                .exchanges = true};
    return report_shares_find(&f->shares, all);
}

/* Axes by their names, or "none". */
static const char *periodic_text(const halo_domain *domain, char text[TEXT])
{
    text[0] = '\0';
    for (int a = 0; a < domain->axes; a++) {
        size_t used = strlen(text);
        if (domain->periodic[a]) {
            snprintf(text + used, TEXT - used, "%s%c", used > 0 ? "," : "",
                     "xyz"[domain->axes - 1 - a]);
        }
    }
    return text[0] != '\0' ? text : "none";
}

static void print_result(const facts *f)
{
    const run_job *job = f->job;
    const halo_kernel *kernel = job->kernel;
    char periodic[TEXT];
    lines_printf("kernel", "%s: %s", kernel->name, kernel->help);
    if (job->source.options != NULL) {
        lines_printf("options", "%s", job->source.options);
    }
    lines_printf("grid", "%s cells%s%s, in %s", f->grid,
                 strcmp(periodic_text(&job->source.domain, periodic), "none") != 0
                     ? ", periodic along "
                     : "",
                 strcmp(periodic_text(&job->source.domain, periodic), "none") != 0 ? periodic : "",
                 f->decomposition);
    printf("beat       %" PRId64 ": %s\n", run_job_beats(job),
           course_ending_text(job->course.ending));
}

static void print_speed(const facts *f)
{
    const run_job *job = f->job;
    lines_printf("speed", "%.4g ns a cell and beat, %.4g G cells/s (halo depth %d, exchange %s)",
                 f->shares.nanoseconds, f->shares.nanoseconds > 0 ? 1 / f->shares.nanoseconds : 0,
                 job->beats_per_exchange, cutting_exchange(&job->arguments->cutting));
    report_shares_print(&f->shares);
}

static void print_summary(const void *told)
{
    const facts *f = told;
    const run_job *job = f->job;
    const run_arguments *arguments = job->arguments;
    const double *phases = f->all->sum.phases;
    print_result(f);
    print_speed(f);
    if (arguments->common.verbose) {
        report_print_details(f->all);
    }
    report_print_balance(f->all, arguments->common.verbose);
    const report_part parts[] = {
        {"read", phases[HALO_PHASE_DECODE]},     {"distribute", phases[HALO_PHASE_DISTRIBUTE]},
        {"compute", phases[HALO_PHASE_COMPUTE]}, {"exchange", phases[HALO_PHASE_EXCHANGE]},
        {"vote", phases[HALO_PHASE_VOTE]},       {"write", phases[HALO_PHASE_ENCODE]}};
    report_print_seconds(f->all, parts, sizeof parts / sizeof parts[0]);
    const char *const written[] = {arguments->output, arguments->movie.path,
                                   arguments->saving.checkpoint, arguments->common.json};
    report_print_written(written, 4);
    report_print_ranks(f->all, arguments->common.verbose);
}

static json_t *json_of_numbers(const int64_t *numbers, int count)
{
    json_t *array = json_array();
    for (int i = 0; i < count; i++) {
        json_array_append_new(array, json_integer(numbers[i]));
    }
    return array;
}

static json_t *json_of_facts(const void *told)
{
    const facts *f = told;
    const run_job *job = f->job;
    const halo_domain *domain = &job->source.domain;
    int64_t parts[HALO_AXES] = {f->parts[0], f->parts[1], f->parts[2]};
    char periodic[TEXT];
    json_t *options =
        job->source.options != NULL ? report_json_of_name(job->source.options) : json_null();
    json_t *json = json_pack(
        "{s:s, s:s, s:s, s:o, s:o, s:s, s:o, s:s, s:I, s:I, s:s, s:I, s:s, s:f, s:f}", "command",
        "run", "version", HALOBEAT_VERSION, "kernel", job->kernel->name, "options", options, "size",
        json_of_numbers(domain->n, domain->axes), "periodic", periodic_text(domain, periodic),
        "parts", json_of_numbers(parts, domain->axes), "decomposition", f->decomposition, "beat",
        (json_int_t)run_job_beats(job), "beats_computed", (json_int_t)f->beats, "ended",
        course_ending_text(job->course.ending), "halo_depth", (json_int_t)job->beats_per_exchange,
        "exchange_mode", cutting_exchange(&job->arguments->cutting), "beats_seconds",
        job->course.seconds, "nanoseconds_per_cell_and_beat", f->shares.nanoseconds);
    report_shares_add_json(&f->shares, json);
    return report_add_json(f->all, json);
}

halo_status run_summary_report(run_job *job)
{
    const report_manner manner = {
        .gather = gather_facts, .json = json_of_facts, .print = print_summary};
    report_line mine = own_line(job);
    facts f = {.job = job};
    return report_tell(job->balance, &job->arguments->common, &mine, &manner, &f);
}
