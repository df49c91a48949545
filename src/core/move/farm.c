#include "core/move/farm.h"

#include "base/memory.h"
#include "core/world/collect.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD_TAG = 111, CONSTANT_TAG, MESSAGE_TAG, RECEIVED_TAG, SECONDS_TAG, BACK_TAG };

/* What a worker receives first. */
typedef struct {
    uint64_t bytes, back_bytes;
} head;

/* Requests of the master for each worker. */
enum { SEND_HEAD, SEND_CONSTANT, SEND_MESSAGE, SENDS };
enum { RECEIVE_SECONDS, RECEIVE_BACK, RECEIVES };

/* What the master keeps of each. */
typedef struct {
    head head;
    char acknowledged;
    double seconds;
    int missing; /* messages from it that have not come */
} worker;

struct halo_farm {
    halo_world *world;
    void *message, *back; /* of a worker */
    size_t message_room, back_room;
    worker *workers; /* rank 0: [ranks] */
    /* Rank 0: [ranks], [ranks * SENDS] and [ranks * RECEIVES], in one block; null between beats. */
    MPI_Request *early, *out, *in;
    int64_t messages, bytes;
};

void halo_farm_destroy(halo_farm **farm)
{
    halo_farm *f = *farm;
    if (f == NULL) {
        return;
    }
    halo_memory_free(f->message);
    halo_memory_free(f->back);
    free(f->workers);
    free(f->early);
    free(f);
    *farm = NULL;
}

static halo_status create(halo_farm **out, halo_world *world)
{
    size_t ranks = (size_t)halo_world_ranks(world);
    HALO_TRY(HALO_ALLOCATE(*out, 1, "a master"));
    halo_farm *f = *out;
    f->world = world;
    HALO_TRY(HALO_ALLOCATE(f->workers, ranks, "what workers do"));
    size_t requests = ranks * (1 + SENDS + RECEIVES);
    HALO_TRY(HALO_ALLOCATE(f->early, requests, "messages of workers"));
    f->out = f->early + ranks;
    f->in = f->out + ranks * SENDS;
    for (size_t i = 0; i < requests; i++) {
        f->early[i] = MPI_REQUEST_NULL;
    }
    return HALO_OK;
}

halo_status halo_farm_create(halo_farm **out, halo_world *world)
{
    halo_status status = halo_agree(world, create(out, world));
    if (status != HALO_OK) {
        halo_farm_destroy(out);
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

halo_status halo_farm_reserve(halo_farm *farm, size_t bytes, size_t back_bytes)
{
    uint64_t sizes[2] = {bytes, back_bytes};
    HALO_TRY(halo_bcast(farm->world, sizes, sizeof sizes, 0));
    if (sizes[0] > INT_MAX || sizes[1] > INT_MAX) {
        return halo_fail(HALO_ARGUMENT,
                         "work of %llu bytes is more than a message can have (2^31 - 1); use "
                         "smaller frames",
                         (unsigned long long)(sizes[0] > sizes[1] ? sizes[0] : sizes[1]));
    }
    halo_status status = HALO_OK;
    if (halo_world_rank(farm->world) > 0) {
        status = make_room(&farm->message, &farm->message_room, sizes[0]);
        if (status == HALO_OK) {
            status = make_room(&farm->back, &farm->back_room, sizes[1]);
        }
    }
    return halo_agree(farm->world, status);
}

/* ---- the master ------------------------------------------------------------------------------ */

static halo_status post(halo_farm *farm, const halo_farm_beat *beat, int rank)
{
    MPI_Request *in = &farm->in[(ptrdiff_t)rank * RECEIVES];
    MPI_Request *out = &farm->out[(ptrdiff_t)rank * SENDS];
    worker *w = &farm->workers[rank];
    int bytes = (int)beat->bytes[rank], back = (int)beat->back_bytes[rank];
    int constant = (int)beat->constant_bytes, seconds = (int)sizeof w->seconds;
    w->head = (head){beat->bytes[rank], beat->back_bytes[rank]};
    w->missing = RECEIVES;
    HALO_TRY(
        halo_post(farm->world, false, &w->acknowledged, 1, rank, RECEIVED_TAG, &farm->early[rank]));
    HALO_TRY(halo_post(farm->world, false, &w->seconds, seconds, rank, SECONDS_TAG,
                       &in[RECEIVE_SECONDS]));
    HALO_TRY(
        halo_post(farm->world, false, beat->backs[rank], back, rank, BACK_TAG, &in[RECEIVE_BACK]));
    HALO_TRY(halo_post(farm->world, true, &w->head, (int)sizeof w->head, rank, HEAD_TAG,
                       &out[SEND_HEAD]));
    if (constant > 0) {
        HALO_TRY(halo_post(farm->world, true, beat->constant, constant, rank, CONSTANT_TAG,
                           &out[SEND_CONSTANT]));
    }
    HALO_MPI_TRY(MPI_Isend(beat->messages[rank], bytes, MPI_BYTE, rank, MESSAGE_TAG,
                           halo_world_comm(farm->world), &out[SEND_MESSAGE]));
    farm->messages += beat->constant_bytes > 0 ? 3 : 2;
    farm->bytes += (int64_t)sizeof(head) + (int64_t)beat->constant_bytes + bytes;
    beat->times[rank].bytes_out = beat->constant_bytes + beat->bytes[rank];
    beat->times[rank].bytes_back = beat->back_bytes[rank];
    return HALO_OK;
}

static halo_status hand_out(halo_farm *farm, const halo_farm_beat *beat, double begun)
{
    int ranks = halo_world_ranks(farm->world);
    beat->times[0] = (halo_farm_time){0};
    for (int r = 1; r < ranks; r++) {
        HALO_TRY(post(farm, beat, r));
    }
    for (int left = ranks - 1; left > 0; left--) {
        int r, bytes;
        HALO_TRY(halo_wait_any(farm->world, ranks, farm->early, &r, &bytes));
        beat->times[r].acknowledged = halo_seconds() - begun;
    }
    beat->times[0].acknowledged = halo_seconds() - begun;
    return halo_wait(farm->world, ranks * SENDS, farm->out);
}

static halo_status collect(halo_farm *farm, const halo_farm_beat *beat, double begun)
{
    int ranks = halo_world_ranks(farm->world);
    for (int left = (ranks - 1) * RECEIVES; left > 0; left--) {
        int i, bytes;
        HALO_TRY(halo_wait_any(farm->world, ranks * RECEIVES, farm->in, &i, &bytes));
        int r = i / RECEIVES;
        if (--farm->workers[r].missing == 0) {
            beat->times[r].finished = halo_seconds() - begun;
            beat->times[r].computing = farm->workers[r].seconds;
        }
    }
    return HALO_OK;
}

/* ---- all ranks ------------------------------------------------------------------------------- */

/* Work, with its time; a rank that is slow on purpose takes longer. */
static halo_status work(halo_farm *farm, const halo_farm_beat *beat, const void *message,
                        size_t bytes, void *back, size_t back_bytes, double *seconds,
                        halo_clock *clock)
{
    halo_stretch stretch = halo_clock_begin(farm->world);
    double begun = halo_seconds();
    halo_status status = beat->work(beat->context, message, bytes, back, back_bytes);
    halo_world_inject_slowdown(farm->world, halo_seconds() - begun);
    *seconds = halo_clock_end(clock, HALO_PHASE_COMPUTE, stretch, farm->world);
    return status;
}

static halo_status lead(halo_farm *farm, const halo_farm_beat *beat, halo_clock *clock,
                        halo_status *mine)
{
    double begun = halo_seconds();
    halo_stretch stretch = halo_clock_begin(farm->world);
    halo_status status = hand_out(farm, beat, begun);
    halo_clock_end(clock, HALO_PHASE_EXCHANGE, stretch, farm->world);
    HALO_TRY(status);
    *mine = work(farm, beat, beat->messages[0], beat->bytes[0], beat->backs[0], beat->back_bytes[0],
                 &beat->times[0].computing, clock);
    beat->times[0].finished = halo_seconds() - begun;
    stretch = halo_clock_begin(farm->world);
    status = collect(farm, beat, begun);
    halo_clock_end(clock, HALO_PHASE_EXCHANGE, stretch, farm->world);
    return status;
}

static halo_status receive(halo_farm *farm, const halo_farm_beat *beat, head *announced)
{
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    char received = 1;
    HALO_TRY(halo_post(farm->world, false, announced, (int)sizeof *announced, 0, HEAD_TAG,
                       &requests[0]));
    if (beat->constant_bytes > 0) {
        HALO_TRY(halo_post(farm->world, false, beat->constant, (int)beat->constant_bytes, 0,
                           CONSTANT_TAG, &requests[1]));
    }
    HALO_TRY(halo_wait(farm->world, 2, requests));
    HALO_TRY(halo_post(farm->world, false, farm->message, (int)announced->bytes, 0, MESSAGE_TAG,
                       &requests[0]));
    HALO_TRY(halo_wait(farm->world, 1, requests));
    HALO_TRY(halo_post(farm->world, true, &received, 1, 0, RECEIVED_TAG, &requests[0]));
    HALO_TRY(halo_wait(farm->world, 1, requests));
    farm->messages++;
    farm->bytes++;
    return HALO_OK;
}

static halo_status follow(halo_farm *farm, const halo_farm_beat *beat, halo_clock *clock,
                          halo_status *mine)
{
    head announced = {0, 0};
    halo_stretch stretch = halo_clock_begin(farm->world);
    halo_status status = receive(farm, beat, &announced);
    halo_clock_end(clock, HALO_PHASE_EXCHANGE, stretch, farm->world);
    HALO_TRY(status);
    double seconds;
    *mine = work(farm, beat, farm->message, announced.bytes, farm->back, announced.back_bytes,
                 &seconds, clock);
    MPI_Request requests[2];
    stretch = halo_clock_begin(farm->world);
    HALO_TRY(
        halo_post(farm->world, true, &seconds, (int)sizeof seconds, 0, SECONDS_TAG, &requests[0]));
    HALO_TRY(halo_post(farm->world, true, farm->back, (int)announced.back_bytes, 0, BACK_TAG,
                       &requests[1]));
    status = halo_wait(farm->world, 2, requests);
    halo_clock_end(clock, HALO_PHASE_EXCHANGE, stretch, farm->world);
    farm->messages += 2;
    farm->bytes += (int64_t)(sizeof seconds + announced.back_bytes);
    return status;
}

halo_status halo_farm_run(halo_farm *farm, const halo_farm_beat *beat, halo_clock *clock)
{
    if (beat->constant_bytes > INT_MAX) {
        return halo_fail(HALO_ARGUMENT,
                         "%zu bytes for every worker are more than a message can have (2^31 - 1); "
                         "use smaller frames",
                         beat->constant_bytes);
    }
    halo_status mine = HALO_OK;
    HALO_TRY(halo_world_rank(farm->world) == 0 ? lead(farm, beat, clock, &mine)
                                               : follow(farm, beat, clock, &mine));
    halo_world_count_beats(farm->world, 1);
    return halo_agree(farm->world, mine);
}

void halo_farm_sent(const halo_farm *farm, int64_t *messages, int64_t *bytes)
{
    *messages = farm->messages;
    *bytes = farm->bytes;
}
