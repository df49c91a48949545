#ifndef HALOBEAT_APP_BEATS_H
#define HALOBEAT_APP_BEATS_H

#include "app/options/options.h"
#include "app/schedule.h"
#include "core/beat/beat.h"

/* The beats of a run: what a command says of its own, events between them, and why they ended. */

typedef struct app_run app_run;

/* Something that happens between beats. */
typedef struct app_event {
    schedule_event (*when)(const app_run *run); /* local, before the beats: at which of them */
    halo_status (*visit)(app_run *run);         /* do it */
    bool (*due)(const app_run *run); /* local: also now, whatever the schedule says; or NULL */
} app_event;

enum { APP_EVENTS = 8 }; /* at most, of a command; more are a failure */

/* How ranks spent their time in the beats is reported as the share of computing, of waiting, and of
 * exchanging (votes included) or, of kernels whose cells have no neighbours, of voting. */
typedef enum { APP_NO_SHARES, APP_EXCHANGING, APP_VOTING } app_shares;

typedef struct app_beats {
    const char *phase;   /* of the progress line: "computing" */
    const char *counted; /* what a signal interrupted: "at beat" */
    const char *update;  /* what a beat updates, for speed: "pixel"; NULL: the command reports its
                          * speed itself */
    bool endless;        /* --until steady without --beats has no last beat */
    app_shares shares;
    int64_t (*updates)(const app_run *run); /* local: of a beat; NULL: one for each cell */
    /* Run up to `beats` more beats; fewer once it is settled or a rank asks to stop (app_watch).
     * NULL: run->beat does. */
    halo_status (*advance)(app_run *run, int64_t beats);
    int64_t (*count)(const app_run *run);      /* local: beats done; NULL: of run->beat */
    bool (*settled)(const app_run *run);       /* local: is it steady? NULL: that run->beat has
                                                * converged, if there is one */
    bool (*stops)(const app_run *run);         /* local: does this rank ask to stop, signals apart?
                                                * run->loop->stop_requested becomes true on all ranks if one
                                                * does, but that alone ends nothing */
    const char *(*ending)(const app_run *run); /* local: once settled, in words; NULL or returning
                                                * NULL: "nothing changes any more" */
    const app_event *events;                   /* ended by one without `visit`, and with those of
                                                * the services among them; NULL: these alone */
} app_beats;

/* Why the beats ended. */
typedef enum { APP_NOT_YET, APP_DONE, APP_STEADY, APP_SIGNAL, APP_OTHERWISE } app_ending;

/* The beats of a run while they go on. */
typedef struct app_loop {
    int64_t begun;   /* the first beat of all runs that --resume has joined; -1: not known yet */
    int64_t changed; /* cells that the last beat changed; -1: there was no beat */
    app_ending ending;
    const char *ended;   /* with APP_OTHERWISE: why, in words */
    bool stop_requested; /* does a rank ask to stop? */
    double seconds;      /* spent in the beats, on this rank */
    schedule_event schedule[APP_EVENTS];
    int64_t visited[APP_EVENTS]; /* the beat at which each event last happened, or -1 */
} app_loop;

/* Collective. Make run->beat, as the arguments say; `kernel` must outlive it. HALO_MEMORY, and as
 * halo_beat_create. app_create_strips cuts run->domain into strips of equal height, which are at
 * least as high as halos are deep: if the domain has too few rows, some ranks own nothing. Of
 * `options`, only kernel_options, async, beats_per_exchange and change_threshold are read.
 * app_create_blocks cuts it as --decomposition says, with the depth of --halo-depth. */
halo_status app_create_strips(app_run *run, const halo_kernel *kernel,
                              const halo_beat_options *options);
halo_status app_create_blocks(app_run *run, const halo_kernel *kernel,
                              const halo_beat_options *options);

/* Local. For halo_beat_options.watch, with the run as context: shows progress and remembers what
 * changed. True if this rank asks to stop. */
bool app_watch(void *context, int64_t beats, int64_t changed);

/* Local, the same on all ranks. The beats end here, because of what `text` says. */
void app_end_beats(app_run *run, const char *text);

/* Collective. Beats from run->first_beat to run->last_beat with these events in between; NULL:
 * those of the command's services. */
halo_status app_run_beats(app_run *run, const app_event *events);

/* Local. Beats done, those before a checkpoint included. */
int64_t app_beats_done(const app_run *run);

/* Local. Why the beats ended, in words. */
const char *app_ending_text(const app_run *run);

#endif
