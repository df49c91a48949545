#include "core/master/master_worker.h"

#include "base/memory.h"
#include "core/master/work_thread.h"
#include "core/world/collect.h"
#include "core/world/simulated_compute.h"
#include "core/world/thread.h"

#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD_TAG = 111, CONSTANT_TAG, MESSAGE_TAG, RECEIVED_TAG, SECONDS_TAG, BACK_TAG };

/* What a worker receives first. */
typedef struct {
    uint64_t bytes, back_bytes;
} head;

/* Requests of the master for each worker. */
enum { SEND_HEAD, SEND_CONSTANT, SEND_MESSAGE, SENDS };
enum { RECEIVE_RECEIVED, RECEIVE_SECONDS, RECEIVE_BACK, RECEIVES };

/* What the master keeps of each. */
typedef struct {
    head head;
    char received;
    double seconds;
    int missing; /* findings, and their seconds, that have not come */
    bool known;  /* did the master look when they came? */
} worker;

struct halo_master_worker {
    halo_world *world;
    halo_master_worker_options options;
    bool threads;         /* there may be threads */
    void *message, *back; /* of a worker */
    size_t message_room, back_room;
    worker *workers; /* rank 0: [ranks] */
    /* Rank 0: [ranks * SENDS] and [ranks * RECEIVES], in one block; null between beats. */
    MPI_Request *out, *in;
    int64_t messages, bytes;

    /* The master's beat. */
    const halo_master_worker_beat *beat;
    double begun, looked; /* when it last looked for messages */
    int left;             /* of the messages that are to come, */
    int acknowledgements; /* and of them */
    bool leaving;         /* not all is sent yet */
    halo_status status;   /* of messages */
    halo_status mine;     /* of its own work, */
    double computing;     /* which took so long */
    char message_text[HALO_MESSAGE_SIZE];
};

void halo_master_worker_destroy(halo_master_worker **workers)
{
    halo_master_worker *w = *workers;
    if (w == NULL) {
        return;
    }
    halo_memory_free(w->message);
    halo_memory_free(w->back);
    free(w->workers);
    free(w->out);
    free(w);
    *workers = NULL;
}

static halo_status create(halo_master_worker **out, halo_world *world,
                          const halo_master_worker_options *options)
{
    size_t ranks = (size_t)halo_world_ranks(world);
    HALO_TRY(HALO_ALLOCATE(*out, 1, "a master"));
    halo_master_worker *w = *out;
    w->world = world;
    w->options = options != NULL ? *options : (halo_master_worker_options){0};
    w->options.master_rests = w->options.master_rests && ranks > 1;
    w->threads = !w->options.same_thread && ranks > 1 && halo_thread_is_allowed();
    HALO_TRY(HALO_ALLOCATE(w->workers, ranks, "what workers do"));
    size_t requests = ranks * (SENDS + RECEIVES);
    HALO_TRY(HALO_ALLOCATE(w->out, requests, "messages of workers"));
    w->in = w->out + ranks * SENDS;
    for (size_t i = 0; i < requests; i++) {
        w->out[i] = MPI_REQUEST_NULL;
    }
    return HALO_OK;
}

halo_status halo_master_worker_create(halo_master_worker **out, halo_world *world,
                                      const halo_master_worker_options *options)
{
    halo_status status = halo_agree(world, create(out, world, options));
    if (status != HALO_OK) {
        halo_master_worker_destroy(out);
    }
    return status;
}

static halo_status make_room(void **memory, size_t *room, size_t bytes)
{
    if (bytes <= *room) {
        return HALO_OK;
    }
    halo_memory_free(*memory);
    *memory = NULL;
    *room = 0;
    HALO_TRY(halo_memory_create(memory, bytes, "work that a master hands out"));
    *room = bytes;
    return HALO_OK;
}

halo_status halo_master_worker_reserve(halo_master_worker *workers, size_t bytes, size_t back_bytes)
{
    uint64_t sizes[2] = {bytes, back_bytes};
    HALO_TRY(halo_bcast(workers->world, sizes, sizeof sizes, 0));
    if (sizes[0] > INT_MAX || sizes[1] > INT_MAX) {
        return halo_fail(HALO_ARGUMENT,
                         "work of %llu bytes is more than a message can have (2^31 - 1); use "
                         "less at a time",
                         (unsigned long long)(sizes[0] > sizes[1] ? sizes[0] : sizes[1]));
    }
    halo_status status = HALO_OK;
    if (halo_world_rank(workers->world) > 0) {
        status = make_room(&workers->message, &workers->message_room, sizes[0]);
        if (status == HALO_OK) {
            status = make_room(&workers->back, &workers->back_room, sizes[1]);
        }
    }
    return halo_agree(workers->world, status);
}

/* ---- the master's messages ------------------------------------------------------------------- */

static halo_status post(halo_master_worker *w, const halo_master_worker_beat *beat, int rank)
{
    MPI_Request *in = &w->in[(ptrdiff_t)rank * RECEIVES];
    MPI_Request *out = &w->out[(ptrdiff_t)rank * SENDS];
    worker *to = &w->workers[rank];
    int bytes = (int)beat->bytes[rank], back = (int)beat->back_bytes[rank];
    int constant = (int)beat->constant_bytes, seconds = (int)sizeof to->seconds;
    bool measured = !w->options.unmeasured;
    to->head = (head){beat->bytes[rank], beat->back_bytes[rank]};
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
    HALO_MPI_TRY(MPI_Isend(beat->messages[rank], bytes, MPI_BYTE, rank, MESSAGE_TAG,
                           halo_world_comm(w->world), &out[SEND_MESSAGE]));
    w->messages += constant > 0 ? 3 : 2;
    w->bytes += (int64_t)sizeof(head) + (int64_t)constant + bytes;
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
    worker *from = &w->workers[r];
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
    int ranks = halo_world_ranks(w->world), index = 0, sent = !w->leaving;
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

/* Work, with its time; a rank that is slow on purpose takes longer. */
static halo_status work(halo_world *world, const halo_master_worker_beat *beat, const void *message,
                        size_t bytes, void *back, size_t back_bytes, double *seconds)
{
    double begun = halo_seconds();
    halo_status status = beat->work(beat->context, message, bytes, back, back_bytes);
    halo_world_inject_slowdown(world, halo_seconds() - begun);
    *seconds = halo_seconds() - begun;
    return status;
}

/* In whatever thread. */
static void work_for_itself(void *context)
{
    halo_master_worker *w = context;
    const halo_master_worker_beat *beat = w->beat;
    w->mine = work(w->world, beat, beat->messages[0], beat->bytes[0], beat->backs[0],
                   beat->back_bytes[0], &w->computing);
    if (w->mine != HALO_OK) {
        snprintf(w->message_text, sizeof w->message_text, "%s", halo_last_message());
    }
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

static halo_status lead(halo_master_worker *w, const halo_master_worker_beat *beat,
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

/* ---- workers --------------------------------------------------------------------------------- */

static halo_status receive(halo_master_worker *w, const halo_master_worker_beat *beat,
                           head *announced)
{
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    HALO_TRY(
        halo_post(w->world, false, announced, (int)sizeof *announced, 0, HEAD_TAG, &requests[0]));
    if (beat->constant_bytes > 0) {
        HALO_TRY(halo_post(w->world, false, beat->constant, (int)beat->constant_bytes, 0,
                           CONSTANT_TAG, &requests[1]));
    }
    HALO_TRY(halo_wait(w->world, 2, requests));
    HALO_TRY(halo_post(w->world, false, w->message, (int)announced->bytes, 0, MESSAGE_TAG,
                       &requests[0]));
    return halo_wait(w->world, 1, requests);
}

static halo_status post_findings(halo_master_worker *w, const head *announced, double *seconds,
                                 MPI_Request requests[RECEIVES])
{
    if (!w->options.unmeasured) {
        HALO_TRY(halo_post(w->world, true, seconds, (int)sizeof *seconds, 0, SECONDS_TAG,
                           &requests[RECEIVE_SECONDS]));
    }
    return halo_post(w->world, true, w->back, (int)announced->back_bytes, 0, BACK_TAG,
                     &requests[RECEIVE_BACK]);
}

/* Nobody waits for it; but MPI may keep a message back until it is called again. */
static halo_status acknowledge(halo_master_worker *w, char *received, MPI_Request *request)
{
    enum { TESTS = 4 };
    int sent = 0;
    HALO_TRY(halo_post(w->world, true, received, 1, 0, RECEIVED_TAG, request));
    for (int i = 0; i < TESTS && !sent && !HALO_SIMULATED; i++) {
        HALO_TRY(halo_test(w->world, request, &sent));
    }
    return HALO_OK;
}

/* The acknowledgement travels while it works. */
static halo_status follow(halo_master_worker *w, const halo_master_worker_beat *beat,
                          halo_clock *clock)
{
    bool measured = !w->options.unmeasured;
    head announced = {0, 0};
    char received = 1;
    MPI_Request requests[RECEIVES] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    halo_stretch stretch = halo_clock_begin(w->world);
    halo_status status = receive(w, beat, &announced);
    if (status == HALO_OK && measured) {
        status = acknowledge(w, &received, &requests[RECEIVE_RECEIVED]);
    }
    halo_clock_end(clock, HALO_PHASE_EXCHANGE, stretch, w->world);
    HALO_TRY(status);
    double seconds;
    w->mine =
        work(w->world, beat, w->message, announced.bytes, w->back, announced.back_bytes, &seconds);
    if (w->mine != HALO_OK) {
        snprintf(w->message_text, sizeof w->message_text, "%s", halo_last_message());
    }
    clock->seconds[HALO_PHASE_COMPUTE] += seconds;
    stretch = halo_clock_begin(w->world);
    status = post_findings(w, &announced, &seconds, requests);
    status = halo_status_first(status, halo_wait(w->world, RECEIVES, requests));
    halo_clock_end(clock, HALO_PHASE_EXCHANGE, stretch, w->world);
    w->messages += measured ? 3 : 1;
    w->bytes += (int64_t)announced.back_bytes + (measured ? 1 + (int64_t)sizeof seconds : 0);
    return status;
}

halo_status halo_master_worker_run(halo_master_worker *w, const halo_master_worker_beat *beat,
                                   halo_clock *clock)
{
    if (beat->constant_bytes > INT_MAX) {
        return halo_fail(HALO_ARGUMENT,
                         "%zu bytes for every worker are more than a message can have (2^31 - 1); "
                         "use a smaller constant part",
                         beat->constant_bytes);
    }
    HALO_TRY(halo_world_rank(w->world) == 0 ? lead(w, beat, clock) : follow(w, beat, clock));
    halo_world_count_beats(w->world, 1);
    halo_status mine = w->mine;
    if (mine != HALO_OK) { /* said by the thread that failed, which may be another one */
        mine = halo_fail(mine, "%s", w->message_text);
    }
    return halo_agree(w->world, mine);
}

void halo_master_worker_sent(const halo_master_worker *w, int64_t *messages, int64_t *bytes)
{
    *messages = w->messages;
    *bytes = w->bytes;
}
