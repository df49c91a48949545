#ifndef HALOBEAT_APP_COMMAND_H
#define HALOBEAT_APP_COMMAND_H

#include "app/services/service.h"
#include "core/world/clock.h"
#include "core/world/world.h"

#include <jansson.h>

/* A command as a table: what it takes, what it computes, what it writes and what it reports. The
 * frame (app/frame.h) calls the functions of the table, each with the one structure of the run
 * (app/run.h). Functions that are NULL are not called.
 *
 * All functions are collective and return the same status on all ranks, unless they are called
 * local. What a local function returns, but for `updates`, `stops`, `own` and `facts`, must be the
 * same on all ranks, since all ranks act on it. */

typedef struct app_beats app_beats;
typedef struct app_column app_column;
typedef struct app_files app_files;
typedef struct app_image_options app_image_options;
typedef struct app_line app_line;
typedef struct app_listing app_listing;
typedef struct app_needs app_needs;
typedef struct app_output app_output;
typedef struct app_shots app_shots;
typedef struct app_syntax app_syntax;
typedef struct report_line report_line;

/* A part of the time, as the summary calls it. */
typedef struct {
    const char *name; /* NULL ends a list */
    halo_phase phase; /* HALO_PHASES: the fact NAME_seconds instead, unless that is null */
} app_phase;

typedef struct app_command {
    const app_syntax *syntax; /* its options begin with app_arguments */
    const char *name;         /* in JSON; NULL: that of the syntax */

    /* app_main calls this instead of all that follows, for a command that has to look at its
     * arguments before they can be parsed. Returns the exit status. */
    int (*call)(halo_world *all, int argc, char **argv);
    /* Local, of such a command: app_answer_alone, and *ranks becomes the number of threads that is
     * asked for, or the only one that can be; 0: any. NULL: the syntax says what it takes. */
    int (*answer)(int argc, char **argv, int64_t *ranks);

    size_t job_bytes; /* of the command's own data, which begin as zeroes */
    /* The services that it has, ended by zeroes; NULL: those of the syntax, of which a command that
     * shares it with others may have some only. */
    const app_service_use *services;
    const char *wait; /* how ranks wait, whatever --wait says; or NULL */
    /* The meaning of --wait auto for this command; NULL: the meaning that it has for all others. */
    const char *auto_wait;

    /* The command reads an image. `image_use`, local, says how to read it; it may be NULL.
     * `read` fills in its samples, with app_read_image; NULL: they become field `image_field` of
     * run->beat. */
    bool image;
    bool takes_nodata; /* pixels may be missing; otherwise an image with such is refused */
    int image_field;
    void (*image_use)(const app_run *run, app_image_options *use);
    halo_status (*read)(app_run *run);

    /* Rank 0 has all rows of run->domain, and writes them: run->cuts say so from `create` on. */
    bool root;

    /* Called in this order. All that can be refused is refused before `create`, or by it, since
     * what comes then may replace files and take long. */
    halo_status (*load)(app_run *run); /* before services and files: what they depend on */
    halo_status (*open)(app_run *run); /* other inputs, and checks; services and image are open */
    /* Make run->beat, or what the command has instead: set memory aside, but do not touch it. */
    halo_status (*create)(app_run *run);
    /* Local. The memory that will be taken on top: the run is refused if a host has less of it.
     * NULL: nothing is checked. */
    void (*needs)(const app_run *run, app_needs *needs);
    halo_status (*fill)(app_run *run);  /* the first state, unless a service restores one */
    halo_status (*begin)(app_run *run); /* before the first beat, also after restoring */
    /* How run->beat beats; NULL: `run` does all the computing instead. */
    const app_beats *beats;
    halo_status (*run)(app_run *run);
    halo_status (*end)(app_run *run); /* after the last beat, before the outputs */

    /* Local. Adds words of the command line, besides files and options, that change its results to
     * the options by which a journal tells jobs apart. NULL: there are none. */
    void (*says)(const app_run *run, json_t *options);

    const app_output *outputs; /* ended by one without `phase`; or NULL */

    /* Collective, once services are open: add the files that the run reads or writes and that
     * no option names as they are. All ranks agree on failures. */
    halo_status (*files)(app_run *run, app_files *files);

    /* Text of the unit of an image's tables, with such keys; "" if the options say it. NULL: they
     * have none. */
    const char *unit;

    /* Lines of the summary, behind those of the image: results, and with --verbose how they were
     * computed. */
    const app_line *lines;
    const char *speed;           /* text of the line of speed; NULL: it has only the seconds */
    const app_listing *listings; /* tables of numbers behind the lines, or NULL */
    bool lists_ranks; /* a listing has a row for each rank: leave out the frame's table */
    /* Parts of the line of seconds; NULL: read, distribute, compute, exchange, vote, write. */
    const app_phase *phases;
    report_line (*own)(const app_run *run); /* local: what this rank did; NULL: of run->beat */
    /* Local, on rank 0. The facts to report: a new object, or NULL for want of memory. Facts that
     * only lines need go to `texts`. NULL: the command reports by itself. */
    json_t *(*facts)(app_run *run, json_t *texts);
    /* Local, on rank 0. Pictures for the page that are in no file (app/page/page.h); NULL, or
     * returning NULL: there are none. They belong to the command. */
    const app_shots *(*shots)(const app_run *run);
    halo_status (*show)(app_run *run);    /* between JSON and summary */
    halo_status (*verdict)(app_run *run); /* after the summary: has the run failed? */
    /* Local. Called in any case once there is a job, even if the arguments were refused: members
     * of the job and of the options may still be zero. */
    void (*destroy)(app_run *run);
} app_command;

#endif
