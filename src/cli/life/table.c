#include "io/table/table.h"
#include "app/beats.h"
#include "app/outputs.h"
#include "app/schedule.h"
#include "app/services/checkpoint.h"
#include "base/minmax.h"
#include "cli/life/job.h"
#include "core/world/collect.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* --population: rank 0 keeps the lines until they are written. */

enum { FIRST_ROOM = 1024 };

static const halo_table_column columns[] = {{"generation", HALO_TABLE_INTEGER},
                                            {"population", HALO_TABLE_INTEGER},
                                            {"births", HALO_TABLE_INTEGER},
                                            {"deaths", HALO_TABLE_INTEGER}};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

int64_t life_table_every(const app_run *run)
{
    return halo_max(1, run->arguments->movie.every);
}

/* A run that ended between two lines has one of its end, which is no line of a longer run. */
static bool is_due(const app_run *run, const life_sample *sample)
{
    const life_job *job = run->job;
    return sample->generation == run->loop->begun ||
           (sample->generation == run->first_beat && !job->table_goes_on) ||
           sample->generation % life_table_every(run) == 0;
}

halo_status life_add_sample(app_run *run, const life_sample *sample)
{
    life_job *job = run->job;
    if (job->count > 0 && !is_due(run, &job->samples[job->count - 1])) {
        job->count--;
    }
    if (job->count == job->room) {
        int64_t room = job->room > 0 ? 2 * job->room : FIRST_ROOM;
        life_sample *samples = realloc(job->samples, (size_t)room * sizeof *samples);
        if (samples == NULL) {
            return halo_fail(HALO_MEMORY,
                             "out of memory: a table of more than %" PRId64 " lines; use --every N",
                             job->count);
        }
        job->samples = samples;
        job->room = room;
    }
    job->samples[job->count++] = *sample;
    return HALO_OK;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void sample_row(const void *context, int64_t row, halo_table_value *values)
{
    const life_sample *sample = &((const life_job *)context)->samples[row];
    values[0].numerator = sample->generation;
    values[1].numerator = sample->population;
    values[2].numerator = sample->births;
    values[3].numerator = sample->deaths;
}

static halo_status write_lines(app_run *run, const char *path)
{
    const life_job *job = run->job;
    const halo_table table = {.columns = columns,
                              .column_count = COLUMNS,
                              .rows = job->count,
                              .row = sample_row,
                              .context = job};
    return halo_table_write(run->world, path, &table);
}

/* The last checkpoint may have had it written. */
halo_status life_write_table(app_run *run, const char *path)
{
    const life_job *job = run->job;
    bool written = life_table_when(run).every > 0 && job->table_at == app_beats_done(run);
    return written ? HALO_OK : write_lines(run, path);
}

schedule_event life_table_when(const app_run *run)
{
    return life_asked(run)->population != NULL ? app_checkpoint_when(run) : (schedule_event){0};
}

/* Writes the lines that are due. A failure now is tried again at the end. */
halo_status life_table_visit(app_run *run)
{
    life_job *job = run->job;
    halo_status status = write_lines(run, life_asked(run)->population);
    const char *then = job->table_fails ? NULL : "it is tried again";
    job->table_fails = status == HALO_FILE;
    job->table_at = status == HALO_OK ? app_beats_done(run) : -1;
    return app_survive_for_now(run, status, then);
}

/* ---- going on -------------------------------------------------------------------------------- */

/* A line of the run before: those that this one will compute again are left out. */
static halo_status take_line(void *context, const int64_t *values)
{
    app_run *run = context;
    const life_sample sample = {values[0], values[1], values[2], values[3]};
    bool wanted = sample.generation <= run->first_beat &&
                  (is_due(run, &sample) || sample.generation == run->first_beat);
    return wanted ? life_add_sample(run, &sample) : HALO_OK;
}

/* There is no line after `last`, or none at all (-1). */
static void warn(app_run *run, const char *path, bool there, int64_t last)
{
    if (!there) {
        app_warn(run, "there is no \"%s\" to go on with: it begins at generation %" PRId64, path,
                 run->first_beat);
    } else {
        app_warn(run,
                 "\"%s\" has no lines from generation %" PRId64 " to the checkpoint's %" PRId64,
                 path, halo_max(last + 1, run->loop->begun), run->first_beat);
    }
}

/* Local, on rank 0. *there: does it have the line of the generation at which this run begins, or
 * need none? */
static halo_status read_lines(app_run *run, const char *path, int64_t *there)
{
    const life_job *job = run->job;
    int64_t every = life_table_every(run);
    bool exists = access(path, F_OK) == 0;
    if (exists) {
        HALO_TRY(halo_table_read(path, columns, COLUMNS, take_line, run));
    }
    int64_t last = job->count > 0 ? job->samples[job->count - 1].generation : -1;
    *there = last >= 0 && last - last % every + every > run->first_beat;
    if (*there == 0) {
        warn(run, path, exists, last);
    }
    return HALO_OK;
}

halo_status life_resume_table(app_run *run)
{
    life_job *job = run->job;
    const char *path = life_asked(run)->population;
    int64_t there = 0;
    if (path == NULL || !app_resumes(run)) {
        return HALO_OK;
    }
    bool reads = halo_world_rank(run->world) == 0;
    halo_status status = halo_agree(run->world, reads ? read_lines(run, path, &there) : HALO_OK);
    if (status == HALO_FORMAT) {
        char why[HALO_MESSAGE_SIZE];
        snprintf(why, sizeof why, "%s", halo_last_message());
        return halo_fail(HALO_FORMAT,
                         "--resume cannot go on with the table of --population: %.350s; move it "
                         "away",
                         why);
    }
    HALO_TRY(status);
    HALO_TRY(halo_bcast(run->world, &there, sizeof there, 0));
    job->table_goes_on = there != 0;
    return HALO_OK;
}
