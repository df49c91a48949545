#include "core/master/master_worker_internal.h"

#include "base/memory.h"
#include "base/option.h"
#include "core/world/collect.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

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
    w->options = *options;
    w->options.master_rests = w->options.master_rests && ranks > 1;
    w->threads = !w->options.same_thread && ranks > 1 && halo_world_allows_threads(world);
    HALO_TRY(HALO_ALLOCATE(w->workers, ranks, "what workers do"));
    size_t requests = ranks * (SENDS + RECEIVES);
    HALO_TRY(HALO_ALLOCATE(w->out, requests, "messages of workers"));
    w->in = w->out + ranks * SENDS;
    for (size_t i = 0; i < requests; i++) {
        w->out[i] = HALO_NO_REQUEST;
    }
    return HALO_OK;
}

halo_status halo_master_worker_create_sized(halo_master_worker **out, halo_world *world,
                                            const halo_master_worker_options *given,
                                            size_t given_bytes)
{
    halo_master_worker_options options;
    *out = NULL;
    halo_status status = halo_options_take(&options, sizeof options, given, given_bytes,
                                           "halo_master_worker_options");
    HALO_IF_OK(status, create(out, world, &options));
    status = halo_agree(world, status);
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

double master_worker_do(halo_master_worker *w, const halo_master_worker_beat *beat,
                        const void *message, size_t bytes, void *back, size_t back_bytes)
{
    double begun = halo_seconds();
    w->mine = beat->work(beat->context, message, bytes, back, back_bytes);
    halo_world_inject_slowdown(w->world, halo_seconds() - begun);
    if (w->mine != HALO_OK) {
        snprintf(w->message_text, sizeof w->message_text, "%s", halo_last_message());
    }
    return halo_seconds() - begun;
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
    HALO_TRY(halo_world_rank(w->world) == 0 ? master_worker_lead(w, beat, clock)
                                            : master_worker_follow(w, beat, clock));
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
