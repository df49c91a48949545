#include "base/memory.h"
#include "core/world/collect.h"
#include "core/world/rendezvous.h"
#include "kernels/split/split_internal.h"

#include <stdlib.h>
#include <string.h>

/* Basins that cross borders of strips: the minima that cells of the halo lead to. What such a cell
 * leads to may be a cell of another halo; ranks ask one another, and each answer is twice as far
 * along the path as the one before. */

/* A cell of the halo leads to a minimum, by its number among all, from 1 on; or to a cell of
 * another rank's halo, as AWAY - its number among those of all ranks. */
enum { NOTHING = -1, AWAY = -2 };

typedef struct {
    halo_split *split;
    int64_t *target;  /* [2 * layer] */
    int64_t *answers; /* [2 * layer] */
    int64_t *queries; /* [2 * layer] numbers in the halo of the rank that is asked */
    int64_t *asking;  /* [2 * layer] cells that ask */
    int *ranks;       /* [2 * layer] */
    int32_t *labels;  /* [2 * layer] numbers that the halo's cells have where they are own */
} crossing;

/* ---- minima of all ranks --------------------------------------------------------------------- */

static halo_status count_minima(halo_split *s)
{
    int ranks = halo_world_ranks(s->world);
    halo_status status = HALO_ALLOCATE(s->counts, ranks, "peaks");
    HALO_IF_OK(status, HALO_ALLOCATE(s->offsets, ranks + 1, "peaks"));
    HALO_IF_OK(status, HALO_ALLOCATE_LARGE(s->global, s->minima + 1 + 2 * s->layer, "peaks"));
    HALO_TRY(halo_agree(s->world, status));
    s->counts[halo_world_rank(s->world)] = s->minima;
    HALO_TRY(halo_allreduce_sum(s->world, s->counts, ranks));
    for (int rank = 0; rank < ranks; rank++) {
        s->offsets[rank + 1] = s->offsets[rank] + s->counts[rank];
    }
    HALO_FAIL_IF(s->offsets[ranks] >= INT32_MAX - 1, HALO_ARGUMENT,
                 "the image has 2^31 peaks or more; smooth it, or cut it into parts");
    int64_t before = s->offsets[halo_world_rank(s->world)];
    for (int64_t i = 1; i <= s->minima; i++) {
        s->global[i] = (int32_t)(before + i);
    }
    return HALO_OK;
}

/* ---- targets --------------------------------------------------------------------------------- */

static void set_target(crossing *c, int64_t i)
{
    const halo_split *s = c->split;
    int rank = i < s->layer ? s->before : s->after;
    int32_t label = c->labels[i];
    bool none = rank < 0 || label == 0;
    c->target[i] = none ? NOTHING
                   : label <= s->counts[rank]
                       ? s->offsets[rank] + label
                       : AWAY - (2 * s->layer * rank + label - (s->counts[rank] + 1));
}

static int64_t list_queries(crossing *c)
{
    const halo_split *s = c->split;
    int64_t count = 0, all = 2 * s->layer;
    for (int64_t i = 0; i < all; i++) {
        if (c->target[i] <= AWAY) {
            int64_t away = AWAY - c->target[i];
            c->asking[count] = i;
            c->ranks[count] = (int)(away / all);
            c->queries[count++] = away % all;
        }
    }
    return count;
}

static halo_status answer(void *context, const void *data, int64_t count, int64_t *answers)
{
    const crossing *c = context;
    const int64_t *cells = data;
    for (int64_t i = 0; i < count; i++) {
        answers[i] = c->target[cells[i]];
    }
    return HALO_OK;
}

/* Collective. */
static halo_status settle(crossing *c)
{
    halo_split *s = c->split;
    for (;;) {
        int64_t count = list_queries(c), left = count;
        HALO_TRY(halo_allreduce_sum(s->world, &left, 1));
        if (left == 0) {
            return HALO_OK;
        }
        const halo_queries queries = {
            .count = count, .size = sizeof *c->queries, .ranks = c->ranks, .data = c->queries};
        s->report.rounds++;
        HALO_TRY(halo_rendezvous(s->world, &queries, answer, c, c->answers));
        for (int64_t i = 0; i < count; i++) {
            c->target[c->asking[i]] = c->answers[i];
        }
    }
}

/* ---- minima that are cut --------------------------------------------------------------------- */

static halo_status add_pair(halo_split *s, int32_t a, int32_t b)
{
    bool again = s->pair_count > 0 && s->pairs[s->pair_count - 1].a == a &&
                 s->pairs[s->pair_count - 1].b == b;
    if (again) {
        return HALO_OK;
    }
    if (s->pair_count == s->pair_room) {
        HALO_TRY(halo_grow(&s->pairs, &s->pair_room, s->pair_count, sizeof *s->pairs, "peaks"));
    }
    s->pairs[s->pair_count++] = (split_pair){a, b};
    return HALO_OK;
}

/* Minima of the last layer and of the halo after it. The halo's ways are those before plateaus:
 * only minima, and what leads to none, is flat there still, and that has no minimum's number. */
static halo_status find_pairs(crossing *c)
{
    halo_split *s = c->split;
    if (s->after < 0) {
        return HALO_OK;
    }
    for (int64_t cell = s->end - s->layer; cell < s->end; cell++) {
        for (int k = s->around.count / 2; k < s->around.count && s->ways[cell] == SPLIT_FLAT; k++) {
            int64_t other = cell + s->around.step[k], i = other - s->end;
            if (i < 0 || i >= s->layer || split_key(s, other) != split_key(s, cell)) {
                continue;
            }
            int32_t label = c->labels[s->layer + i];
            if (s->ways[other] == SPLIT_FLAT && label > 0 && label <= s->counts[s->after]) {
                HALO_TRY(add_pair(s, s->global[s->numbers[cell]],
                                  (int32_t)(s->offsets[s->after] + label)));
            }
        }
    }
    return HALO_OK;
}

/* ---------------------------------------------------------------------------------------------- */

static halo_status create(crossing *c)
{
    static const char what[] = "borders of basins";
    int64_t n = 2 * c->split->layer;
    HALO_TRY(HALO_ALLOCATE_LARGE(c->target, n, what));
    HALO_TRY(HALO_ALLOCATE_LARGE(c->answers, n, what));
    HALO_TRY(HALO_ALLOCATE_LARGE(c->queries, n, what));
    HALO_TRY(HALO_ALLOCATE_LARGE(c->asking, n, what));
    HALO_TRY(HALO_ALLOCATE_LARGE(c->ranks, n, what));
    return HALO_ALLOCATE_LARGE(c->labels, n, what);
}

/* Collective. */
static halo_status resolve(crossing *c)
{
    halo_split *s = c->split;
    HALO_TRY(halo_agree(s->world, create(c)));
    const int32_t *own = s->numbers + s->first, *end = s->numbers + s->end;
    HALO_TRY(split_swap(s, own, end - s->layer, c->labels, c->labels + s->layer,
                        s->layer * (int64_t)sizeof *c->labels));
    for (int64_t i = 0; i < 2 * s->layer; i++) {
        set_target(c, i);
    }
    HALO_TRY(settle(c));
    for (int64_t i = 0; i < 2 * s->layer; i++) {
        int64_t target = c->target[i];
        s->global[s->minima + 1 + i] = target != NOTHING ? (int32_t)target : 0;
    }
    return halo_agree(s->world, find_pairs(c));
}

halo_status split_resolve(halo_split *s)
{
    crossing c = {.split = s};
    HALO_TRY(count_minima(s));
    if (split_is_alone(s)) {
        return HALO_OK;
    }
    halo_status status = resolve(&c);
    void *const all[] = {c.target, c.answers, c.queries, c.asking, c.ranks, c.labels};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        halo_memory_free(all[i]);
    }
    return status;
}
