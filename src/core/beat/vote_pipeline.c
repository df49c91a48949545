#include "core/beat/vote_pipeline.h"

#include "base/memory.h"
#include "core/world/collect.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { ROUND_TAG = 210, MOST_ROUNDS = 31 }; /* tags up to 240 */

/* Every vote has four arrays of numbers: this rank's, the sum so far, what is being sent, what
 * arrives. */
enum { MINE, SUM, SENT, CAME, ARRAYS };

typedef struct {
    int distance; /* to the rank that the sum of this round comes from */
    bool overlap; /* whose own share is in the sum already */
} round_plan;

struct halo_pipeline {
    halo_world *world;
    int entries, rounds, slots;
    round_plan plan[MOST_ROUNDS];
    int64_t *numbers;       /* [slots * ARRAYS * entries] */
    int *round;             /* [slots] that is under way; `rounds` of complete ones */
    halo_request *requests; /* [2 * slots] null where nothing is under way */
    int oldest, under_way;
    int64_t messages;
};

/* From the last round to the first: of how many ranks the sum is. */
static void plan_rounds(halo_pipeline *pipeline)
{
    int counts[MOST_ROUNDS + 1], rounds = 0;
    for (int count = halo_world_ranks(pipeline->world); count > 1; count -= count / 2) {
        counts[rounds++] = count;
    }
    for (int i = 0; i < rounds; i++) {
        int count = counts[rounds - 1 - i];
        bool odd = count % 2 != 0;
        pipeline->plan[i] = (round_plan){.distance = count / 2, .overlap = odd};
    }
    pipeline->rounds = rounds;
    pipeline->slots = rounds + 1;
}

static halo_status create(halo_pipeline **out, halo_world *world, int entries)
{
    HALO_TRY(HALO_ALLOCATE(*out, 1, "sums under way"));
    halo_pipeline *pipeline = *out;
    pipeline->world = world;
    pipeline->entries = entries;
    plan_rounds(pipeline);
    size_t slots = (size_t)pipeline->slots;
    HALO_TRY(HALO_ALLOCATE(pipeline->round, slots, "sums under way"));
    HALO_TRY(HALO_ALLOCATE(pipeline->requests, 2 * slots, "sums under way"));
    for (size_t i = 0; i < 2 * slots; i++) {
        pipeline->requests[i] = HALO_NO_REQUEST;
    }
    return HALO_ALLOCATE(pipeline->numbers, slots * ARRAYS * (size_t)entries, "sums under way");
}

halo_status halo_pipeline_create(halo_pipeline **out, halo_world *world, int entries)
{
    *out = NULL;
    halo_status status = create(out, world, entries);
    if (status != HALO_OK) {
        halo_pipeline_destroy(out);
    }
    return status;
}

void halo_pipeline_destroy(halo_pipeline **pipeline)
{
    if (*pipeline != NULL) {
        free((*pipeline)->numbers);
        free((*pipeline)->round);
        free((*pipeline)->requests);
        free(*pipeline);
        *pipeline = NULL;
    }
}

int halo_pipeline_rounds(const halo_pipeline *pipeline)
{
    return pipeline->rounds;
}

static int64_t *numbers_of(const halo_pipeline *pipeline, int slot, int array)
{
    return pipeline->numbers + (size_t)(slot * ARRAYS + array) * (size_t)pipeline->entries;
}

static int slot_of(const halo_pipeline *pipeline, int place)
{
    return (pipeline->oldest + place) % pipeline->slots;
}

/* The round that is next in this slot. */
static halo_status send_round(halo_pipeline *pipeline, int slot)
{
    int round = pipeline->round[slot], bytes = pipeline->entries * (int)sizeof(int64_t);
    int rank = halo_world_rank(pipeline->world), ranks = halo_world_ranks(pipeline->world);
    const round_plan *plan = &pipeline->plan[round];
    const int64_t *mine = numbers_of(pipeline, slot, MINE), *sum = numbers_of(pipeline, slot, SUM);
    int64_t *sent = numbers_of(pipeline, slot, SENT), *came = numbers_of(pipeline, slot, CAME);
    halo_request *requests = &pipeline->requests[2 * (size_t)slot];
    for (int i = 0; i < pipeline->entries; i++) {
        sent[i] = sum[i] - (plan->overlap ? mine[i] : 0);
    }
    int from = (rank + plan->distance) % ranks, to = (rank - plan->distance + ranks) % ranks;
    HALO_TRY(halo_post(pipeline->world, false, came, bytes, from, ROUND_TAG + round, &requests[0]));
    HALO_TRY(halo_post(pipeline->world, true, sent, bytes, to, ROUND_TAG + round, &requests[1]));
    pipeline->messages++;
    return HALO_OK;
}

/* All sums a round further. */
static halo_status advance(halo_pipeline *pipeline)
{
    HALO_TRY(halo_wait(pipeline->world, 2 * pipeline->slots, pipeline->requests));
    for (int place = 0; place < pipeline->under_way; place++) {
        int slot = slot_of(pipeline, place);
        int64_t *sum = numbers_of(pipeline, slot, SUM);
        const int64_t *came = numbers_of(pipeline, slot, CAME);
        if (pipeline->round[slot] == pipeline->rounds) {
            continue;
        }
        for (int i = 0; i < pipeline->entries; i++) {
            sum[i] += came[i];
        }
        if (++pipeline->round[slot] < pipeline->rounds) {
            HALO_TRY(send_round(pipeline, slot));
        }
    }
    return HALO_OK;
}

halo_status halo_pipeline_post(halo_pipeline *pipeline, const int64_t *numbers)
{
    size_t bytes = (size_t)pipeline->entries * sizeof *numbers;
    HALO_TRY(advance(pipeline));
    int slot = slot_of(pipeline, pipeline->under_way++);
    memcpy(numbers_of(pipeline, slot, MINE), numbers, bytes);
    memcpy(numbers_of(pipeline, slot, SUM), numbers, bytes);
    pipeline->round[slot] = 0;
    return pipeline->rounds > 0 ? send_round(pipeline, slot) : HALO_OK;
}

halo_status halo_pipeline_collect(halo_pipeline *pipeline, int64_t *sums)
{
    int slot = pipeline->oldest;
    while (pipeline->round[slot] < pipeline->rounds) {
        HALO_TRY(advance(pipeline));
    }
    memcpy(sums, numbers_of(pipeline, slot, SUM), (size_t)pipeline->entries * sizeof *sums);
    pipeline->oldest = slot_of(pipeline, 1);
    pipeline->under_way--;
    return HALO_OK;
}

int64_t halo_pipeline_messages(const halo_pipeline *pipeline)
{
    return pipeline->messages;
}
