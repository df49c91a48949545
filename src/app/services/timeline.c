#include "app/outputs.h"
#include "app/services/tasks.h"
#include "base/minmax.h"
#include "base/names.h"
#include "io/table/table.h"

#include <inttypes.h>
#include <stdio.h>

/* Who did what when: a bar for each stretch of a rank's work. */

/* ---- a table --------------------------------------------------------------------------------- */

static const halo_table_column columns[] = {
    {"rank", HALO_TABLE_INTEGER},        {"first_task", HALO_TABLE_INTEGER},
    {"tasks", HALO_TABLE_INTEGER},       {"begun_seconds", HALO_TABLE_RATIO},
    {"ended_seconds", HALO_TABLE_RATIO}, {"again", HALO_TABLE_INTEGER}};

static halo_table_value seconds_value(double seconds)
{
    static const int64_t billion = 1000000000;
    return (halo_table_value){(int64_t)(seconds * (double)billion), billion};
}

static void fill_row(const void *context, int64_t row, halo_table_value *values)
{
    const halo_tasks_event *event = &((const halo_tasks_report *)context)->event[row];
    values[0] = (halo_table_value){event->rank, 1};
    values[1] = (halo_table_value){event->lo, 1};
    values[2] = (halo_table_value){event->hi - event->lo, 1};
    values[3] = seconds_value(event->begun);
    values[4] = seconds_value(event->ended);
    values[5] = (halo_table_value){event->again, 1};
}

static halo_status write_table(halo_world *world, const char *path, const halo_tasks_report *done)
{
    const halo_table table = {.columns = columns,
                              .column_count = (int)(sizeof columns / sizeof *columns),
                              .rows = halo_world_rank(world) == 0 ? done->events : 0,
                              .row = fill_row,
                              .context = done};
    return halo_table_write(world, path, &table);
}

/* ---- a picture ------------------------------------------------------------------------------- */

enum {
    WIDTH = 1400,
    HEIGHT_OF_AXES = 140,
    HEIGHT_OF_RANK = 40,
    MAX_HEIGHT = 4000,
    MIN_HEIGHT = 300
};

#define BARS(kind, colour, title)                                                                  \
    " $events using ($4==" kind "?$1:1/0):3:1:2:($3-.38):($3+.38) with boxxyerror lc rgb '" colour \
    "' " title

/* Bars of a rank that follow each other have two shades in turn, so that it is seen where one ends:
 * there may be no room for a line between them. Events are by rank and time. */
static halo_status write_script(FILE *to, const void *context)
{
    const halo_tasks_report *done = context;
    int shade = 0;
    fputs("$events << EOD\n", to);
    for (int64_t i = 0; i < done->events; i++) {
        const halo_tasks_event *e = &done->event[i];
        shade = i > 0 && e->rank == e[-1].rank ? 1 - shade : 0;
        fprintf(to, "%.6f %.6f %d %d\n", e->begun, e->ended, e->rank, 2 * e->again + shade);
    }
    fprintf(
        to,
        "EOD\n"
        "set title '%" PRId64 " tasks on %d rank%s: %.4g s, load imbalance (IDC) %.1f %%'\n"
        "set xlabel 'seconds'\nset ylabel 'rank'\nset yrange [%d.5:-.5]\nset ytics 1\n"
        "set xrange [0:%.6f]\nset style fill solid .8 border lc rgb 'white'\n"
        "set key outside bottom horizontal\n"
        "plot" BARS("0", "#2f86d6", "title 'tasks'") "," BARS("1", "#8fc1ef", "notitle") "," BARS(
            "2", "#ff9d2e", "title 'done again'") "," BARS("3", "#ffd09a", "notitle") "\n",
        done->finished, done->ranks, done->ranks == 1 ? "" : "s", done->seconds,
        100 * done->imbalance, done->ranks - 1, done->seconds > 0 ? 1.01 * done->seconds : 1);
    return HALO_OK;
}

halo_status app_timeline_write(app_run *run, const char *path)
{
    halo_tasks_report done = {0};
    const halo_tasks *tasks = app_tasks_of(run)->tasks;
    if (tasks != NULL) { /* of groups of ranks, the first of each have tasks */
        done = halo_tasks_get_report(tasks);
    }
    int height = HEIGHT_OF_AXES + HEIGHT_OF_RANK * done.ranks;
    height = (int)halo_max(MIN_HEIGHT, halo_min(height, MAX_HEIGHT));
    return halo_name_ends(path, ".csv")
               ? write_table(run->world, path, &done)
               : app_write_plot(run, path, WIDTH, height, write_script, &done);
}
