#include "app/services/beat_table.h"

#include "app/beats.h"
#include "app/outputs.h"
#include "app/run.h"
#include "app/services/checkpoint.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "core/world/collect.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void app_beat_table_free(app_beat_table *table)
{
    free(table->lines);
    table->lines = NULL;
    table->count = table->room = 0;
}

static int64_t *line_at(const app_beat_table *table, int64_t i)
{
    return table->lines + i * table->column_count;
}

/* A run that ended between two lines has one of its end, which is no line of a longer run. */
static bool is_due(const app_run *run, const app_beat_table *table, int64_t beat)
{
    return beat == run->loop->begun || (beat == run->first_beat && !table->goes_on) ||
           beat % table->every == 0;
}

halo_status app_beat_table_add(const app_run *run, app_beat_table *table, const int64_t *line)
{
    if (table->count > 0 && !is_due(run, table, *line_at(table, table->count - 1))) {
        table->count--;
    }
    HALO_TRY(halo_grow(&table->lines, &table->room, table->count,
                       (size_t)table->column_count * sizeof *line,
                       "a table of beats (--every N makes it shorter)"));
    memcpy(line_at(table, table->count++), line, (size_t)table->column_count * sizeof *line);
    return HALO_OK;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void fill_row(const void *context, int64_t row, halo_table_value *values)
{
    const app_beat_table *table = context;
    for (int i = 0; i < table->column_count; i++) {
        values[i].numerator = line_at(table, row)[i];
    }
}

static halo_status write_lines(app_run *run, const app_beat_table *table, const char *path)
{
    return halo_table_write(run->world, path,
                            &(halo_table){.columns = table->columns,
                                          .column_count = table->column_count,
                                          .rows = table->count,
                                          .row = fill_row,
                                          .context = table});
}

schedule_event app_beat_table_when(const app_run *run, const app_beat_table *table)
{
    return table->path != NULL ? app_checkpoint_when(run) : (schedule_event){0};
}

halo_status app_beat_table_write(app_run *run, app_beat_table *table, const char *path)
{
    bool written =
        app_beat_table_when(run, table).every > 0 && table->written_beat == app_beats_done(run);
    return written ? HALO_OK : write_lines(run, table, path);
}

halo_status app_beat_table_visit(app_run *run, app_beat_table *table)
{
    halo_status status = write_lines(run, table, table->path);
    const char *then = table->fails ? NULL : "it is tried again";
    table->fails = status == HALO_FILE;
    table->written_beat = status == HALO_OK ? app_beats_done(run) : -1;
    return app_survive_for_now(run, status, then);
}

/* ---- going on -------------------------------------------------------------------------------- */

typedef struct {
    const app_run *run;
    app_beat_table *table;
} resumption;

/* A line of the run before: those that this one will compute again are left out. */
static halo_status take_line(void *context, const int64_t *values)
{
    const resumption *r = context;
    bool wanted = *values <= r->run->first_beat &&
                  (is_due(r->run, r->table, *values) || *values == r->run->first_beat);
    return wanted ? app_beat_table_add(r->run, r->table, values) : HALO_OK;
}

/* There is no line after `last`, or none at all (-1). */
static void warn(app_run *run, const char *path, bool there, int64_t last)
{
    if (!there) {
        app_warn(run, "there is no \"%s\" to go on with: it begins %s %" PRId64, path,
                 run->command->beats->counted, run->first_beat);
    } else {
        app_warn(run, "\"%s\" has no lines from %s %" PRId64 " to the checkpoint's %" PRId64, path,
                 run->command->beats->counted + strlen("at "), halo_max(last + 1, run->loop->begun),
                 run->first_beat);
    }
}

/* Local, on rank 0. *there: does it have the line of the beat at which this run begins, or need
 * none? */
static halo_status read_lines(app_run *run, app_beat_table *table, int64_t *there)
{
    int64_t every = table->every;
    bool exists = access(table->path, F_OK) == 0;
    if (exists) {
        resumption r = {run, table};
        HALO_TRY(halo_table_read(table->path, table->columns, table->column_count, take_line, &r));
    }
    int64_t last = table->count > 0 ? *line_at(table, table->count - 1) : -1;
    *there = last >= 0 && last - last % every + every > run->first_beat;
    if (*there == 0) {
        warn(run, table->path, exists, last);
    }
    return HALO_OK;
}

halo_status app_beat_table_resume(app_run *run, app_beat_table *table)
{
    int64_t there = 0;
    if (table->path == NULL || !app_resumes(run)) {
        return HALO_OK;
    }
    halo_status status =
        halo_agree(run->world, app_is_root(run) ? read_lines(run, table, &there) : HALO_OK);
    if (status == HALO_FORMAT) {
        char why[HALO_MESSAGE_SIZE];
        snprintf(why, sizeof why, "%s", halo_last_message());
        return halo_fail(HALO_FORMAT,
                         "--resume cannot go on with the table of %s: %.350s; move it away",
                         table->option, why);
    }
    HALO_TRY(status);
    HALO_TRY(halo_bcast(run->world, &there, sizeof there, 0));
    table->goes_on = there != 0;
    return HALO_OK;
}
