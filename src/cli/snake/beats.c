#include "app/beats.h"
#include "app/image/image.h"
#include "app/options/kept.h"
#include "app/services/balance.h"
#include "app/services/checkpoint.h"
#include "app/services/memory.h"
#include "base/memory.h"
#include "cli/snake/job.h"
#include "core/world/collect.h"
#include "kernels/snake/snake_field.h"

#include <stdlib.h>
#include <string.h>

/* ---- before the first beat ------------------------------------------------------------------- */

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

halo_status snake_open(app_run *run)
{
    snake_job *job = run->job;
    if (app_restores(run)) {
        return HALO_OK;
    }
    HALO_TRY(snake_make_contours(run, &job->contours));
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
    bool keeps =
        ((const snake_options *)run->options)->overlay != NULL && !run->image->info.colourful;
    needs->computing = gradient;
    needs->writing += keeps ? gradient : gradient - picture;
}

halo_status snake_read(app_run *run)
{
    return app_read_image(run, run->cuts, halo_field_view(run->samples), NULL, NULL);
}

void snake_release_picture(app_run *run)
{
    const snake_options *asked = run->options;
    if (asked->overlay == NULL || run->image->info.colourful) {
        halo_field_destroy(&run->samples);
    }
}

static bool watch(void *context, const halo_snake *snake)
{
    halo_snake_progress now = halo_snake_progressed(snake);
    return app_watch(context, now.beats, now.moved);
}

static halo_status create_snake(app_run *run, halo_field **gradient)
{
    const snake_parameters *parameters = &((const snake_options *)run->options)->parameters;
    snake_job *job = run->job;
    const int64_t *firsts = NULL;
    HALO_TRY(halo_agree(run->world, halo_contours_firsts(&job->contours, &firsts)));
    const halo_snake_contours contours = {.contours = halo_contours_count(&job->contours),
                                          .first = firsts,
                                          .points = &job->places->y};
    const halo_snake_options options = {.alpha = parameters->alpha,
                                        .beta = parameters->beta,
                                        .gamma = parameters->gamma,
                                        .floor = parameters->floor,
                                        .window = (int)parameters->window,
                                        .subpixel = parameters->subpixel,
                                        .step = job->saved.step,
                                        .refined = job->saved.refined,
                                        .hash = job->saved.hash,
                                        .order = parameters->order,
                                        .settled_moved = parameters->stop_moved,
                                        .settled_distance = parameters->stop_distance,
                                        .instructions = run->arguments->common.instructions,
                                        .vote = run->arguments->common.vote,
                                        .balancing = run->balance->balancing,
                                        .first_beat = run->first_beat,
                                        .watch = watch,
                                        .context = run};
    return halo_snake_create(&job->snake, run->world, gradient, run->cuts, &contours, &options);
}

static halo_status seek(app_run *run, const halo_field *gradient)
{
    snake_job *job = run->job;
    HALO_TRY(snake_seek(run, gradient));
    halo_memory_free(job->places);
    job->places = NULL;
    return place_contours(run);
}

halo_status snake_begin(app_run *run)
{
    const snake_options *asked = run->options;
    snake_job *job = run->job;
    const halo_snake_field_options options = {.sigma = asked->parameters.sigma,
                                              .instructions = asked->all.common.instructions};
    halo_field *gradient = NULL;
    double begun = halo_seconds();
    progress_phase(&run->progress, "finding edges");
    halo_status status = halo_snake_field_create(&gradient, run->world, run->samples, run->cuts,
                                                 &options, &run->clock);
    job->gradient_seconds = halo_seconds() - begun;
    if (status == HALO_OK && !app_restores(run)) {
        status = seek(run, gradient);
    }
    if (status == HALO_OK) {
        status = create_snake(run, &gradient);
    }
    halo_field_destroy(&gradient);
    if (asked->all.movie.path == NULL) { /* whose pictures need it once more */
        snake_release_picture(run);
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

typedef struct {
    halo_contour_point now, begun;
    int32_t contour;
} record;

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
    const halo_contours *contours = &job->contours;
    record *rows = records;
    HALO_TRY(snake_collect(run));
    job->saved = snake_progress(run);
    for (int64_t c = 0; c < halo_contours_count(contours); c++) {
        int64_t end = halo_contours_first(contours, c + 1);
        for (int64_t i = halo_contours_first(contours, c); i < end; i++) {
            rows[i] = (record){.now = job->places[i],
                               .begun = halo_contours_points(contours)[i],
                               .contour = (int32_t)c};
        }
    }
    return HALO_OK;
}

static bool is_inside(const app_run *run, const halo_contour_point *place, int64_t unit)
{
    return place->x >= 0 && place->x <= (run->domain.n[1] - 1) * unit && place->y >= 0 &&
           place->y <= (run->domain.n[0] - 1) * unit;
}

/* Contours from 0 on, one after the other, none of too few points. */
static bool are_contours(const app_run *run, const record *records, int64_t count)
{
    int64_t first = 0; /* of the contour of the point at hand */
    for (int64_t i = 0; i < count; i++) {
        const record *row = &records[i];
        bool begins = i == 0 || row->contour != records[i - 1].contour;
        int32_t contour = i == 0 ? 0 : records[i - 1].contour + begins;
        if (row->contour != contour || !is_inside(run, &row->now, snake_unit(run)) ||
            !is_inside(run, &row->begun, 1) || (begins && i > 0 && i - first < SNAKE_MIN_POINTS)) {
            return false;
        }
        first = begins ? i : first;
    }
    return count - first >= SNAKE_MIN_POINTS;
}

static halo_status take_records(const app_run *run, const record *records, int64_t count)
{
    snake_job *job = run->job;
    if (!are_contours(run, records, count)) {
        return halo_fail(HALO_FORMAT,
                         "\"%s\" is a checkpoint whose parts contradict each other, or of another "
                         "version of `halobeat snake`",
                         run->arguments->state.restore);
    }
    for (int64_t i = 0; i < count; i++) {
        if (records[i].contour == halo_contours_count(&job->contours)) {
            HALO_TRY(halo_contours_begin(&job->contours));
        }
        HALO_TRY(halo_contours_add(&job->contours, records[i].begun.x, records[i].begun.y));
    }
    HALO_TRY(create_places(run));
    for (int64_t i = 0; i < count; i++) {
        job->places[i] = records[i].now;
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
                               .record_bytes = sizeof(record),
                               .count = count_points,
                               .store = store,
                               .recall = recall};
