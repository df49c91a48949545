#include "cli/chan_vese/summary.h"

#include "app/lines.h"
#include "app/report_shares.h"
#include "base/version.h"
#include "cli/chan_vese/init.h"

#include <inttypes.h>
#include <stdio.h>

enum { TEXT = 120 };

/* What both reports tell, on rank 0. */
typedef struct {
    const chan_vese_job *job;
    const report *all;
    halo_chan_vese_report level_set;
    int64_t beats; /* computed here */
    report_shares shares;
    char init[CHAN_VESE_INIT_TEXT];
} facts;

static report_line own_line(const chan_vese_job *job)
{
    halo_beat_report beats = halo_beat_reported(job->beat);
    report_line line = report_line_of(&beats, &job->clock);
    report_line_own(&line, job->image.domain.axes, halo_beat_view(job->beat, 0)->owned.n,
                    halo_beat_partition(job->beat)->parts);
    line.seconds = job->seconds;
    return line;
}

static halo_status gather_facts(void *told, const report *all)
{
    facts *f = told;
    const chan_vese_job *job = f->job;
    *f = (facts){.job = job,
                 .all = all,
                 .level_set = halo_chan_vese_reported(job->beat),
                 .beats = chan_vese_job_beats(job) - job->course.begin};
    chan_vese_init_print(job, f->init);
    f->shares = (report_shares){.seconds = job->course.seconds,
                                .updates = (double)f->level_set.pixels * (double)f->beats,
                                .exchanges = true};
    return report_shares_find(&f->shares, all);
}

static void print_result(const facts *f)
{
    const chan_vese_job *job = f->job;
    const halo_chan_vese_report *set = &f->level_set;
    char changed[TEXT] = "";
    lines_printf("level set", "%s%s, smoothed %d time%s a beat, lambdas %g and %g",
                 f->init[0] != '\0' ? "began as " : "of ",
                 f->init[0] != '\0' ? f->init : job->arguments->saving.restore,
                 job->options.smoothing, job->options.smoothing == 1 ? "" : "s",
                 job->options.lambda1, job->options.lambda2);
    lines_printf("inside",
                 "%" PRId64 " of %" PRId64 " pixels (%.2f %%); the mean grey is %.6g inside and "
                 "%.6g outside",
                 set->inside, set->pixels, 100 * (double)set->inside / (double)set->pixels,
                 set->inside_mean, set->outside_mean);
    if (job->changed > 0) {
        snprintf(changed, sizeof changed, "; the last one changed %" PRId64 " pixel%s",
                 job->changed, job->changed == 1 ? "" : "s");
    }
    lines_printf("beats", "%" PRId64 ": %s%s", chan_vese_job_beats(job), chan_vese_job_ending(job),
                 changed);
}

static void print_speed(const facts *f)
{
    lines_printf("speed", "%.4g ns a pixel and beat, %.4g M pixels/s", f->shares.nanoseconds,
                 f->shares.nanoseconds > 0 ? 1e3 / f->shares.nanoseconds : 0);
    report_shares_print(&f->shares);
}

static void print_summary(const void *told)
{
    const facts *f = told;
    const chan_vese_job *job = f->job;
    const chan_vese_arguments *arguments = job->arguments;
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
        {"compute", phases[HALO_PHASE_COMPUTE]}, {"exchange", phases[HALO_PHASE_EXCHANGE]},
        {"vote", phases[HALO_PHASE_VOTE]},       {"encode", phases[HALO_PHASE_ENCODE]}};
    report_print_seconds(f->all, parts, sizeof parts / sizeof parts[0]);
    const char *const written[] = {arguments->output, arguments->overlay, arguments->movie.path,
                                   arguments->saving.checkpoint, arguments->common.json};
    report_print_written(written, sizeof written / sizeof written[0]);
    report_print_ranks(f->all, arguments->common.verbose);
}

static json_t *json_of_facts(const void *told)
{
    const facts *f = told;
    const chan_vese_job *job = f->job;
    const halo_chan_vese_report *set = &f->level_set;
    json_t *json = json_pack(
        "{s:s, s:s, s:o, s:o, s:i, s:f, s:f, s:I, s:I, s:f, s:f, s:I, s:I, s:s, s:b, s:o, s:f, "
        "s:f}",
        "command", "chan-vese", "version", HALOBEAT_VERSION, "image", cli_image_json(&job->image),
        "init", f->init[0] != '\0' ? report_json_of_name(f->init) : json_null(), "smoothing",
        job->options.smoothing, "lambda1", job->options.lambda1, "lambda2", job->options.lambda2,
        "pixels", (json_int_t)set->pixels, "inside_pixels", (json_int_t)set->inside, "inside_mean",
        set->inside_mean, "outside_mean", set->outside_mean, "beat",
        (json_int_t)chan_vese_job_beats(job), "beats_computed", (json_int_t)f->beats, "ended",
        chan_vese_job_ending(job), "swings", (int)set->swings, "changed_pixels",
        job->changed >= 0 ? json_integer((json_int_t)job->changed) : json_null(), "beats_seconds",
        job->course.seconds, "nanoseconds_per_pixel_and_beat", f->shares.nanoseconds);
    report_shares_add_json(&f->shares, json);
    return report_add_json(f->all, json);
}

halo_status chan_vese_summary_report(chan_vese_job *job)
{
    const report_manner manner = {
        .gather = gather_facts, .json = json_of_facts, .print = print_summary};
    report_line mine = own_line(job);
    facts f = {.job = job};
    return report_tell(job->balance, &job->arguments->common, &mine, &manner, &f);
}
