#ifndef HALOBEAT_CLI_LIFE_SCREEN_H
#define HALOBEAT_CLI_LIFE_SCREEN_H

#include "base/memory.h"
#include "cli/life/options.h"
#include "kernels/life/life.h"

/* The grid as a small picture in the terminal, drawn over the last one. */
typedef struct {
    halo_world *world;
    const life_arguments *arguments;
    const halo_life_edge *edges;
    int states;
    int64_t last_generation; /* of the run; told with each picture */
    int columns, lines;      /* of the terminal; 0: there is none. The same on all ranks */
    halo_life_box seen;      /* all of a plane that has been shown: it shall not jump to and fro */
    int drawn;               /* lines that the last picture takes */
    double last;             /* seconds when it was drawn */
} life_screen;

/* Collective. Look whether rank 0 has a terminal as standard output. Under mpiexec it is a pipe
 * even when a person watches; a launcher that sees the terminal says so with HALOBEAT_STDOUT_TTY=1,
 * COLUMNS and LINES. HALO_ARGUMENT if --watch was asked for and there is none. */
halo_status life_screen_begin(life_screen *screen, halo_world *world,
                              const life_arguments *arguments, const halo_life_edge *edges,
                              int states);

/* Local. Shall the grid be shown in the end, or all the time? */
bool life_screen_wanted(const life_screen *screen);

/* Local, on rank 0: has it been long enough since the last picture? */
bool life_screen_is_old(const life_screen *screen);

/* Collective. Show the grid, `paced` not before the last picture has been there for its time. */
halo_status life_screen_show(life_screen *screen, halo_life *life, const halo_life_census *census,
                             bool paced);

#endif
