#include "cli/filter/frames/frames.h"

#include "app/ranks/signals.h"
#include "base/minmax.h"
#include "core/world/collect.h"

/* The ranks take frames in turns. The one with the first of those that are not written computes it
 * or writes it, and waits for nobody: there is always one that goes on. */

/* The filters and frames of a rank. */
typedef struct {
    frames_run *frames;
    frames_filter *filter;
    halo_frame in, out;
    int64_t failed; /* number of the frame that failed here; INT64_MAX: none */
} rank;

/* Frames from `number` on are not written. */
static void end_at(frames_run *frames, int64_t number)
{
    pthread_mutex_lock(&frames->order);
    frames->end = halo_min(frames->end, number);
    pthread_cond_broadcast(&frames->turn);
    pthread_mutex_unlock(&frames->order);
}

static bool is_left_out(frames_run *frames, int64_t number)
{
    pthread_mutex_lock(&frames->order);
    bool out = number >= frames->end;
    pthread_mutex_unlock(&frames->order);
    return out;
}

/* Ranks wait for a condition, and not for a mutex that is held while input is waited for: signals
 * are handled by any thread, and tools that check programs handle none of one in a mutex. */
static void begin_reading(frames_run *frames)
{
    pthread_mutex_lock(&frames->order);
    while (frames->reading) {
        pthread_cond_wait(&frames->turn, &frames->order);
    }
    frames->reading = true;
    pthread_mutex_unlock(&frames->order);
}

static void end_reading(frames_run *frames)
{
    pthread_mutex_lock(&frames->order);
    frames->reading = false;
    pthread_cond_broadcast(&frames->turn);
    pthread_mutex_unlock(&frames->order);
}

/* After a signal no frame is read; one that it has cut off is none. */
static halo_status read_next(rank *r, int64_t *number, bool *ended)
{
    frames_run *frames = r->frames;
    halo_status status = HALO_OK;
    begin_reading(frames);
    *number = frames->read;
    *ended = frames->stopped || is_left_out(frames, *number);
    if (!*ended) {
        status = halo_frames_read(frames->in, &r->in, ended);
    }
    if (frames->stopped) {
        status = HALO_OK;
        *ended = true;
    }
    if (*ended || status != HALO_OK) {
        end_at(frames, *number);
    } else if (frames->read++ == 0) {
        frames->first = r->in.layout;
    }
    end_reading(frames);
    return status;
}

/* Waits for its turn. */
static halo_status write_in_turn(rank *r, int64_t number)
{
    frames_run *frames = r->frames;
    halo_status status = HALO_OK;
    pthread_mutex_lock(&frames->order);
    while (frames->out.written < number && number < frames->end) {
        pthread_cond_wait(&frames->turn, &frames->order);
    }
    if (number < frames->end) {
        status = halo_frames_write(&frames->out, &r->out);
        frames->end = status == HALO_OK ? frames->end : number;
        pthread_cond_broadcast(&frames->turn);
    }
    pthread_mutex_unlock(&frames->order);
    return status;
}

static halo_status run_frames(rank *r)
{
    for (;;) {
        bool ended;
        int64_t number;
        halo_status status = read_next(r, &number, &ended);
        if (status == HALO_OK && ended) {
            return HALO_OK;
        }
        HALO_IF_OK(status, frames_filter_run(r->filter, &r->in, number, &r->out));
        if (status == HALO_OK) {
            status = write_in_turn(r, number);
        }
        if (status != HALO_OK) {
            r->failed = number;
            end_at(r->frames, number);
            return status;
        }
    }
}

/* The first frame that failed says why; others may have failed behind it before they knew. */
static halo_status agree(halo_world *world, const rank *r, halo_status mine)
{
    int64_t first = r->failed;
    HALO_TRY(halo_allreduce_min(world, &first, 1));
    return halo_agree(world, r->failed == first ? mine : HALO_OK);
}

halo_status frames_run_all(app_run *run, frames_run *frames)
{
    rank r = {.frames = frames, .failed = INT64_MAX};
    halo_status status = halo_agree(run->world, frames_filter_create(&r.filter, frames));
    if (status == HALO_OK) {
        halo_stretch stretch = halo_clock_begin(run->world);
        status = agree(run->world, &r, run_frames(&r));
        halo_clock_end(&run->clock, HALO_PHASE_COMPUTE, stretch, run->world);
    }
    frames_filter_destroy(&r.filter);
    halo_frame_free(&r.in);
    halo_frame_free(&r.out);
    return status;
}
