#ifndef HALOBEAT_CLI_LIFE_JOB_H
#define HALOBEAT_CLI_LIFE_JOB_H

#include "app/outputs.h"
#include "app/report/facts.h"
#include "app/run.h"
#include "app/schedule.h"
#include "app/services/beat_table.h"
#include "app/services/checkpoint.h"
#include "app/services/dots.h"
#include "app/services/movie.h"
#include "app/services/screen.h"
#include "io/canvas/picture.h"
#include "io/cells/cells.h"
#include "kernels/life/life_part.h"
#include "kernels/life/life_topology.h"

/* ---- what is asked for ----------------------------------------------------------------------- */

/* A file, or soup:WxH:DENSITY[:SEED]. */
typedef struct {
    const char *text; /* as it was given; NULL: it was not */
    const char *path; /* of a file; NULL: it is a soup, of */
    int64_t n[HALO_LIFE_AXES];
    double density;
    uint64_t seed;
} life_pattern;

/* The part of the grid that pictures show. */
typedef struct {
    bool all;                   /* the grid, or what is ever alive of a plane */
    halo_picture_window window; /* of no width: none was asked for */
} life_view;

/* Pictures of --frames are called DIR/frame-000100.png. */
#define LIFE_FRAME "frame-"

/* movie_arguments.every is also that of the table, of --frames and of --watch. */
typedef struct {
    app_arguments all;
    life_pattern pattern;
    const char *rule; /* or NULL */
    halo_life_topology topology;
    int64_t size[HALO_LIFE_AXES]; /* 0 if none was asked for */
    int64_t at[HALO_LIFE_AXES];
    const char *output, *population, *frames; /* or NULL */
    int scale;                                /* 0: none was asked for */
    int style;                                /* a halo_picture_style */
    life_view view;
    bool watch;
} life_options;

/* ---- the job --------------------------------------------------------------------------------- */

#define LIFE_PLACE 1099511627776.0 /* 2^40, as in kernels/life: no row or column is further out */

/* The cells at the beginning of a run; the same on all ranks. */
typedef struct {
    const char *kind;      /* "soup", "checkpoint" or the format of the file */
    int cell_bits, states; /* of the pattern's cells */
    halo_life_rule rule;
    halo_life_edge edges[HALO_LIFE_AXES];
    halo_life_box box;         /* of the grid, and */
    halo_life_box pattern;     /* of the pattern in it */
    halo_cells_reader *reader; /* of the file, on rank 0 */
    /* Generations before those that are counted, in decimal digits: of a pattern whose generation
     * is too large to be counted on from; or "". */
    char earlier[HALO_CELLS_GENERATION + 1];
} life_source;

typedef struct {
    life_source source;
    halo_life *life;
    app_screen screen;
    halo_life_box shown; /* all of a plane that it has shown: it shall not jump to and fro */
    halo_life_part part; /* of the grid, while it is read or written */

    halo_life_census census; /* of generation */
    int64_t census_at;       /* this; -1: none was taken */
    int64_t population;      /* after the last census, or generation counted */
    halo_life_change change; /* of the last generation counted */
    bool counted;            /* is `change` of the generation at hand? */
    app_beat_table table;    /* --population */

    bool has_kept;      /* is there a grid of a period before to compare with? */
    bool looks_ahead;   /* for what is ever alive: */
    halo_life_box seen; /* in this box, at the generations of a movie */

    char memory_message[HALO_MESSAGE_SIZE]; /* of an end for want of memory; "" if it is none */
    char rescue[64]; /* where the state is then saved if nobody asked for a place; "" if not */
} life_job;

/* Local. The digits of earlier generations, or NULL if there are none. */
static inline const char *life_earlier(const life_source *source)
{
    return source->earlier[0] != '\0' ? source->earlier : NULL;
}

/* Local. The options of the run. */
static inline const life_options *life_options_of(const app_run *run)
{
    return run->options;
}

/* ---- source.c: what it begins with, and goes on from ----------------------------------------- */

extern const app_state life_state;

/* Collective. Opens the pattern or soup that a run without a checkpoint begins with, and finds the
 * grid it needs. */
halo_status life_source_open(app_run *run);

/* Collective. Put the pattern into the grid. */
halo_status life_fill(app_run *run);

/* ---- beats.c --------------------------------------------------------------------------------- */

extern const app_beats life_beats;

/* Collective. An empty grid for what it begins with. */
halo_status life_create_grid(app_run *run);

/* Collective. Make job->census that of this generation. */
halo_status life_take_census(app_run *run);

/* For look-aheads, which end with the same generation as the run. The first is collective, the
 * second local. */
halo_status life_look_for_period(app_run *run);
schedule_event life_period_when(const app_run *run);

/* ---- pictures: movie.c ----------------------------------------------------------------------- */

extern const app_drawing life_drawing;

/* Local. In `begun`, what a checkpoint says of the beginning of its run, the cells that pictures
 * show, so that those of a run that is resumed show the same. False for want of memory. */
bool life_keep_view(const app_run *run, json_t *begun);

/* Collective. Show the grid; with --every, not before the last picture has been there for its time.
 * life_show_end shows it after the last beat, where nobody has watched it. */
halo_status life_screen_show(app_run *run);
halo_status life_show_end(app_run *run);

/* ---- results.c: outputs and reports ---------------------------------------------------------- */

extern const app_output life_outputs[];

/* Local, the same on all ranks. Can the format of -o hold what will come? */
halo_status life_output_check(const app_run *run);

/* Local. Cells of the grid; 0 for one that grows. */
double life_count_cells(const life_job *job);

/* The report, as members of app_command. */
report_line life_own(const app_run *run);
json_t *life_facts(app_run *run, json_t *texts);
extern const app_line life_lines[];

#endif
