#include "cli/motion/summary.h"

#include "app/lines.h"
#include "app/report.h"
#include "kernels/motion/motion_predict.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEXT = 512 };

static report_line own_line(const cli_motion_job *job)
{
    const halo_motion_report *motion = halo_motion_reported(job->motion);
    const halo_beat_report beats = {.beats = motion->beats,
                                    .messages = motion->messages,
                                    .bytes = motion->bytes,
                                    .clock = motion->clock};
    const int strips[HALO_AXES] = {halo_world_ranks(job->world), 1, 1};
    report_line line = report_line_of(&beats, &job->clock);
    report_line_own(&line, job->image.domain.axes, halo_motion_view(job->motion)->owned.n, strips);
    line.seconds = job->seconds;
    return line;
}

/* What both reports tell, on rank 0. */
typedef struct {
    const cli_motion_job *job;
    const report *all;
    int64_t pairs;                           /* done by this run */
    halo_motion_figures figures;             /* of all of them */
    double predicted[HALO_MOTION_BALANCERS]; /* seconds of the last pair's beats under each */
    double pixel_nanoseconds;                /* a pixel and pair: clustering and matching */
} facts;

static halo_status gather_facts(void *told, const report *all)
{
    facts *f = told;
    const cli_motion_job *job = f->job;
    const halo_motion_report *motion = halo_motion_reported(job->motion);
    f->all = all;
    f->pairs = motion->pairs - job->course.begin;
    f->figures = halo_motion_figures_join(job->figures, f->pairs);
    for (int64_t b = 0; motion->last != NULL && b < motion->last_beats; b++) {
        HALO_TRY(halo_motion_predict(motion->last[b].loads, all->ranks, f->predicted));
    }
    double pixels = (double)job->image.info.width * (double)job->image.info.height;
    f->pixel_nanoseconds = f->pairs > 0 ? job->pair_seconds * 1e9 / pixels / (double)f->pairs : 0;
    return HALO_OK;
}

static const char *balancer_name(const cli_motion_job *job)
{
    return job->options.balancer != NULL ? job->options.balancer : "none";
}

static const char *flow_name(const cli_motion_job *job)
{
    return job->options.flow != NULL ? job->options.flow : "fine";
}

/* As the kernel has it, without the user's word. */
static int radius(const cli_motion_job *job)
{
    enum { USUAL = 64 };
    return job->options.still ? 0 : job->options.radius > 0 ? job->options.radius : USUAL;
}

static double weight(const cli_motion_job *job)
{
    return job->options.weight > 0 ? job->options.weight : 1;
}

/* ---- text -------------------------------------------------------------------------------------
 */

/* "right 12.00, up 7.00" */
static void describe_direction(double right, double down, char text[TEXT])
{
    snprintf(text, TEXT, "%s %.2f, %s %.2f", right < 0 ? "left" : "right", fabs(right),
             down < 0 ? "up" : "down", fabs(down));
}

static void print_vectors(const halo_motion_figures *figures)
{
    char direction[TEXT];
    describe_direction(figures->right, figures->down, direction);
    lines_printf("vectors",
                 "%.2f pixels long in the mean, %.2f in the median, %.2f at most; mean vector %s",
                 figures->mean, figures->median, figures->largest, direction);
}

static void print_frames(const facts *f)
{
    const cli_motion_job *job = f->job;
    const halo_png_info *frame = &job->image.info;
    char first[NUMBERED_SIZE], last[NUMBERED_SIZE];
    int64_t begin = job->course.begin;
    lines_printf(
        "frames", "%s to %s: %" PRId64 " x %" PRId64 ", %s, %d bit%s; %" PRId64 " pair%s%s%s",
        motion_frames_name(&job->frames, begin, first),
        motion_frames_name(&job->frames, begin + f->pairs, last), frame->width, frame->height,
        job->image.kind, frame->bits, frame->bits == 1 ? "" : "s", f->pairs,
        f->pairs == 1 ? "" : "s", job->course.ending == COURSE_ENDING_SIGNAL ? ", " : "",
        job->course.ending == COURSE_ENDING_SIGNAL ? course_ending_text(job->course.ending) : "");
}

static void print_found(const facts *f)
{
    const cli_motion_job *job = f->job;
    char empty[TEXT] = "";
    if (f->figures.empty > 0) {
        snprintf(empty, TEXT, "; %" PRId64 " without pixels", f->figures.empty);
    }
    lines_printf("clusters", "%d (weight %g) up to %d pixels away, %s flow%s",
                 halo_motion_clusters(job->motion), weight(job), radius(job), flow_name(job),
                 empty);
    print_vectors(&f->figures);
    lines_printf("difference", "%.2f of %" PRId64 " greys in the mean, where clusters were found",
                 f->figures.difference, job->image.maximum);
}

static void print_beats(const facts *f)
{
    const cli_motion_job *job = f->job;
    const halo_motion_report *motion = halo_motion_reported(job->motion);
    lines_printf("beats", "%" PRId64 " of clustering, %" PRId64 " of master and workers",
                 motion->clustering_beats, motion->beats);
    if (f->all->ranks == 1) {
        return;
    }
    char text[TEXT] = "";
    for (halo_motion_balancer i = 0; i < HALO_MOTION_BALANCERS; i++) {
        size_t used = strlen(text);
        snprintf(text + used, TEXT - used, "%s%s %.4f s", i > 0 ? ", " : "",
                 halo_motion_balancer_name(i), f->predicted[i]);
    }
    const halo_motion_figures *last = &job->figures[f->pairs > 0 ? f->pairs - 1 : 0];
    char predicted[TEXT] = "not predicted: nothing was known before";
    if (last->predicted_seconds > 0) {
        snprintf(predicted, TEXT, "predicted %.4f s", last->predicted_seconds);
    }
    lines_printf("balance", "%s: imbalance (IDC) %.1f %%; the last pair's beats took %.4f s, %s",
                 balancer_name(job), 100 * motion->imbalance, last->seconds, predicted);
    lines_printf("balancers", "with its ranks as they were, that pair would take: %s", text);
}

enum { MOST_RANKS_SHOWN = 32 };

/* What each rank was handed in the last pair, all its beats together. */
static void print_shares(const facts *f)
{
    const halo_motion_report *motion = halo_motion_reported(f->job->motion);
    if (motion->last == NULL || f->all->ranks == 1 ||
        (f->all->ranks > MOST_RANKS_SHOWN && !f->job->arguments->common.verbose)) {
        return;
    }
    printf("\n%8s %9s %9s %12s %12s %12s %12s\n", "rank", "clusters", "share", "computing",
           "transfer", "predicted", "measured");
    for (int r = 0; r < f->all->ranks; r++) {
        halo_motion_load sum = {0};
        int64_t pieces = 0;
        for (int64_t b = 0; b < motion->last_beats; b++) {
            const halo_motion_load *load = &motion->last[b].loads[r];
            sum.clusters += load->clusters;
            sum.pieces += load->pieces;
            sum.compute_seconds += load->compute_seconds;
            sum.transfer_seconds += load->transfer_seconds;
            sum.predicted_seconds += load->predicted_seconds;
            for (int i = 0; i < f->all->ranks; i++) {
                pieces += motion->last[b].loads[i].pieces;
            }
        }
        printf("%8d %9" PRId64 " %7.2f %% %10.4f s %10.4f s %10.4f s %10.4f s\n", r, sum.clusters,
               pieces > 0 ? 100 * (double)sum.pieces / (double)pieces : 0, sum.compute_seconds,
               sum.transfer_seconds, sum.predicted_seconds,
               sum.compute_seconds + sum.transfer_seconds);
    }
    printf("%8s shares of the last pair, all its beats together\n", "");
}

static void print_pairs(const facts *f)
{
    const cli_motion_job *job = f->job;
    if (f->pairs < 2 || !job->arguments->common.verbose) {
        return;
    }
    printf("\n%8s %10s %10s %10s %10s %10s %12s\n", "frame", "right", "down", "median", "largest",
           "difference", "seconds");
    for (int64_t i = 0; i < f->pairs; i++) {
        const halo_motion_figures *figures = &job->figures[i];
        printf("%8" PRId64 " %10.3f %10.3f %10.3f %10.3f %10.3f %10.4f s\n",
               job->frames.first + job->course.begin + i, figures->right, figures->down,
               figures->median, figures->largest, figures->difference, figures->seconds);
    }
}

static void print_summary(const void *told)
{
    const facts *f = told;
    const cli_motion_job *job = f->job;
    const motion_arguments *arguments = job->arguments;
    const double *phases = f->all->sum.phases;
    print_frames(f);
    print_found(f);
    print_beats(f);
    lines_printf("speed",
                 f->pixel_nanoseconds < 1000 ? "%.4g ns a pixel and pair (%s)"
                                             : "%.0f ns a pixel and pair (%s)",
                 f->pixel_nanoseconds, halo_motion_reported(job->motion)->instructions);
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
    const char *const written[] = {
        arguments->files[MOTION_FLOW].text, arguments->files[MOTION_VECTORS].text,
        arguments->files[MOTION_ARROWS].text, arguments->saving.checkpoint, arguments->common.json};
    report_print_written(written, sizeof written / sizeof written[0]);
    print_pairs(f);
    print_shares(f);
    report_print_ranks(f->all, arguments->common.verbose);
}

/* ---- JSON -------------------------------------------------------------------------------------
 */

static json_t *json_of_figures(const halo_motion_figures *figures)
{
    return json_pack(
        "{s:f, s:f, s:f, s:f, s:f, s:f, s:I, s:I, s:f, s:f, s:f}", "mean_length_pixels",
        figures->mean, "median_length_pixels", figures->median, "largest_length_pixels",
        figures->largest, "mean_right_pixels", figures->right, "mean_down_pixels", figures->down,
        "mean_difference", figures->difference, "empty_clusters", (json_int_t)figures->empty,
        "beats", (json_int_t)figures->beats, "beats_seconds", figures->seconds, "predicted_seconds",
        figures->predicted_seconds, "imbalance", figures->imbalance);
}

static json_t *json_of_pairs(const facts *f)
{
    const cli_motion_job *job = f->job;
    char name[NUMBERED_SIZE];
    json_t *array = json_array();
    for (int64_t i = 0; i < f->pairs; i++) {
        int64_t index = job->course.begin + i;
        json_t *pair = json_of_figures(&job->figures[i]);
        json_object_set_new(pair, "earlier",
                            report_json_of_name(motion_frames_name(&job->frames, index, name)));
        json_object_set_new(pair, "later",
                            report_json_of_name(motion_frames_name(&job->frames, index + 1, name)));
        json_object_set_new(pair, "number", json_integer(job->frames.first + index));
        json_array_append_new(array, pair);
    }
    return array;
}

static json_t *json_of_loads(const halo_motion_load *loads, int ranks)
{
    json_t *array = json_array();
    for (int r = 0; r < ranks; r++) {
        const halo_motion_load *load = &loads[r];
        json_array_append_new(
            array,
            json_pack("{s:i, s:I, s:I, s:I, s:f, s:f, s:f, s:f, s:f, s:f}", "rank", r, "clusters",
                      (json_int_t)load->clusters, "pixels", (json_int_t)load->pixels, "pieces",
                      (json_int_t)load->pieces, "planned_pieces", load->share, "compute_seconds",
                      load->compute_seconds, "transfer_seconds", load->transfer_seconds,
                      "predicted_seconds", load->predicted_seconds, "fixed_seconds", load->fixed,
                      "seconds_per_piece", load->per_piece));
    }
    return array;
}

/* The last pair's beats, as their balancer saw them and as others would have. */
static json_t *json_of_sharing(const facts *f)
{
    const halo_motion_report *motion = halo_motion_reported(f->job->motion);
    json_t *beats = json_array(), *predicted = json_object();
    for (int64_t b = 0; motion->last != NULL && b < motion->last_beats; b++) {
        const halo_motion_beat *beat = &motion->last[b];
        json_array_append_new(beats,
                              json_pack("{s:s, s:f, s:f, s:f, s:o}", "name", beat->name, "seconds",
                                        beat->seconds, "predicted_seconds", beat->predicted_seconds,
                                        "imbalance", beat->imbalance, "ranks",
                                        json_of_loads(beat->loads, f->all->ranks)));
    }
    for (halo_motion_balancer i = 0; i < HALO_MOTION_BALANCERS; i++) {
        json_object_set_new(predicted, halo_motion_balancer_name(i), json_real(f->predicted[i]));
    }
    return json_pack("{s:s, s:f, s:o, s:o}", "name", balancer_name(f->job), "imbalance",
                     motion->imbalance, "last_pair_would_take_seconds", predicted,
                     "last_pair_beats", beats);
}

static json_t *json_of_facts(const void *told)
{
    const facts *f = told;
    const cli_motion_job *job = f->job;
    const halo_motion_report *motion = halo_motion_reported(job->motion);
    json_t *json = json_pack(
        "{s:s, s:s, s:o, s:i, s:f, s:i, s:s, s:I, s:I, s:s, s:I, s:s, s:f, s:f, s:o, s:o, s:o}",
        "command", "motion", "version", HALOBEAT_VERSION, "image", cli_image_json(&job->image),
        "clusters", halo_motion_clusters(job->motion), "weight", weight(job), "radius_pixels",
        radius(job), "flow", flow_name(job), "pairs", (json_int_t)f->pairs, "clustering_beats",
        (json_int_t)motion->clustering_beats, "instructions", motion->instructions,
        "first_frame_number", (json_int_t)job->frames.first, "ended",
        course_ending_text(job->course.ending), "pairs_seconds", job->pair_seconds,
        "nanoseconds_per_pixel_and_pair", f->pixel_nanoseconds, "vectors",
        json_of_figures(&f->figures), "pair_table", json_of_pairs(f), "sharing",
        json_of_sharing(f));
    json = report_add_json(f->all, json);
    /* No boundary moves, but clusters are shared out. */
    json_object_set_new(json_object_get(json, "balance"), "name", json_string(balancer_name(job)));
    return json;
}

halo_status motion_summary_report(cli_motion_job *job)
{
    const report_manner manner = {
        .gather = gather_facts, .json = json_of_facts, .print = print_summary};
    report_line mine = own_line(job);
    facts f = {.job = job};
    return report_tell(job->balance, &job->arguments->common, &mine, &manner, &f);
}
