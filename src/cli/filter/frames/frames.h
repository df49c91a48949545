#ifndef HALOBEAT_CLI_FILTER_FRAMES_FRAMES_H
#define HALOBEAT_CLI_FILTER_FRAMES_FRAMES_H

#include "app/services/service.h"
#include "cli/filter/job.h"
#include "io/frames/frames.h"

#include <pthread.h>
#include <stdatomic.h>

/* `halobeat filter - STEP... -o -`: frames from standard input, filtered, to standard output. Each
 * frame is computed by one rank, which reads it, waits until the frames before it are written, and
 * writes it: there are as many frames in memory as ranks. Ranks are threads of one process, which
 * has these pipes. */

/* The service, which runs in place of the frame. */
extern const app_service filter_frames_service;

/* The colours of the frames that are written. */
typedef enum {
    FRAMES_AS_THEY_ARE,
    FRAMES_IN_GREYS,  /* -o -.pgm */
    FRAMES_IN_COLOURS /* -o -.ppm */
} frames_colours;

/* Shared by all ranks. */
typedef struct {
    const app_run *run;
    halo_frames *in;
    halo_frames_writer out;
    frames_colours colours;

    pthread_mutex_t order;   /* of what follows */
    pthread_cond_t turn;     /* `out.written`, `end` or `reading` has changed */
    int64_t end;             /* frames from this one on are not written; INT64_MAX: all are */
    bool reading;            /* by a rank, which alone uses what follows meanwhile */
    int64_t read;            /* frames that were begun */
    bool stopped;            /* by a signal */
    halo_frame_layout first; /* of the first frame that was read, with the type of its result */
} frames_run;

/* ---- pipe.c ---------------------------------------------------------------------------------- */

/* On the rank that reads. True if standard input begins as frames do, or as `raw` says: it is not
 * taken. False where it cannot be looked at without taking it. */
bool frames_are_at_input(const halo_image_raw *raw);

/* As halo_frames_take and halo_frames_put, of standard input and output. After a signal, input ends
 * and output waits for its reader for a second more. A reader that has gone ends the process by
 * SIGPIPE, as it does other programs. */
halo_status frames_take(void *context, void *into, size_t bytes, size_t *got);
halo_status frames_put(void *context, const void *data, size_t bytes);

/* ---- filter.c -------------------------------------------------------------------------------- */

typedef struct frames_filter frames_filter;

/* Local. Creates a rank's filters, once for all frames. HALO_ARGUMENT, HALO_MEMORY. */
halo_status frames_filter_create(frames_filter **out, const frames_run *frames);
void frames_filter_destroy(frames_filter **filter);

/* Local. Filters frame number `number`, from 0, into `out`, whose layout it sets. HALO_ARGUMENT for
 * results that frames of the format cannot have; HALO_MEMORY. */
halo_status frames_filter_run(frames_filter *filter, const halo_frame *in, int64_t number,
                              halo_frame *out);

/* ---- ranks.c --------------------------------------------------------------------------------- */

/* Collective. All frames. */
halo_status frames_run_all(app_run *run, frames_run *frames);

#endif
