#ifndef HALOBEAT_APP_SERVICES_BEAT_TABLE_H
#define HALOBEAT_APP_SERVICES_BEAT_TABLE_H

#include "app/schedule.h"
#include "io/table/table.h"

/* A table of whole numbers with a line for each of some beats, the beat in its first column. Rank 0
 * keeps the lines until they are written: at the end, and with each checkpoint, so that a run that
 * is resumed goes on with those in the file. */

typedef struct app_run app_run;

/* Zero-initialise it. The caller sets the first members, the same on all ranks. */
typedef struct {
    const halo_table_column *columns; /* [column_count] all HALO_TABLE_INTEGER */
    int column_count;
    const char *path, *option; /* the file, and the option that names it: "--population" */
    int64_t every;             /* beats from line to line, 1 or more */

    int64_t *lines;       /* rank 0: [line_count][column_count] */
    int64_t count, room;  /* of lines */
    bool goes_on;         /* has it the lines of the run before, of --resume? */
    bool fails;           /* it could not be written with the last checkpoint */
    int64_t written_beat; /* the beat at which it last was; or -1 */
} app_beat_table;

/* Local. Frees the lines. */
void app_beat_table_free(app_beat_table *table);

/* Local, on rank 0. Adds a line, [column_count], of a beat after those of all lines. A line of a
 * beat at which a run ended between two lines is replaced. HALO_MEMORY. */
halo_status app_beat_table_add(const app_run *run, app_beat_table *table, const int64_t *line);

/* Collective, before the first beat. With --resume, reads the lines up to the checkpoint, and warns
 * if there are fewer. HALO_FILE, HALO_FORMAT, HALO_MEMORY. */
halo_status app_beat_table_resume(app_run *run, app_beat_table *table);

/* Collective. Writes all lines to `path`, unless the last checkpoint has had that done. HALO_FILE,
 * HALO_MEMORY. */
halo_status app_beat_table_write(app_run *run, app_beat_table *table, const char *path);

/* For an app_event, after which lines of the beat are there: when checkpoints are due (local), and
 * the lines so far written (collective). A failure to write them is tried again at the end. */
schedule_event app_beat_table_when(const app_run *run, const app_beat_table *table);
halo_status app_beat_table_visit(app_run *run, app_beat_table *table);

#endif
