#include "core/world/rendezvous.h"

#include "base/memory.h"
#include "core/world/collect.h"
#include "core/world/watch.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    size_t *out_counts, *in_counts; /* [ranks] bytes, of queries and later of answers */
    int64_t *places;                /* [ranks] the next place in rank order */
    char *sorted;                   /* queries in rank order */
    void *came;                     /* queries to us */
    void *replies;                  /* our answers to these */
    void *got;                      /* answers to our queries, in rank order */
} rendezvous;

static void free_all(rendezvous *a)
{
    free(a->out_counts);
    free(a->in_counts);
    free(a->places);
    halo_memory_free(a->sorted);
    halo_memory_free(a->came);
    halo_memory_free(a->replies);
    halo_memory_free(a->got);
}

/* places[r] becomes the number of queries to ranks below r. */
static halo_status find_places(const halo_world *world, const halo_queries *queries,
                               int64_t *places)
{
    int ranks = halo_world_ranks(world);
    memset(places, 0, (size_t)ranks * sizeof *places);
    for (int64_t i = 0; i < queries->count; i++) {
        HALO_TRY(halo_watch_entry(world, i));
        places[queries->ranks[i]]++;
    }
    int64_t sum = 0;
    for (int r = 0; r < ranks; r++) {
        int64_t count = places[r];
        places[r] = sum;
        sum += count;
    }
    return HALO_OK;
}

static halo_status sort_queries(const halo_world *world, rendezvous *a, const halo_queries *queries)
{
    int ranks = halo_world_ranks(world);
    HALO_TRY(HALO_ALLOCATE(a->out_counts, ranks, "queries to other ranks"));
    HALO_TRY(HALO_ALLOCATE(a->in_counts, ranks, "queries to other ranks"));
    HALO_TRY(HALO_ALLOCATE(a->places, ranks, "queries to other ranks"));
    HALO_TRY(HALO_ALLOCATE_LARGE(a->sorted, (size_t)queries->count * queries->size + 1,
                                 "queries to other ranks"));
    HALO_TRY(find_places(world, queries, a->places));
    const char *text = queries->data;
    for (int64_t i = 0; i < queries->count; i++, text += queries->size) {
        HALO_TRY(halo_watch_entry(world, i));
        int rank = queries->ranks[i];
        memcpy(a->sorted + (size_t)a->places[rank]++ * queries->size, text, queries->size);
        a->out_counts[rank] += queries->size;
    }
    return HALO_OK;
}

static void scale_counts(size_t *counts, int ranks, size_t from, size_t to)
{
    for (int r = 0; r < ranks; r++) {
        counts[r] = counts[r] / from * to;
    }
}

static int64_t came_in(const rendezvous *a, int ranks, size_t size)
{
    size_t bytes = 0;
    for (int r = 0; r < ranks; r++) {
        bytes += a->in_counts[r];
    }
    return (int64_t)(bytes / size);
}

static halo_status sort_back(const halo_world *world, rendezvous *a, const halo_queries *queries,
                             int64_t *answers)
{
    const int64_t *got = a->got;
    HALO_TRY(find_places(world, queries, a->places));
    for (int64_t i = 0; i < queries->count; i++) {
        HALO_TRY(halo_watch_entry(world, i));
        answers[i] = got[a->places[queries->ranks[i]]++];
    }
    return HALO_OK;
}

halo_status halo_rendezvous(halo_world *world, const halo_queries *queries, halo_answer answer,
                            void *context, int64_t *answers)
{
    int ranks = halo_world_ranks(world);
    rendezvous a = {0};
    halo_status status;
    if (ranks == 1) { /* queries and answers need no copies */
        return answer(context, queries->data, queries->count, answers);
    }
    HALO_TRY_OR(done, halo_agree(world, sort_queries(world, &a, queries)));
    HALO_TRY_OR(done, halo_alltoallv(world, a.sorted, a.out_counts, &a.came, a.in_counts));
    int64_t came = came_in(&a, ranks, queries->size);
    status = halo_memory_create(&a.replies, (size_t)came * sizeof(int64_t) + 1, "answers");
    HALO_TRY_OR(done, halo_agree(world, status));
    HALO_TRY_OR(done, halo_agree(world, answer(context, a.came, came, a.replies)));
    scale_counts(a.in_counts, ranks, queries->size, sizeof(int64_t));
    HALO_TRY_OR(done, halo_alltoallv(world, a.replies, a.in_counts, &a.got, a.out_counts));
    status = halo_agree(world, sort_back(world, &a, queries, answers));
done:
    free_all(&a);
    return status;
}
