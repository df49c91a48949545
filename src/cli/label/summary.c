#include "cli/label/summary.h"

#include "app/report.h"

#include <inttypes.h>
#include <stdio.h>

enum { PARTS_TEXT = 40 };

static report_line own_line(const cli_label_job *job)
{
    const halo_label_report *label = halo_label_report_of(job->label);
    const halo_beat_report beats = {.beats = label->beats,
                                    .messages = label->messages,
                                    .bytes = label->bytes,
                                    .votes = label->votes,
                                    .vote_messages = label->vote_messages,
                                    .vote_steps = label->vote_steps,
                                    .edge_seconds = label->edge_seconds,
                                    .clock = label->clock};
    report_line line = report_line_of(&beats, &job->clock);
    const halo_partition *partition = halo_label_partition(job->label);
    halo_box mine = halo_partition_box(partition, halo_world_rank(job->world));
    report_line_own(&line, job->image.domain.axes, mine.n, partition->parts);
    line.seconds = job->seconds;
    return line;
}

/* How the image was cut to be labelled. */
static void describe_parts(const cli_label_job *job, char *text, size_t size)
{
    const int *parts = halo_label_partition(job->label)->parts;
    if (parts[1] > 1) {
        snprintf(text, size, "%d x %d blocks", parts[0], parts[1]);
    } else {
        snprintf(text, size, "%d strip%s", parts[0], parts[0] == 1 ? "" : "s");
    }
}

static void print_seconds(const cli_label_job *job, const report *all)
{
    bool blocks = halo_label_partition(job->label)->parts[1] > 1;
    const double *phases = all->sum.phases;
    const report_part parts[] = {
        {"decode", phases[HALO_PHASE_DECODE]}, {"distribute", phases[HALO_PHASE_DISTRIBUTE]},
        {"label", phases[HALO_PHASE_COMPUTE]}, {"exchange", phases[HALO_PHASE_EXCHANGE]},
        {"vote", phases[HALO_PHASE_VOTE]},     {"merge", phases[HALO_PHASE_MERGE]},
        {"encode", phases[HALO_PHASE_ENCODE]}, {"cut", phases[HALO_PHASE_MIGRATE]}};
    report_print_seconds(all, parts, sizeof parts / sizeof parts[0] - (blocks ? 0 : 1));
}

static const char *threshold_name(threshold_kind kind)
{
    static const char *const names[] = {
        [THRESHOLD_OTSU] = "otsu", [THRESHOLD_VALUE] = "value", [THRESHOLD_PERCENT] = "percent"};
    return names[kind];
}

static const char *method_name(const cli_label_job *job)
{
    return job->arguments->label.method != NULL ? job->arguments->label.method : "union";
}

static int connectivity(const cli_label_job *job)
{
    return job->arguments->label.connectivity == 8 ? 8 : 4;
}

static double lit_share(const cli_label_job *job)
{
    return (double)job->foreground_pixels /
           ((double)job->image.info.width * (double)job->image.info.height);
}

/* What both reports tell, on rank 0. */
typedef struct {
    const cli_label_job *job;
    const report *all;
} label_facts;

static halo_status gather_facts(void *told, const report *all)
{
    label_facts *facts = told;
    facts->all = all;
    return HALO_OK;
}

static void print_summary(const void *told)
{
    const label_facts *facts = told;
    const cli_label_job *job = facts->job;
    const report *all = facts->all;
    const label_arguments *arguments = job->arguments;
    cli_image_print(&job->image);
    printf("threshold  %" PRId64 " (%s)%s: %.2f %% of the pixels are lit\n", job->threshold,
           threshold_name(arguments->threshold.kind), arguments->invert ? ", inverted" : "",
           100 * lit_share(job));
    printf("regions    %" PRId64 ", %d-connected%s\n", halo_label_total(job->label),
           connectivity(job), arguments->periodic ? ", periodic" : "");
    char parts[PARTS_TEXT];
    describe_parts(job, parts, sizeof parts);
    printf("beats      %" PRId64 " (%s) in %s\n", all->sum.beats, method_name(job), parts);
    if (arguments->common.verbose) {
        printf("decoder    %s\n", job->image.decoder);
        report_print_details(all);
    }
    report_print_balance(all, arguments->common.verbose);
    print_seconds(job, all);
    const char *const written[] = {arguments->output, arguments->colour, arguments->regions,
                                   arguments->common.json};
    report_print_written(written, 4);
    report_print_ranks(all, arguments->common.verbose);
}

static json_t *json_of_facts(const void *told)
{
    const label_facts *facts = told;
    const cli_label_job *job = facts->job;
    const label_arguments *arguments = job->arguments;
    char parts[PARTS_TEXT];
    describe_parts(job, parts, sizeof parts);
    json_t *json = json_pack(
        "{s:s, s:s, s:o, s:{s:I, s:s, s:b}, s:i, s:b, s:I, s:s, s:s, s:s, s:I, s:I, s:f, s:f}",
        "command", "label", "version", HALOBEAT_VERSION, "image", cli_image_json(&job->image),
        "threshold", "value", (json_int_t)job->threshold, "source",
        threshold_name(arguments->threshold.kind), "inverted", (int)arguments->invert,
        "connectivity", connectivity(job), "periodic", (int)arguments->periodic, "min_area_pixels",
        (json_int_t)arguments->label.min_area, "numbering",
        arguments->label.numbering == HALO_LABEL_SEED ? "seed" : "scan", "method", method_name(job),
        "decomposition", parts, "regions", (json_int_t)halo_label_total(job->label), "lit_pixels",
        (json_int_t)job->foreground_pixels, "lit_share", lit_share(job), "labelling_seconds",
        job->label_seconds);
    return report_add_json(facts->all, json);
}

halo_status label_summary_report(cli_label_job *job)
{
    const report_manner manner = {
        .gather = gather_facts, .json = json_of_facts, .print = print_summary};
    report_line mine = own_line(job);
    label_facts facts = {.job = job};
    return report_tell(job->balance, &job->arguments->common, &mine, &manner, &facts);
}
