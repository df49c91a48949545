#include "cli/cluster/summary.h"

#include "app/lines.h"
#include "app/report_shares.h"
#include "base/version.h"

#include <inttypes.h>
#include <stdio.h>

enum { TEXT = 160 };

/* What both reports tell, on rank 0. */
typedef struct {
    const cli_cluster_job *job;
    const report *all;
    int64_t pixels, beats; /* computed here */
    int64_t empty;         /* clusters */
    report_shares shares;
} facts;

static report_line own_line(const cli_cluster_job *job)
{
    halo_beat_report beats = halo_beat_reported(job->beat);
    report_line line = report_line_of(&beats, &job->clock);
    report_line_own(&line, job->image.domain.axes, halo_beat_view(job->beat, 0)->owned.n,
                    halo_beat_partition(job->beat)->parts);
    line.seconds = job->seconds;
    return line;
}

static int64_t count_empty(const cli_cluster_job *job)
{
    const halo_cluster_record *records = halo_cluster_records(job->beat);
    int64_t empty = 0;
    for (int k = 0; k < job->options.clusters; k++) {
        empty += records[k].pixels == 0;
    }
    return empty;
}

static halo_status gather_facts(void *told, const report *all)
{
    facts *f = told;
    const cli_cluster_job *job = f->job;
    *f = (facts){.job = job,
                 .all = all,
                 .pixels = job->image.domain.n[0] * job->image.domain.n[1],
                 .beats = cluster_job_beats(job) - job->course.begin,
                 .empty = count_empty(job)};
    f->shares = (report_shares){.seconds = job->course.seconds,
                                .updates = (double)f->pixels * (double)f->beats};
    return report_shares_find(&f->shares, all);
}

static void print_result(const facts *f)
{
    const cli_cluster_job *job = f->job;
    char empty[TEXT] = "", changed[TEXT] = "";
    if (f->empty > 0) {
        snprintf(empty, sizeof empty, "; %" PRId64 " have lost all their pixels", f->empty);
    }
    lines_printf("clusters", "%d in (x, y, %s), weight %g%s", job->options.clusters,
                 job->options.colour ? "L, a, b" : "grey", job->arguments->weight, empty);
    if (job->changed > 0) {
        snprintf(changed, sizeof changed, "; the last moved %" PRId64 " of %" PRId64 " pixels",
                 job->changed, f->pixels);
    }
    lines_printf("beats", "%" PRId64 ": %s%s", cluster_job_beats(job), cluster_job_ending(job),
                 changed);
    lines_printf("inertia",
                 "%.10g, the squares of distances to the mean of the own cluster: %.6g a pixel",
                 job->inertia, job->inertia / (double)f->pixels);
}

static void print_speed(const facts *f)
{
    const cli_cluster_job *job = f->job;
    lines_printf("speed", "%.4g ns a pixel and beat, %.4g M pixels/s (engine %s, %s)",
                 f->shares.nanoseconds, f->shares.nanoseconds > 0 ? 1e3 / f->shares.nanoseconds : 0,
                 halo_cluster_engine_name(job->beat), halo_cluster_instructions(job->beat));
    report_shares_print(&f->shares);
}

static void print_summary(const void *told)
{
    const facts *f = told;
    const cli_cluster_job *job = f->job;
    const cluster_arguments *arguments = job->arguments;
    const double *phases = f->all->sum.phases;
    cli_image_print(&job->image);
    print_result(f);
    print_speed(f);
    if (arguments->common.verbose) {
        printf("decoder    %s\n", job->image.decoder);
        report_print_details(f->all);
    }
    report_print_balance(f->all, arguments->common.verbose);
    const report_part parts[] = {
        {"decode", phases[HALO_PHASE_DECODE]},   {"distribute", phases[HALO_PHASE_DISTRIBUTE]},
        {"cluster", phases[HALO_PHASE_COMPUTE]}, {"vote", phases[HALO_PHASE_VOTE]},
        {"begin", phases[HALO_PHASE_MERGE]},     {"encode", phases[HALO_PHASE_ENCODE]}};
    report_print_seconds(f->all, parts, sizeof parts / sizeof parts[0]);
    const char *const written[] = {arguments->output,
                                   arguments->mosaic,
                                   arguments->outline,
                                   arguments->centres,
                                   arguments->saving.checkpoint,
                                   arguments->common.json};
    report_print_written(written, sizeof written / sizeof written[0]);
    report_print_ranks(f->all, arguments->common.verbose);
}

static json_t *json_of_facts(const void *told)
{
    const facts *f = told;
    const cli_cluster_job *job = f->job;
    json_t *json = json_pack(
        "{s:s, s:s, s:o, s:i, s:I, s:f, s:b, s:s, s:s, s:I, s:I, s:s, s:f, s:o, s:f, s:f, s:f}",
        "command", "cluster", "version", HALOBEAT_VERSION, "image", cli_image_json(&job->image),
        "clusters", job->options.clusters, "empty_clusters", (json_int_t)f->empty, "weight",
        job->arguments->weight, "colour", (int)job->options.colour, "engine",
        halo_cluster_engine_name(job->beat), "instructions", halo_cluster_instructions(job->beat),
        "beat", (json_int_t)cluster_job_beats(job), "beats_computed", (json_int_t)f->beats, "ended",
        cluster_job_ending(job), "stop_changed_share", job->arguments->until.share,
        "changed_pixels", job->changed >= 0 ? json_integer((json_int_t)job->changed) : json_null(),
        "inertia", job->inertia, "beats_seconds", job->course.seconds,
        "nanoseconds_per_pixel_and_beat", f->shares.nanoseconds);
    report_shares_add_json(&f->shares, json);
    return report_add_json(f->all, json);
}

halo_status cluster_summary_report(cli_cluster_job *job)
{
    const report_manner manner = {
        .gather = gather_facts, .json = json_of_facts, .print = print_summary};
    report_line mine = own_line(job);
    facts f = {.job = job};
    return report_tell(job->balance, &job->arguments->common, &mine, &manner, &f);
}
