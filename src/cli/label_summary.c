#define _DEFAULT_SOURCE /* getrusage */
#include "cli/label_summary.h"

#include "core/collect.h"
#include "core/file.h"
#include "core/vote.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { MOST_RANKS_SHOWN = 32 };

/* What one rank has to say. */
typedef struct {
    int64_t rows;
    double phases[HALO_PHASES]; /* seconds */
    double seconds;             /* the whole job */
    int64_t peak_bytes;
    int64_t beats, messages, bytes, votes, vote_messages, vote_steps;
} rank_line;

/* All ranks together, on rank 0. */
typedef struct {
    const cli_label_job *job;
    int ranks;
    rank_line *lines; /* [ranks] */
    rank_line sum;    /* of counts; the largest of phases and steps */
} label_report;

static rank_line own_line(const cli_label_job *job)
{
    const halo_label_report *label = halo_label_report_of(job->label);
    int rank = halo_world_rank(job->world);
    rank_line line = {.rows = job->strips.cuts[0][rank + 1] - job->strips.cuts[0][rank],
                      .seconds = job->seconds,
                      .beats = label->beats,
                      .messages = label->messages,
                      .bytes = label->bytes,
                      .votes = label->votes,
                      .vote_messages = label->vote_messages,
                      .vote_steps = label->vote_steps};
    for (int p = 0; p < HALO_PHASES; p++) {
        line.phases[p] = job->clock.seconds[p] + label->clock.seconds[p];
    }
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    line.peak_bytes = (int64_t)usage.ru_maxrss * 1024;
    return line;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static void add_up(label_report *report)
{
    for (int r = 0; r < report->ranks; r++) {
        const rank_line *line = &report->lines[r];
        rank_line *sum = &report->sum;
        sum->beats = line->beats; /* the same on all ranks */
        sum->votes = line->votes;
        sum->messages += line->messages;
        sum->bytes += line->bytes;
        sum->vote_messages += line->vote_messages;
        sum->peak_bytes += line->peak_bytes;
        sum->vote_steps = (int64_t)larger((double)sum->vote_steps, (double)line->vote_steps);
        sum->seconds = larger(sum->seconds, line->seconds);
        for (int p = 0; p < HALO_PHASES; p++) {
            sum->phases[p] = larger(sum->phases[p], line->phases[p]);
        }
    }
}

/* How a rank's time is told to people: what it worked, what it told others, what it waited. */
static double computing(const rank_line *line)
{
    return line->phases[HALO_PHASE_DECODE] + line->phases[HALO_PHASE_COMPUTE] +
           line->phases[HALO_PHASE_MERGE] + line->phases[HALO_PHASE_ENCODE];
}

static double exchanging(const rank_line *line)
{
    return line->phases[HALO_PHASE_DISTRIBUTE] + line->phases[HALO_PHASE_EXCHANGE] +
           line->phases[HALO_PHASE_VOTE];
}

static const char *threshold_name(threshold_kind kind)
{
    static const char *const names[] = {
        [THRESHOLD_OTSU] = "otsu", [THRESHOLD_VALUE] = "value", [THRESHOLD_PERCENT] = "percent"};
    return names[kind];
}

static const char *vote_method(const cli_label_job *job)
{
    return job->arguments->label.vote != NULL ? job->arguments->label.vote : "allreduce";
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
    return (double)job->lit_pixels / ((double)job->image.width * (double)job->image.height);
}

static void print_rank(const label_report *report, int rank)
{
    const rank_line *line = &report->lines[rank];
    printf("%8d %10" PRId64 " %10.4f s %10.4f s %10.4f s\n", rank, line->rows, computing(line),
           exchanging(line), line->phases[HALO_PHASE_WAIT]);
}

/* All ranks, or of very many those that computed least and most. */
static void print_ranks(const label_report *report)
{
    printf("\n%8s %10s %12s %12s %12s\n", "rank", "rows", "computing", "exchange", "waiting");
    if (report->ranks <= MOST_RANKS_SHOWN || report->job->arguments->verbose) {
        for (int r = 0; r < report->ranks; r++) {
            print_rank(report, r);
        }
        return;
    }
    int least = 0, most = 0;
    for (int r = 1; r < report->ranks; r++) {
        least = computing(&report->lines[r]) < computing(&report->lines[least]) ? r : least;
        most = computing(&report->lines[r]) > computing(&report->lines[most]) ? r : most;
    }
    print_rank(report, least);
    print_rank(report, most);
    printf("%8s the ranks that computed least and most of %d; --verbose shows all\n", "",
           report->ranks);
}

static void print_details(const label_report *report)
{
    const rank_line *sum = &report->sum;
    const cli_label_job *job = report->job;
    printf("messages   %" PRId64 " between strips, %" PRId64 " bytes\n", sum->messages, sum->bytes);
    printf("vote       %s", vote_method(job));
    if (sum->vote_messages > 0) {
        printf(": %g messages and %g steps a beat", (double)sum->vote_messages / (double)sum->votes,
               (double)sum->vote_steps / (double)sum->votes);
    }
    printf("\nwait       %s (%d ranks on %d cores here)\n", halo_world_wait_policy(job->world),
           halo_world_node_ranks(job->world), halo_world_cores(job->world));
    printf("decoder    %s\n", job->decoder);
    printf("memory     %.1f MiB at the peak of all ranks together\n",
           (double)sum->peak_bytes / 1048576);
}

static void print_summary(const label_report *report)
{
    const cli_label_job *job = report->job;
    const label_arguments *arguments = job->arguments;
    const double *phases = report->sum.phases;
    printf("image      %s: %" PRId64 " x %" PRId64 ", %s, %d bit%s%s\n", arguments->image,
           job->image.width, job->image.height, job->kind, job->image.bits,
           job->image.bits == 1 ? "" : "s",
           job->image.interlaced ? ", interlaced (held whole by rank 0)" : "");
    printf("threshold  %" PRId64 " (%s)%s: %.2f %% of the pixels are lit\n", job->threshold,
           threshold_name(arguments->threshold), arguments->invert ? ", inverted" : "",
           100 * lit_share(job));
    printf("regions    %" PRId64 ", %d-connected%s\n", halo_label_total(job->label),
           connectivity(job), arguments->periodic ? ", periodic" : "");
    printf("beats      %" PRId64 " (%s)\n", report->sum.beats, method_name(job));
    if (arguments->verbose) {
        print_details(report);
    }
    printf("seconds    decode %.3f, distribute %.3f, label %.3f, merge %.3f, encode %.3f; "
           "in all %.3f\n",
           phases[HALO_PHASE_DECODE], phases[HALO_PHASE_DISTRIBUTE], phases[HALO_PHASE_COMPUTE],
           phases[HALO_PHASE_MERGE], phases[HALO_PHASE_ENCODE], report->sum.seconds);
    const char *written[] = {arguments->output, arguments->colour, arguments->regions,
                             arguments->json};
    const char *before = "written    ";
    for (int i = 0; i < 4; i++) {
        if (written[i] != NULL) {
            printf("%s%s", before, written[i]);
            before = ", ";
        }
    }
    if (strcmp(before, ", ") == 0) {
        printf("\n");
    }
    print_ranks(report);
}

static json_t *json_of_phases(const rank_line *line)
{
    json_t *object = json_object();
    for (int p = 0; p < HALO_PHASES; p++) {
        char key[64];
        snprintf(key, sizeof key, "%s_seconds", halo_phase_name((halo_phase)p));
        json_object_set_new(object, key, json_real(line->phases[p]));
    }
    json_object_set_new(object, "total_seconds", json_real(line->seconds));
    return object;
}

static json_t *json_of_ranks(const label_report *report)
{
    json_t *array = json_array();
    for (int r = 0; r < report->ranks; r++) {
        const rank_line *line = &report->lines[r];
        json_t *object = json_of_phases(line);
        json_object_set_new(object, "rank", json_integer(r));
        json_object_set_new(object, "rows", json_integer(line->rows));
        json_object_set_new(object, "peak_memory_bytes", json_integer(line->peak_bytes));
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *per_beat(int64_t count, int64_t beats)
{
    /* Allreduce's messages are MPI's own, and nobody knows them. */
    return count > 0 ? json_real((double)count / (double)beats) : json_null();
}

/* JSON is UTF-8, but a file's name is any bytes: those that do not fit become question marks. */
static json_t *json_of_name(const char *name)
{
    json_t *text = json_string(name);
    char *plain = text == NULL ? strdup(name) : NULL;
    if (plain != NULL) {
        for (char *c = plain; *c != '\0'; c++) {
            *c = (unsigned char)*c < 0x80 ? *c : '?';
        }
        text = json_string(plain);
        free(plain);
    }
    return text;
}

static json_t *json_of_report(const label_report *report)
{
    const cli_label_job *job = report->job;
    const label_arguments *arguments = job->arguments;
    const rank_line *sum = &report->sum;
    return json_pack(
        "{s:s, s:s, s:{s:o, s:I, s:I, s:i, s:s, s:b, s:I, s:s}, s:{s:I, s:s, s:b}, s:i, s:b, s:I,"
        " s:s, s:s, s:I, s:I, s:f, s:I, s:{s:s, s:o, s:o}, s:{s:I, s:I}, s:s, s:i, s:I, s:o, s:o}",
        "command", "label", "version", HALOBEAT_VERSION, "image", "file",
        json_of_name(arguments->image), "width_pixels", (json_int_t)job->image.width,
        "height_pixels", (json_int_t)job->image.height, "bits_per_sample", job->image.bits, "kind",
        job->kind, "interlaced", (int)job->image.interlaced, "maximum_grey",
        (json_int_t)job->image.maximum, "decoder", job->decoder, "threshold", "value",
        (json_int_t)job->threshold, "source", threshold_name(arguments->threshold), "inverted",
        (int)arguments->invert, "connectivity", connectivity(job), "periodic",
        (int)arguments->periodic, "min_area_pixels", (json_int_t)arguments->label.min_area,
        "numbering", arguments->label.numbering == HALO_LABEL_SEED ? "seed" : "scan", "method",
        method_name(job), "regions", (json_int_t)halo_label_total(job->label), "lit_pixels",
        (json_int_t)job->lit_pixels, "lit_share", lit_share(job), "beats", (json_int_t)sum->beats,
        "vote", "method", vote_method(job), "messages_per_beat",
        per_beat(sum->vote_messages, sum->votes), "steps_per_beat",
        per_beat(sum->vote_steps, sum->votes), "exchange", "messages", (json_int_t)sum->messages,
        "bytes", (json_int_t)sum->bytes, "wait", halo_world_wait_policy(job->world), "ranks",
        report->ranks, "peak_memory_bytes", (json_int_t)sum->peak_bytes, "phases",
        json_of_phases(sum), "rank_table", json_of_ranks(report));
}

static halo_status write_json(const label_report *report, char **text)
{
    json_t *json = json_of_report(report);
    *text = json != NULL ? json_dumps(json, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) : NULL;
    json_decref(json);
    return *text != NULL ? HALO_OK : halo_fail(HALO_MEMORY, "out of memory: the JSON summary");
}

/* Collective: rank 0 writes. */
static halo_status save_json(const label_report *report, int rank)
{
    const cli_label_job *job = report->job;
    halo_file *file;
    HALO_TRY(halo_file_create(&file, job->world, job->arguments->json));
    halo_status status = HALO_OK;
    char *text = NULL;
    if (rank == 0) {
        status = write_json(report, &text);
        if (status == HALO_OK) {
            size_t length = strlen(text);
            text[length] = '\n'; /* in place of the end of the string, which nobody needs */
            status = halo_file_write(file, 0, text, length + 1);
        }
    }
    free(text);
    return halo_file_commit(&file, status);
}

halo_status label_summary_report(cli_label_job *job)
{
    int rank = halo_world_rank(job->world);
    label_report report = {.job = job, .ranks = halo_world_ranks(job->world)};
    report.lines = calloc((size_t)report.ranks, sizeof *report.lines);
    halo_status status =
        report.lines != NULL ? HALO_OK : halo_fail(HALO_MEMORY, "out of memory: the summary");
    HALO_TRY_OR(done, halo_agree(job->world, status));
    rank_line mine = own_line(job);
    HALO_TRY_OR(done, halo_gather(job->world, &mine, sizeof mine, report.lines));
    if (rank == 0) {
        add_up(&report);
    }
    if (job->arguments->json != NULL) {
        HALO_TRY_OR(done, save_json(&report, rank));
    }
    if (rank == 0 && !job->arguments->quiet) {
        print_summary(&report);
        if (fflush(stdout) != 0 || ferror(stdout) != 0) {
            status = halo_fail(HALO_FILE, "the summary could not be printed; use --quiet");
        }
    }
    status = halo_agree(job->world, status);
done:
    free(report.lines);
    return status;
}
