#ifndef HALOBEAT_APP_RUN_H
#define HALOBEAT_APP_RUN_H

#include "app/balance.h"
#include "app/command.h"
#include "app/service.h"
#include "app/stencil/picture.h"
#include "core/file/checkpoint_store.h"
#include "io/array/array_write.h"

/* A run of a command: all that the frame and the command keep while it goes on. */

struct app_run {
    const app_command *command;
    const char *program;            /* as users call it: "halobeat life" */
    void *context;                  /* what app_main's caller handed over */
    app_options *given;             /* the options that were given, as text */
    void *options;                  /* the command's structure of options */
    const app_arguments *arguments; /* the shared options, which that structure begins with */
    void *job;                      /* the command's own data, job_bytes of them */
    void **states;                  /* of the command's services, in their order */

    halo_world *world;
    app_balance *balance;
    app_image image;
    halo_field *picture; /* the image's samples, if they are kept apart from run->beat; or NULL */
    app_background background; /* the image under drawings, while outputs are written */
    const app_output *output;  /* the one that is being written */
    halo_array_about array;    /* what the file of an array says about it; set by its `prepare` */
    halo_domain domain;
    const halo_kernel *kernel; /* the kernel of run->beat */
    halo_beat *beat;

    stencil_picture_options shown; /* how pictures show run->beat; its range once it is found */
    double shown_range[2];         /* the range of colours of the last picture */
    int64_t shown_nothings; /* cells of the last picture that are no numbers; -1: no picture yet */
    const int64_t *cuts;    /* of the strips that outputs are written by, [ranks + 1]; NULL: those
                             * of run->beat */
    progress progress;
    halo_clock clock; /* reading, pictures, writing; beats have their own */
    double seconds;   /* of the whole run, on this rank */

    int64_t first_beat, last_beat; /* of this run; beats before a checkpoint count */
    int64_t begun_beat;            /* the first beat of all runs that --resume has joined */
    int64_t changed;               /* cells that the last beat changed; -1: there was no beat */
    app_ending ending;
    const char *ended;     /* with APP_OTHERWISE: why, in words */
    bool stop_asked;       /* does a rank ask to stop? */
    double beats_seconds;  /* spent in the beats, on this rank */
    bool lost;             /* has something that was asked for not been written? */
    uint64_t lost_outputs; /* which of the command's outputs that is true of, a bit each */
    schedule_event schedule[APP_EVENTS];
    int64_t visited[APP_EVENTS]; /* the beat at which each event last happened, or -1 */

    const report *report; /* while it reports */
    json_t *warnings;     /* on rank 0: texts of app_warn, an array; or NULL */
};

/* Local. Warn of something that ends nothing, by printf's rules: a line on stderr, now, and in the
 * reports. Of rank 0 only; others are silent. */
void app_warn(app_run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Local. Was the option of `field` given? */
bool app_was_given(const app_run *run, const void *field);

/* Collective. Read the image into `into`, this rank's strip of it by `cuts`; is it that of the
 * checkpoint? */
halo_status app_read_image(app_run *run, const int64_t *cuts, const halo_view *into,
                           halo_rows_sink *watch, void *context);

#endif
