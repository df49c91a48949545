#include "core/master/master_worker_internal.h"
#include "core/master/work_thread.h"
#include "core/world/collect.h"
#include "core/world/simulated_compute.h"

#include <sched.h>

/* ---- the master's messages ------------------------------------------------------------------- */

static halo_status post(halo_master_worker *w, const halo_master_worker_beat *beat, int rank)
{
    halo_request *in = &w->in[(ptrdiff_t)rank * RECEIVES];
    halo_request *out = &w->out[(ptrdiff_t)rank * SENDS];
    master_worker_state *to = &w->workers[rank];
    int bytes = (int)beat->bytes[rank], back = (int)beat->back_bytes[rank];
    int constant = (int)beat->constant_bytes, seconds = (int)sizeof to->seconds;
    bool measured = !w->options.unmeasured;
    to->head = (master_worker_head){beat->bytes[rank], beat->back_bytes[rank]};
    to->known = measured;
    to->missing = measured ? 2 : 1;
    if (measured) {
        HALO_TRY(halo_post(w->world, false, &to->received, 1, rank, RECEIVED_TAG,
                           &in[RECEIVE_RECEIVED]));
        HALO_TRY(halo_post(w->world, false, &to->seconds, seconds, rank, SECONDS_TAG,
                           &in[RECEIVE_SECONDS]));
    }
    HALO_TRY(
        halo_post(w->world, false, beat->backs[rank], back, rank, BACK_TAG, &in[RECEIVE_BACK]));
    w->left += measured ? RECEIVES : 1;
    w->acknowledgements += measured ? 1 : 0;
    HALO_TRY(halo_post(w->world, true, &to->head, (int)sizeof to->head, rank, HEAD_TAG,
                       &out[SEND_HEAD]));
    if (constant > 0) {
        HALO_TRY(halo_post(w->world, true, beat->constant, constant, rank, CONSTANT_TAG,
                           &out[SEND_CONSTANT]));
    }
    HALO_TRY(
        halo_isend(w->world, beat->messages[rank], bytes, rank, MESSAGE_TAG, &out[SEND_MESSAGE]));
    w->messages += constant > 0 ? 3 : 2;
    w->bytes += (int64_t)sizeof(master_worker_head) + (int64_t)constant + bytes;
    return HALO_OK;
}

static halo_status hand_out(halo_master_worker *w, const halo_master_worker_beat *beat)
{
    w->beat = beat;
    w->left = w->acknowledgements = 0;
    w->leaving = halo_world_ranks(w->world) > 1;
    w->status = HALO_OK;
    w->begun = w->looked = halo_seconds();
    beat->times[0] = (halo_master_worker_time){0};
    for (int r = 1; r < halo_world_ranks(w->world); r++) {
        beat->times[r] = (halo_master_worker_time){
            .bytes_out = beat->constant_bytes + beat->bytes[r], .bytes_back = beat->back_bytes[r]};
        HALO_TRY(post(w, beat, r));
    }
    return HALO_OK;
}

/* A message has come, at some time after the master last looked for it: a time that may be wrong by
 * more than a fifth is not known. */
static void note(halo_master_worker *w, int index, double looked)
{
    int r = index / RECEIVES;
    halo_master_worker_time *time = &w->beat->times[r];
    master_worker_state *from = &w->workers[r];
    double now = halo_seconds(), seconds = now - w->begun;
    bool known = now - looked <= .2 * seconds;
    w->left--;
    if (index % RECEIVES == RECEIVE_RECEIVED) {
        time->acknowledged = known ? seconds : 0;
        w->acknowledgements--;
        return;
    }
    from->known = from->known && known;
    if (--from->missing == 0) {
        time->finished = seconds;
        time->computing = w->options.unmeasured ? 0 : from->seconds;
        time->transfer = from->known && seconds > from->seconds ? seconds - from->seconds : 0;
    }
}

/* Notes what has come, without waiting, and drives what is being sent. */
static halo_status look(halo_master_worker *w)
{
    int ranks = halo_world_ranks(w->world), index = 0;
    bool sent = !w->leaving;
    double looked = w->looked;
    while (w->left > 0 && index >= 0) {
        HALO_TRY(halo_test_any(w->world, ranks * RECEIVES, w->in, &index));
        if (index >= 0) {
            note(w, index, looked);
        }
    }
    for (int i = 0; w->leaving && i < ranks * SENDS; i++) {
        HALO_TRY(halo_test(w->world, &w->out[i], &sent));
        if (!sent) {
            break;
        }
    }
    w->leaving = w->leaving && !sent;
    w->looked = halo_seconds();
    return HALO_OK;
}

static void try_look(halo_master_worker *w)
{
    if (w->status == HALO_OK) {
        w->status = look(w);
    }
}

static bool has_arrived(const halo_master_worker *w)
{
    return w->status != HALO_OK || (!w->leaving && w->acknowledgements == 0);
}

/* Has all been sent that has to be before the master works itself? Without a thread that is all of
 * it, since nothing would leave while it works. With one it only waits as long as a thread takes to
 * start: where workers are near all has arrived by then, and there is nothing to drive. */
static bool may_work(void *context)
{
    static const double soon = 5e-5;
    halo_master_worker *w = context;
    try_look(w);
    return has_arrived(w) || (w->threads ? w->looked - w->begun > soon : !w->leaving);
}

static halo_status collect(halo_master_worker *w)
{
    int ranks = halo_world_ranks(w->world);
    HALO_TRY(look(w));
    while (w->left > 0) {
        int index, bytes;
        HALO_TRY(halo_wait_any(w->world, ranks * RECEIVES, w->in, &index, &bytes));
        note(w, index, halo_seconds());
    }
    return halo_wait(w->world, ranks * SENDS, w->out);
}

/* ---- the master's own work ------------------------------------------------------------------- */

/* In whatever thread. */
static void work_for_itself(void *context)
{
    halo_master_worker *w = context;
    const halo_master_worker_beat *beat = w->beat;
    w->computing = master_worker_do(w, beat, beat->messages[0], beat->bytes[0], beat->backs[0],
                                    beat->back_bytes[0]);
}

/* While something is being sent, it is driven without pause. Then the longer it has taken the
 * longer is a pause, so that times are known to an eighth, and a processor that works is needed
 * for little else. */
static void drive_until_done(halo_master_worker *w, work_thread *thread)
{
    static const double shortest = 2e-5, longest = 1e-3;
    double pause = 0;
    while (!work_thread_wait(thread, pause)) {
        try_look(w);
        bool driven = w->leaving && w->status == HALO_OK;
        if (driven) {
            sched_yield();
        }
        double eighth = (halo_seconds() - w->begun) / 8;
        pause = driven ? 0 : eighth > longest ? longest : eighth > shortest ? eighth : shortest;
    }
}

static void work_meanwhile(halo_master_worker *w)
{
    work_thread thread;
    w->beat->times[0].acknowledged = halo_seconds() - w->begun;
    if (w->threads && !has_arrived(w) && work_thread_begin(&thread, work_for_itself, w)) {
        drive_until_done(w, &thread);
        work_thread_end(&thread);
    } else {
        work_for_itself(w);
    }
    w->beat->times[0].computing = w->computing;
    w->beat->times[0].finished = halo_seconds() - w->begun;
}

halo_status master_worker_lead(halo_master_worker *w, const halo_master_worker_beat *beat,
                               halo_clock *clock)
{
    halo_stretch stretch = halo_clock_begin(w->world);
    halo_status status = hand_out(w, beat);
    if (status == HALO_OK && !w->options.master_rests && w->left > 0 && !HALO_SIMULATED) {
        status = halo_wait_until(w->world, may_work, w);
    }
    halo_clock_end(clock, HALO_PHASE_EXCHANGE, stretch, w->world);
    HALO_TRY(status);
    w->mine = HALO_OK;
    if (!w->options.master_rests) {
        work_meanwhile(w);
        clock->seconds[HALO_PHASE_COMPUTE] += w->computing;
    }
    HALO_TRY(w->status);
    stretch = halo_clock_begin(w->world);
    status = collect(w);
    halo_clock_end(clock, HALO_PHASE_EXCHANGE, stretch, w->world);
    return status;
}

void halo_master_worker_progress(halo_master_worker *w)
{
    static const double grain = 1e-3; /* each look costs a little */
    if (halo_world_rank(w->world) != 0 || w->threads || w->left == 0) {
        return;
    }
    double now = halo_seconds();
    if (8 * (now - w->looked) > now - w->begun || now - w->looked > grain) {
        try_look(w);
    }
}

bool halo_master_worker_has_thread(const halo_master_worker *w)
{
    return w->threads && !w->options.master_rests;
}
