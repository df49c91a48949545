#include "app/stencil/log.h"
#include "app/services/movie.h"

#include "app/beats.h"
#include "app/outputs.h"
#include "app/paths/append.h"
#include "app/schedule.h"
#include "app/services/checkpoint.h"
#include "app/stencil/cells.h"
#include "app/stencil/stencil.h"
#include "base/exact_sum.h"
#include "base/memory.h"
#include "base/standard.h"
#include "core/move/redistribute.h"
#include "core/world/collect.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *path_of(const app_run *run)
{
    return ((const stencil_options *)run->options)->log;
}

static int field_of(const app_run *run)
{
    return (int)((const stencil_options *)run->options)->field;
}

static stencil_log *log_of(const app_run *run)
{
    return &((stencil_job *)run->job)->log;
}

/* ---- cells of a beat before ------------------------------------------------------------------ */

static void drop_before(stencil_log *log)
{
    halo_field_destroy(&log->before);
    halo_partition_free(&log->cuts);
    log->beat = -1;
}

static halo_status make_before(const app_run *run, stencil_log *log)
{
    const halo_partition *now = halo_beat_partition(run->beat);
    if (log->before != NULL && halo_partition_equal(&log->cuts, now)) {
        return HALO_OK;
    }
    drop_before(log);
    const halo_view *view = halo_beat_view(run->beat, field_of(run));
    HALO_TRY(halo_field_create(&log->before, &run->domain, &view->owned, view->cell_bits, 0));
    return halo_partition_copy(&log->cuts, now);
}

/* Local. */
static halo_status remember(const app_run *run)
{
    stencil_log *log = log_of(run);
    HALO_TRY(make_before(run, log));
    halo_view_copy(halo_field_view(log->before), halo_beat_view(run->beat, field_of(run)));
    log->beat = app_beats_done(run);
    return HALO_OK;
}

/* Collective. Boundaries may have moved since then. */
static halo_status follow(app_run *run)
{
    stencil_log *log = log_of(run);
    const halo_partition *now = halo_beat_partition(run->beat);
    halo_partition cuts = {0};
    if (halo_partition_equal(&log->cuts, now)) {
        return HALO_OK;
    }
    halo_status status = halo_agree(run->world, halo_partition_copy(&cuts, now));
    HALO_TRY_OR(failed, status);
    status = halo_field_replace(run->world, &log->before, &log->cuts, &cuts, 0,
                                &(halo_field_options){0}, &run->clock);
    HALO_TRY_OR(failed, status);
    halo_partition_free(&log->cuts);
    log->cuts = cuts;
    return HALO_OK;
failed:
    halo_partition_free(&cuts);
    return status;
}

/* ---- statistics ------------------------------------------------------------------------------ */

/* Sums over cells that are finite numbers. */
typedef struct {
    double min, max, change;
    int64_t numbers, others;
    uint64_t sum[HALO_SUM_MAX_WORDS];
} statistics;

/* Compares and does not call fmin and fmax, so that the compiler can use vectors. */
static void add_row(statistics *s, const double *now, const double *before, int64_t count)
{
    double min = s->min, max = s->max, change = s->change;
    int64_t numbers = 0;
    for (int64_t x = 0; x < count; x++) {
        bool is = isfinite(now[x]);
        double number = now[x] + 0.; /* which of 0 and -0 is less depends on who comes first */
        numbers += is;
        min = is && number < min ? number : min;
        max = is && number > max ? number : max;
    }
    for (int64_t x = 0; x < count && before != NULL; x++) {
        double by = fabs(now[x] - before[x]);
        change = isfinite(now[x]) && isfinite(before[x]) && by > change ? by : change;
    }
    halo_sum_add_doubles(s->sum, now, count);
    s->min = min;
    s->max = max;
    s->change = change;
    s->numbers += numbers;
    s->others += count - numbers;
}

static halo_status find_own(const app_run *run, bool changes, statistics *s)
{
    const halo_sample_type type = stencil_cells_type(run->kernel, field_of(run));
    const halo_view *now = halo_beat_view(run->beat, field_of(run));
    const halo_view *before = changes ? halo_field_view(log_of(run)->before) : NULL;
    int64_t cells = now->owned.n[now->axes - 1];
    void *room;
    HALO_TRY(
        halo_memory_create(&room, 2 * ((size_t)cells + 1) * sizeof(double), "two rows of numbers"));
    double *numbers = room, *others = numbers + cells;
    for (int64_t i = 0; i < halo_view_rows(now); i++) {
        halo_sample_to_doubles(type, halo_view_row(now, i), 0, cells, numbers);
        if (changes) {
            halo_sample_to_doubles(type, halo_view_row(before, i), 0, cells, others);
        }
        add_row(s, numbers, changes ? others : NULL, cells);
    }
    halo_memory_free(room);
    return HALO_OK;
}

/* Collective. *all is that of all ranks, on rank 0: sums are exact, so that their order does not
 * count. */
static halo_status find_statistics(const app_run *run, bool changes, statistics *all)
{
    int ranks = halo_world_ranks(run->world);
    statistics own = {.min = INFINITY, .max = -INFINITY}, *each;
    halo_status status = HALO_ALLOCATE(each, ranks, "statistics of cells");
    HALO_IF_OK(status, find_own(run, changes, &own));
    HALO_TRY_OR(done, halo_agree(run->world, status));
    HALO_TRY_OR(done, halo_gather(run->world, &own, sizeof own, each));
    *all = each[0];
    for (int r = 1; app_is_root(run) && r < ranks; r++) {
        all->min = fmin(all->min, each[r].min);
        all->max = fmax(all->max, each[r].max);
        all->change = fmax(all->change, each[r].change);
        all->numbers += each[r].numbers;
        all->others += each[r].others;
        halo_sum_join(all->sum, each[r].sum, HALO_SUM_MAX_WORDS);
    }
done:
    free(each);
    return status;
}

/* ---- the file -------------------------------------------------------------------------------- */

static halo_status put(const app_run *run, const char *text)
{
    stencil_log *log = log_of(run);
    if (log->file == NULL) {
        return halo_standard_output_write(text, strlen(text));
    }
    HALO_FAIL_IF(fputs(text, log->file) < 0 || fflush(log->file) != 0, HALO_FILE,
                 "the log \"%s\" cannot be written: %s", path_of(run), strerror(errno));
    return HALO_OK;
}

static halo_status put_line(const app_run *run, const statistics *s, bool changes)
{
    enum { NUMBER = 40 };
    char text[256], change[NUMBER] = "";
    int64_t beat = app_beats_done(run);
    if (s->numbers == 0) {
        snprintf(text, sizeof text, "%" PRId64 ",,,,,%" PRId64 "\n", beat, s->others);
        return put(run, text);
    }
    if (changes) {
        snprintf(change, sizeof change, "%.17g", s->change);
    }
    snprintf(text, sizeof text, "%" PRId64 ",%.17g,%.17g,%.17g,%s,%" PRId64 "\n", beat, s->min,
             s->max, halo_sum_mean(s->sum, halo_sum_of_doubles, s->numbers), change, s->others);
    return put(run, text);
}

static const char heading[] = "beat,min,max,mean,change,not_finite\n";

static bool is_heading(const char *line)
{
    return strcmp(line, heading) == 0;
}

/* A run from a checkpoint appends to the log of the run before; of standard output, only a resumed
 * run knows that it is there. */
static halo_status open_file(app_run *run)
{
    stencil_log *log = log_of(run);
    const char *path = path_of(run);
    bool later = app_resumes(run) && run->first_beat > run->loop->begun;
    if (!app_is_root(run)) {
        return HALO_OK;
    }
    log->goes_on = later;
    if (!halo_is_standard(path)) {
        const app_log_options options = {
            .noun = "log",
            .begins = is_heading,
            .continues = later || app_checkpoint_arguments(run)->restore != NULL,
            .first = run->first_beat};
        HALO_TRY(app_log_open(&log->file, path, &options, &log->goes_on));
    }
    return log->goes_on ? HALO_OK : put(run, heading);
}

halo_status stencil_log_open(app_run *run)
{
    log_of(run)->beat = -1;
    if (path_of(run) == NULL) {
        return HALO_OK;
    }
    HALO_FAIL_IF(stencil_cells_type(run->kernel, field_of(run)) == STENCIL_BYTES, HALO_ARGUMENT,
                 "cells of %d bits are no numbers; leave --log out",
                 run->kernel->cell_bits[field_of(run)]);
    HALO_TRY(halo_agree(run->world, open_file(run)));
    return halo_bcast(run->world, &log_of(run)->goes_on, sizeof(bool), 0);
}

void stencil_log_close(stencil_log *log)
{
    drop_before(log);
    if (log->file != NULL) {
        fclose(log->file);
        log->file = NULL;
    }
}

/* ---- between beats --------------------------------------------------------------------------- */

schedule_event stencil_log_when(const app_run *run)
{
    int64_t every = app_movie_arguments(run)->every;
    return (schedule_event){
        .every = path_of(run) == NULL ? 0
                 : every > 0          ? every
                                      : schedule_pictures_every(run->last_beat - run->loop->begun),
        .end = true};
}

halo_status stencil_log_visit(app_run *run)
{
    stencil_log *log = log_of(run);
    statistics all;
    int64_t beat = app_beats_done(run);
    bool changes = log->beat >= 0 && log->beat == beat - 1;
    if (log->failed || (log->goes_on && beat == run->first_beat)) {
        return HALO_OK; /* that line is there */
    }
    HALO_TRY(changes ? follow(run) : HALO_OK);
    HALO_TRY(find_statistics(run, changes, &all));
    halo_status status = app_is_root(run) ? put_line(run, &all, changes) : HALO_OK;
    status = halo_agree(run->world, status);
    log->failed = status == HALO_FILE;
    return app_survive(run, status, "no more lines are logged");
}

static halo_status remember_and_run(app_run *run)
{
    HALO_TRY(halo_agree(run->world, remember(run)));
    return halo_beat_run(run->beat, 1);
}

static bool has_converged(const app_run *run)
{
    return halo_beat_get_report(run->beat).converged;
}

halo_status stencil_log_advance(app_run *run, int64_t beats)
{
    const schedule_event event = stencil_log_when(run);
    int64_t now = app_beats_done(run), end = now + beats;
    if (event.every > 0 && run->kernel->single) { /* any beat may be the last one */
        for (int64_t i = 0; i < beats && !(i > 0 && has_converged(run)); i++) {
            HALO_TRY(remember_and_run(run));
        }
        return HALO_OK;
    }
    if (event.every == 0 || (end % event.every != 0 && end != run->last_beat)) {
        return halo_beat_run(run->beat, beats);
    }
    if (beats > 1) {
        HALO_TRY(halo_beat_run(run->beat, beats - 1));
        if (app_beats_done(run) < end - 1 || has_converged(run)) {
            return HALO_OK;
        }
    }
    return remember_and_run(run);
}
