#include "app/beats.h"
#include "app/image/image.h"
#include "app/options/kept.h"
#include "app/services/balance.h"
#include "app/services/checkpoint.h"
#include "app/services/memory.h"
#include "base/memory.h"
#include "cli/snake/job.h"
#include "core/world/collect.h"
#include "io/contour/contours_rows.h"
#include "kernels/snake/seek.h"
#include "kernels/snake/snake_field.h"

#include <stdlib.h>

/* ---- before the first beat ------------------------------------------------------------------- */

static const halo_contours_shapes *inits_of(const app_run *run)
{
    return &((const snake_options *)run->options)->inits;
}

static halo_contours_limits limits_of(const app_run *run)
{
    return (halo_contours_limits){.width = run->domain.n[1],
                                  .height = run->domain.n[0],
                                  .min = SNAKE_MIN_POINTS,
                                  .spacing = ((const snake_options *)run->options)->spacing};
}

/* Room for the place of each of job->contours' points. */
static halo_status create_places(const app_run *run)
{
    snake_job *job = run->job;
    return HALO_ALLOCATE_LARGE(job->places, halo_contours_point_count(&job->contours) + 1,
                               "the points of contours");
}

/* Points are where the contours begin. */
static halo_status place_contours(app_run *run)
{
    snake_job *job = run->job;
    HALO_TRY(halo_agree(run->world, create_places(run)));
    const halo_contour_point *begun = halo_contours_points(&job->contours);
    for (int64_t i = 0; i < halo_contours_point_count(&job->contours); i++) {
        job->places[i] =
            (halo_contour_point){begun[i].y * snake_unit(run), begun[i].x * snake_unit(run)};
    }
    return HALO_OK;
}

/* Rank 0 reads files and computes. */
halo_status snake_open(app_run *run)
{
    snake_job *job = run->job;
    const halo_contours_limits limits = limits_of(run);
    halo_status status = HALO_OK;
    if (app_restores(run)) {
        return HALO_OK;
    }
    if (app_is_root(run)) {
        status = halo_contours_shapes_make(inits_of(run), "--init", &limits, &job->contours,
                                           job->starts);
    }
    HALO_TRY(halo_contours_share(run->world, &job->contours, status));
    return place_contours(run);
}

halo_status snake_create(app_run *run)
{
    snake_job *job = run->job;
    HALO_TRY(halo_agree(run->world, app_image_strips(run->image, 1, &job->strips)));
    run->cuts = job->strips.cuts[0];
    halo_box mine = halo_partition_box(&job->strips, halo_world_rank(run->world));
    return halo_agree(run->world, halo_field_create(&run->samples, &run->domain, &mine,
                                                    run->image->cell_bits, 0));
}

/* The gradient is made of the picture, which is then given back or kept. */
void snake_needs(const app_run *run, app_needs *needs)
{
    const halo_box *mine = &halo_field_view(run->samples)->owned;
    int64_t gradient = halo_snake_field_bytes(mine);
    int64_t picture = mine->n[0] * halo_field_view(run->samples)->stride[0];
    needs->computing = gradient;
    needs->writing += app_samples_are_shown(run) ? gradient : gradient - picture;
}

halo_status snake_read(app_run *run)
{
    return app_read_image(run, run->cuts, halo_field_view(run->samples), NULL, NULL);
}

static bool watch(void *context, const halo_snake *snake)
{
    halo_snake_progress now = halo_snake_progressed(snake);
    return app_watch(context, now.beats, now.moved);
}

static halo_status create_snake(app_run *run, halo_field **gradient)
{
    snake_job *job = run->job;
    const int64_t *firsts = NULL;
    HALO_TRY(halo_agree(run->world, halo_contours_firsts(&job->contours, &firsts)));
    const halo_snake_contours contours = {.contours = halo_contours_count(&job->contours),
                                          .first = firsts,
                                          .points = &job->places->y};
    halo_snake_options options = ((const snake_options *)run->options)->snake;
    options.step = job->saved.step;
    options.refined = job->saved.refined;
    options.hash = job->saved.hash;
    options.instructions = run->arguments->common.instructions;
    options.vote = run->arguments->common.vote;
    options.balancing = app_balancing_of(run);
    options.first_beat = run->first_beat;
    options.watch = watch;
    options.context = run;
    return halo_snake_create(&job->snake, run->world, gradient, run->cuts, &contours, &options);
}

/* ---- seeking: circles of grids move to what is round around them ----------------------------- */

/* Contours begin that much outside of what was found, in 256ths of the radius. */
enum { SEEK_MARGIN = HALO_SNAKE_SEEK_UNIT / 10 };

_Static_assert((int)HALO_CONTOURS_CIRCLE_UNIT == (int)HALO_SNAKE_SEEK_UNIT, "units of circles");

static halo_status seek_circles(app_run *run, const halo_field *gradient,
                                halo_contours_circle *circles, int64_t count)
{
    halo_snake_circle *found;
    halo_status status = HALO_ALLOCATE(found, count, "circles");
    HALO_TRY_OR(done, halo_agree(run->world, status));
    for (int64_t i = 0; i < count; i++) {
        found[i] = (halo_snake_circle){circles[i].x, circles[i].y, circles[i].radius};
    }
    status = halo_snake_seek(run->world, halo_field_view(gradient), &run->domain, SEEK_MARGIN,
                             found, count);
    for (int64_t i = 0; i < count; i++) {
        circles[i] = (halo_contours_circle){found[i].x, found[i].y, found[i].radius};
    }
done:
    free(found);
    return status;
}

/* Makes the contours anew: they may have other numbers of points. */
static halo_status move_contours(app_run *run, const halo_contours_circle *circles)
{
    snake_job *job = run->job;
    const halo_contours_limits limits = limits_of(run);
    halo_contours moved = {0};
    halo_status status = HALO_OK;
    if (app_is_root(run)) {
        status =
            halo_contours_shapes_move(inits_of(run), "--init", &limits, &job->contours, job->starts,
                                      circles, (double)SEEK_MARGIN / HALO_SNAKE_SEEK_UNIT, &moved);
    }
    status = halo_contours_share(run->world, &moved, status);
    if (status != HALO_OK) {
        halo_contours_free(&moved);
        return status;
    }
    halo_contours_free(&job->contours);
    halo_memory_free(job->places);
    job->contours = moved;
    job->places = NULL;
    return place_contours(run);
}

static halo_status seek(app_run *run, const halo_field *gradient)
{
    const halo_contours_limits limits = limits_of(run);
    int64_t count = halo_contours_shapes_cells(inits_of(run));
    halo_contours_circle *circles;
    if (count == 0 || ((const snake_options *)run->options)->seek == SNAKE_SEEK_NOTHING) {
        return HALO_OK;
    }
    halo_status status = HALO_ALLOCATE(circles, count, "circles");
    HALO_TRY_OR(done, halo_agree(run->world, status));
    halo_contours_shapes_circles(inits_of(run), &limits, circles);
    HALO_TRY_OR(done, seek_circles(run, gradient, circles, count));
    status = move_contours(run, circles);
done:
    free(circles);
    return status;
}

/* ---------------------------------------------------------------------------------------------- */

halo_status snake_begin(app_run *run)
{
    const snake_options *given = run->options;
    snake_job *job = run->job;
    const halo_snake_field_options options = {.sigma = given->sigma,
                                              .instructions = given->all.common.instructions};
    halo_field *gradient = NULL;
    double begun = halo_seconds();
    progress_phase(&run->progress, "finding edges");
    halo_status status = halo_snake_field_create(&gradient, run->world, run->samples, run->cuts,
                                                 &options, &run->clock);
    job->gradient_seconds = halo_seconds() - begun;
    if (status == HALO_OK && !app_restores(run)) {
        status = seek(run, gradient);
    }
    HALO_IF_OK(status, create_snake(run, &gradient));
    halo_field_destroy(&gradient);
    if (app_movie_arguments(run)->path == NULL) { /* whose pictures need it once more */
        app_release_samples(run);
    }
    return status;
}

/* ---- beats ----------------------------------------------------------------------------------- */

halo_snake_progress snake_progress(const app_run *run)
{
    const snake_job *job = run->job;
    halo_snake_progress now = halo_snake_progressed(job->snake);
    if (now.beats == run->first_beat) {
        now.moved = job->saved.moved;
        now.distance = job->saved.distance;
        now.settled = job->saved.settled;
        now.oscillates = job->saved.oscillates;
    }
    return now;
}

static int64_t count_points(const app_run *run)
{
    return halo_contours_point_count(&((const snake_job *)run->job)->contours);
}

static halo_status advance(app_run *run, int64_t beats)
{
    return halo_snake_run(((snake_job *)run->job)->snake, beats);
}

static int64_t count_beats(const app_run *run)
{
    return snake_progress(run).beats;
}

static bool has_settled(const app_run *run)
{
    return snake_progress(run).settled;
}

static const char *ending(const app_run *run)
{
    halo_snake_progress now = snake_progress(run);
    return now.oscillates        ? "settled, points only oscillate"
           : now.moved == 0      ? "settled, no point moves any more"
           : snake_unit(run) > 1 ? "settled, and refined to 16ths of a pixel"
                                 : "settled, few points still move";
}

const app_beats snake_beats = {.phase = "moving contours",
                               .counted = "at beat",
                               .update = "point",
                               .updates = count_points,
                               .advance = advance,
                               .count = count_beats,
                               .settled = has_settled,
                               .ending = ending};

halo_status snake_collect(app_run *run)
{
    snake_job *job = run->job;
    halo_stretch stretch = halo_clock_begin(run->world);
    halo_status status = halo_snake_collect(job->snake, &job->places->y);
    halo_clock_end(&run->clock, HALO_PHASE_MERGE, stretch, run->world);
    return status;
}

halo_status snake_end(app_run *run)
{
    snake_job *job = run->job;
    int64_t owned = halo_snake_owned(job->snake);
    HALO_TRY(halo_agree(run->world,
                        HALO_ALLOCATE(job->owned, halo_world_ranks(run->world), "the summary")));
    HALO_TRY(halo_gather(run->world, &owned, sizeof owned, job->owned));
    return snake_collect(run);
}

void snake_destroy(app_run *run)
{
    snake_job *job = run->job;
    halo_snake_destroy(&job->snake);
    halo_partition_free(&job->strips);
    halo_contours_free(&job->contours);
    halo_memory_free(job->places);
    free(job->owned);
}

/* ---- checkpoints: a row for each point ------------------------------------------------------- */

#define KEPT(key, kind, member) APP_KEPT_ROW(snake_job, key, kind, saved.member)
static const app_kept kept[] = {
    {KEPT("settled", FLAG, settled)},
    {KEPT("moved", INTEGER, moved)},
    {KEPT("distance_pixels", REAL, distance)},
    {KEPT("step", INTEGER, step), .row.min = 1, .row.max = HALO_SNAKE_SUBPIXELS},
    {KEPT("refined_beats", INTEGER, refined)},
    {KEPT("hash", INTEGER, hash), .row.max = APP_KEPT_CELLS},
    {KEPT("oscillates", FLAG, oscillates)},
    {.max = 0}};
#undef KEPT

static halo_status store(app_run *run, void *records)
{
    snake_job *job = run->job;
    HALO_TRY(snake_collect(run));
    job->saved = snake_progress(run);
    halo_contours_rows_make(&job->contours, job->places, records);
    return HALO_OK;
}

static halo_status take_records(const app_run *run, const halo_contours_row *rows, int64_t count)
{
    snake_job *job = run->job;
    const halo_contours_limits limits = limits_of(run);
    HALO_FAIL_IF(!halo_contours_rows_are_valid(rows, count, &limits, snake_unit(run)), HALO_FORMAT,
                 "\"%s\" is a checkpoint whose parts contradict each other, or of another version "
                 "of `halobeat snake`",
                 app_checkpoint_arguments(run)->restore);
    HALO_TRY(halo_contours_rows_take(rows, count, &job->contours));
    HALO_TRY(create_places(run));
    for (int64_t i = 0; i < count; i++) {
        job->places[i] = rows[i].now;
    }
    return HALO_OK;
}

static halo_status recall(app_run *run, const void *records, int64_t count)
{
    return halo_agree(run->world, take_records(run, records, count));
}

const app_state snake_state = {.image = "picture",
                               .options = "parameters",
                               .kept = kept,
                               .record_bytes = sizeof(halo_contours_row),
                               .count = count_points,
                               .store = store,
                               .recall = recall};
