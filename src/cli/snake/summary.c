#include "cli/snake/summary.h"

#include "app/lines.h"
#include "app/report.h"
#include "core/world/collect.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* What both reports tell, on rank 0. */
typedef struct {
    const snake_job *job;
    const report *all;
    halo_snake_progress progress;
    double displacement;      /* pixels from where points began, the mean */
    double area;              /* pixels squared that contours enclose, added up */
    double mean_points;       /* of a contour */
    double point_nanoseconds; /* for a point and beat, all ranks together */
    int64_t *owned;           /* [ranks] points, in the end */
} facts;

static report_line own_line(const snake_job *job)
{
    halo_beat_report beats = halo_snake_reported(job->snake);
    report_line line = report_line_of(&beats, &job->clock);
    const int parts[HALO_AXES] = {halo_world_ranks(job->world), 1, 1};
    report_line_own(&line, job->image.domain.axes, halo_snake_gradient(job->snake)->owned.n, parts);
    line.seconds = job->seconds;
    return line;
}

static double mean_displacement(const snake_job *job)
{
    const halo_contour_point *begun = halo_contours_points(&job->contours);
    int64_t points = halo_contours_point_count(&job->contours);
    double sum = 0;
    for (int64_t i = 0; i < points; i++) {
        sum += hypot(job->places[i].x - begun[i].x, job->places[i].y - begun[i].y);
    }
    return sum / (double)points;
}

static double enclosed_area(const snake_job *job)
{
    int64_t sum = 0;
    for (int64_t c = 0; c < halo_contours_count(&job->contours); c++) {
        sum += halo_contours_double_area(&job->contours, job->places, c);
    }
    return (double)sum / 2;
}

static halo_status gather_facts(void *told, const report *all)
{
    facts *f = told;
    const snake_job *job = f->job;
    double points = (double)f->progress.points;
    int64_t beats = f->progress.beats - job->course.begin;
    f->all = all;
    f->displacement = mean_displacement(job);
    f->area = enclosed_area(job);
    f->mean_points = points / (double)f->progress.contours;
    f->point_nanoseconds = beats > 0 ? 1e9 * job->course.seconds / (points * (double)beats) : 0;
    return HALO_OK;
}

static void print_contours(const facts *f)
{
    const snake_parameters *p = &f->job->arguments->parameters;
    const halo_snake_progress *now = &f->progress;
    lines_printf("contours", "%" PRId64 " of %.4g points%s, which enclose %.10g pixels%s",
                 now->contours, f->mean_points, now->contours > 1 ? " on average" : "", f->area,
                 now->contours > 1 ? " together" : "");
    if (now->collapsed > 0) {
        lines_printf("collapsed",
                     "%" PRId64 " of them: no edge held these; a smaller --floor or "
                     "--sigma, or other beginnings, may",
                     now->collapsed);
    }
    lines_printf("energy",
                 "continuity %g, curvature %g, gradient %g (sigma %g, floor %g); window %" PRId64
                 " x %" PRId64 ", %s",
                 p->alpha, p->beta, p->gamma, p->sigma, p->floor, p->window, p->window, p->order);
    lines_printf("beat", "%" PRId64 ": %s", now->beats, snake_job_ending(f->job));
    lines_printf("moved",
                 "%.4g pixels from where they began on average; in the last beat %" PRId64
                 " of %" PRId64 " points (%.3g %%), %.3g pixels on average",
                 f->displacement, now->moved, now->points,
                 100 * (double)now->moved / (double)now->points, now->distance);
}

static void print_owned(const facts *f)
{
    int64_t least = f->owned[0], most = f->owned[0];
    for (int r = 1; r < f->all->ranks; r++) {
        least = f->owned[r] < least ? f->owned[r] : least;
        most = f->owned[r] > most ? f->owned[r] : most;
    }
    printf("points     %" PRId64 " to %" PRId64 " on a rank in the end\n", least, most);
}

static void print_summary(const void *told)
{
    const facts *f = told;
    const snake_job *job = f->job;
    const snake_arguments *arguments = job->arguments;
    const double *phases = f->all->sum.phases;
    cli_image_print(&job->image);
    print_contours(f);
    lines_printf("speed", "%.4g ns a pixel for the gradient, %.4g ns a point and beat",
                 1e9 * job->field_seconds /
                     ((double)job->image.domain.n[0] * (double)job->image.domain.n[1]),
                 f->point_nanoseconds);
    if (arguments->common.verbose) {
        printf("decoder    %s\n", job->image.decoder);
        print_owned(f);
        report_print_details(f->all);
    }
    report_print_balance(f->all, arguments->common.verbose);
    const report_part parts[] = {
        {"decode", phases[HALO_PHASE_DECODE]},   {"distribute", phases[HALO_PHASE_DISTRIBUTE]},
        {"compute", phases[HALO_PHASE_COMPUTE]}, {"exchange", phases[HALO_PHASE_EXCHANGE]},
        {"vote", phases[HALO_PHASE_VOTE]},       {"merge", phases[HALO_PHASE_MERGE]},
        {"encode", phases[HALO_PHASE_ENCODE]}};
    report_print_seconds(f->all, parts, sizeof parts / sizeof parts[0]);
    const char *const written[] = {
        arguments->output,     arguments->overlay,           arguments->gradient,
        arguments->movie.path, arguments->saving.checkpoint, arguments->common.json};
    report_print_written(written, sizeof written / sizeof written[0]);
    report_print_ranks(f->all, arguments->common.verbose);
}

static json_t *json_of_owned(const facts *f)
{
    json_t *array = json_array();
    for (int r = 0; r < f->all->ranks; r++) {
        json_array_append_new(array, json_integer(f->owned[r]));
    }
    return array;
}

static json_t *json_of_facts(const void *told)
{
    const facts *f = told;
    const snake_job *job = f->job;
    const halo_snake_progress *now = &f->progress;
    json_t *json = json_pack(
        "{s:s, s:s, s:o, s:o, s:I, s:I, s:I, s:I, s:I, s:s, s:b, s:I, s:f, s:f, s:f, s:f, s:f, "
        "s:f, "
        "s:o}",
        "command", "snake", "version", HALOBEAT_VERSION, "image", cli_image_json(&job->image),
        "parameters", snake_checkpoint_parameters(job->given), "contours",
        (json_int_t)now->contours, "collapsed", (json_int_t)now->collapsed, "points",
        (json_int_t)now->points, "beat", (json_int_t)now->beats, "beats_computed",
        (json_int_t)(now->beats - job->course.begin), "ended", snake_job_ending(job), "settled",
        (int)now->settled, "moved_last", (json_int_t)now->moved, "distance_last_pixels",
        now->distance, "mean_displacement_pixels", f->displacement, "enclosed_area_pixels", f->area,
        "beats_seconds", job->course.seconds, "gradient_seconds", job->field_seconds,
        "nanoseconds_per_point_and_beat", f->point_nanoseconds, "points_of_ranks",
        json_of_owned(f));
    return report_add_json(f->all, json);
}

halo_status snake_summary_report(snake_job *job)
{
    const report_manner manner = {
        .gather = gather_facts, .json = json_of_facts, .print = print_summary};
    report_line mine = own_line(job);
    facts f = {.job = job, .progress = snake_job_progress(job)};
    int64_t owned = halo_snake_owned(job->snake);
    f.owned = calloc((size_t)halo_world_ranks(job->world), sizeof *f.owned);
    halo_status status =
        f.owned != NULL ? HALO_OK : halo_fail(HALO_MEMORY, "out of memory: the summary");
    HALO_TRY_OR(done, halo_agree(job->world, status));
    HALO_TRY_OR(done, halo_gather(job->world, &owned, sizeof owned, f.owned));
    status = report_tell(job->balance, &job->arguments->common, &mine, &manner, &f);
done:
    free(f.owned);
    return status;
}
