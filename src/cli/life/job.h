#ifndef HALOBEAT_CLI_LIFE_JOB_H
#define HALOBEAT_CLI_LIFE_JOB_H

#include "app/balance.h"
#include "app/schedule.h"
#include "cli/life/movie.h"
#include "cli/life/screen.h"
#include "cli/life/source.h"
#include "cli/life/table.h"

/* `halobeat life` from the pattern to the files. */

/* Why the generations ended. */
#define LIFE_ENDING_LIST(X)                         \
    X(NOT_YET, "")                                  \
    X(DONE, "all that were asked for")              \
    X(STILL, "nothing changes any more")            \
    X(PERIOD, "all is as a period before")          \
    X(SIGNAL, "stopped by a signal before its end") \
    X(MEMORY, "stopped: no memory for a larger grid")

typedef enum {
#define LIFE_ENDING_ENUM(code, text) LIFE_ENDING_##code,
    LIFE_ENDING_LIST(LIFE_ENDING_ENUM)
#undef LIFE_ENDING_ENUM
} life_ending;

/* What happens between generations. They are counted from that of the pattern's file on. */
typedef enum {
    LIFE_SAMPLE,     /* a line of the table */
    LIFE_FRAME,      /* a picture */
    LIFE_SHOW,       /* the overview in the terminal */
    LIFE_CHECKPOINT, /* a state saved */
    LIFE_PERIOD,     /* is all as it was a period before? */
    LIFE_EVENTS
} life_event;

typedef struct {
    halo_world *world;
    cli_balance *balance;
    const app_options *given;
    const life_arguments *arguments;
    life_source source;
    halo_life *life;
    int64_t begin, end; /* first and last generation */
    schedule_event events[LIFE_EVENTS];
    life_table table;
    life_film film;
    life_screen screen;
    progress progress;

    /* How it went. */
    life_ending ending;
    char memory_message[HALO_MESSAGE_SIZE]; /* of LIFE_ENDING_MEMORY */
    char rescue[64]; /* where the state is then saved if nobody asked for a place; empty if not */
    halo_life_census census; /* of the last generation looked at */
    halo_life_change change; /* of the last generation counted */
    bool counted;            /* is `change` of the generation at hand? */
    double run_seconds;      /* in the generations, on this rank */
    int64_t generations;     /* computed in them */
    halo_clock clock;        /* reading, pictures, writing; the engine has its own */
    double seconds;          /* the whole job, on this rank */

    /* While it looks ahead for the box of a film. */
    bool looks_ahead;
    halo_life_box seen;

    bool show_is_old;             /* is it time for another picture in the terminal? */
    bool has_kept;                /* is there a grid of a period before to compare with? */
    int64_t visited[LIFE_EVENTS]; /* the generation each thing last happened at; or -1 */
} cli_life_job;

/* Collective. Returns the same status on all ranks, HALO_OK also if a signal stopped it. `job` must
 * be freed in any case; it refers to all that it is given. */
halo_status cli_life_run(cli_life_job *job, halo_world *world, cli_balance *balance,
                         const app_options *given, const life_arguments *arguments);

/* Local. */
void cli_life_free(cli_life_job *job);

#endif
