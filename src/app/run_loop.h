#ifndef HALOBEAT_APP_RUN_LOOP_H
#define HALOBEAT_APP_RUN_LOOP_H

#include "app/progress.h"
#include "app/schedule.h"
#include "core/world/world.h"

/* Beats from the first to the last, and what happens in between, for any command that beats. */

/* What happens between beats. */
typedef enum { COURSE_FRAME, COURSE_CHECKPOINT, COURSE_EVENTS } course_event;

/* Why the beats ended. */
#define COURSE_ENDING_LIST(X)            \
    X(NOT_YET, "")                       \
    X(DONE, "all that were asked for")   \
    X(STILL, "nothing changes any more") \
    X(SIGNAL, "stopped by a signal before its end")

typedef enum {
#define COURSE_ENDING_ENUM(code, text) COURSE_ENDING_##code,
    COURSE_ENDING_LIST(COURSE_ENDING_ENUM)
#undef COURSE_ENDING_ENUM
} course_ending;

const char *course_ending_text(course_ending ending);

/* What beats. All are handed the course's context. */
typedef struct {
    halo_status (*advance)(void *context,
                           int64_t beats);              /* collective; at most so many more: fewer
                                                         * if it converges or a rank wishes to stop */
    int64_t (*beats)(const void *context);              /* local, the same on all ranks: done */
    bool (*settled)(const void *context);               /* local, the same on all ranks */
    halo_status (*visit[COURSE_EVENTS])(void *context); /* collective; NULL: nothing to do */
} course_work;

/* To be filled in down to `end`; the rest is how it went. */
typedef struct {
    halo_world *world;
    progress *progress;
    const course_work *work;
    void *context;
    schedule_event events[COURSE_EVENTS];
    int64_t begin, end; /* beats; those that a checkpoint has behind it count */

    course_ending ending;
    int64_t visited[COURSE_EVENTS]; /* the beat each thing last happened at; or -1 */
    double seconds;                 /* in the beats, on this rank */
} cli_course;

/* Local, after each beat. Shows how far it is; true if a signal asks to stop. For halo_beat_options
 * as `watch`, with the course as its context. */
bool course_watch(void *course, int64_t beats, int64_t changed);

/* Collective. All beats, with what happens before the first, in between and after the last. Returns
 * the same status on all ranks, HALO_OK also if a signal stopped it: signals must be caught
 * (app/signals.h). */
halo_status course_run(cli_course *course);

#endif
