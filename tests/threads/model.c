#include "core/transport/threads/run.h"
#include "core/transport/threads/sync.h"
#include "core/world/world_internal.h"
#include "threads/pattern.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

/* model FIRST LAST: runs the patterns of these seeds, each in a random order of steps. Ranks are
 * coroutines of one thread, and the transport, compiled with HALO_SYNC_STEPPED, gives way before
 * each atomic operation: what two ranks do at the same time happens in every order some time, and a
 * rank that nobody wakes is found at once, since then all are asleep. Memory is consistent here;
 * the sanitizer of threads looks at what the processor may reorder. */

enum {
    MOST_RANKS = 4,
    STACK = 256 * 1024,
    MOST_STEPS = 3000000 /* of a pattern; one that takes more does not end */
};

typedef struct {
    ucontext_t context;
    char *stack;
    bool done;
    atomic_uint *asleep_on; /* NULL: awake */
    bool timed;             /* wakes by itself at some time */
    int priority;
} coroutine;

static struct {
    uint64_t random;
    coroutine rank[MOST_RANKS];
    int ranks, current;
    int64_t steps;
    int eagerness;    /* it goes on after one of so many steps with another rank */
    bool prioritised; /* the awake rank of the highest priority goes on; it changes at times */
    bool stuck;
    ucontext_t main;
    halo_team *team;
    pattern pattern;
    halo_status status[MOST_RANKS];
} model;

/* ---- the scheduler --------------------------------------------------------------------------- */

static bool may_run(const coroutine *c)
{
    return !c->done && c->asleep_on == NULL;
}

/* One that may go on; -1: none may. A rank that sleeps for a time is woken when no other is awake,
 * or, seldom, before. */
static int choose(void)
{
    int best = -1, awake = 0, timed = -1;
    for (int r = 0; r < model.ranks; r++) {
        coroutine *c = &model.rank[r];
        awake += may_run(c);
        timed = c->asleep_on != NULL && c->timed && !c->done ? r : timed;
        if (may_run(c) &&
            (best < 0 ||
             (model.prioritised ? c->priority > model.rank[best].priority
                                : pattern_random(&model.random, (uint64_t)awake) == 0))) {
            best = r;
        }
    }
    if (timed >= 0 && (best < 0 || pattern_random(&model.random, 100) == 0)) {
        model.rank[timed].asleep_on = NULL;
        best = timed;
    }
    return best;
}

static void give_way(void)
{
    int from = model.current, to = choose();
    model.stuck = model.stuck || to < 0;
    if (model.stuck) {
        swapcontext(&model.rank[from].context, &model.main);
    } else if (to != from) {
        model.current = to;
        swapcontext(&model.rank[from].context, &model.rank[to].context);
    }
}

void halo_sync_step(void)
{
    if (model.ranks == 0) { /* before and after a pattern */
        return;
    }
    model.stuck = model.stuck || ++model.steps > MOST_STEPS;
    if (model.prioritised && pattern_random(&model.random, 30) == 0) {
        uint64_t any = pattern_random(&model.random, (uint64_t)model.ranks);
        model.rank[any].priority = (int)pattern_random(&model.random, 1000);
    }
    if (model.stuck || pattern_random(&model.random, (uint64_t)model.eagerness) == 0) {
        give_way();
    }
}

/* A rank that only looks again lets others go on, whatever its priority. */
void halo_sync_yield(void)
{
    halo_sync_step();
    model.rank[model.current].priority = 0;
    give_way();
}

void halo_sync_sleep(atomic_uint *word, unsigned seen, long nanoseconds)
{
    halo_sync_step();
    if (atomic_load(word) == seen) {
        coroutine *self = &model.rank[model.current];
        self->asleep_on = word;
        self->timed = nanoseconds >= 0;
        give_way();
    }
}

void halo_sync_wake(atomic_uint *word, int count)
{
    halo_sync_step();
    for (int r = 0; r < model.ranks && count > 0; r++) {
        if (model.rank[r].asleep_on == word) {
            model.rank[r].asleep_on = NULL;
            count--;
        }
    }
}

/* ---- ranks ----------------------------------------------------------------------------------- */

static void run_rank(void)
{
    int rank = model.current;
    halo_world *world;
    halo_status status = halo_world_create_threads(&world, model.team, rank, NULL);
    if (status == HALO_OK) {
        world->policy = WAIT_SCARCE; /* which sleeps soon */
        status = pattern_run(world, &model.pattern);
        halo_world_destroy(&world);
    }
    model.status[rank] = status;
    model.rank[rank].done = true;
    int next = choose();
    bool left = false;
    for (int r = 0; r < model.ranks; r++) {
        left = left || !model.rank[r].done;
    }
    model.stuck = model.stuck || (left && next < 0);
    model.current = next;
    setcontext(left && !model.stuck ? &model.rank[next].context : &model.main);
}

static void begin(void)
{
    for (int r = 0; r < model.ranks; r++) {
        coroutine *c = &model.rank[r];
        char *stack = c->stack;
        *c = (coroutine){.stack = stack, .priority = (int)pattern_random(&model.random, 1000)};
        getcontext(&c->context);
        c->context.uc_stack.ss_sp = stack;
        c->context.uc_stack.ss_size = STACK;
        makecontext(&c->context, run_rank, 0);
    }
    model.current = 0;
    swapcontext(&model.main, &model.rank[0].context);
}

/* Does everything come as it must, in one order of the steps? */
static bool check(uint64_t seed)
{
    pattern_make(&model.pattern, seed, MOST_RANKS, true);
    model.random = seed * 0x9E3779B97F4A7C15ULL + 1;
    model.eagerness = 1 + (int)pattern_random(&model.random, 8);
    model.prioritised = pattern_random(&model.random, 2) == 0;
    model.steps = 0;
    model.stuck = false;
    if (halo_team_create(&model.team, model.pattern.ranks) != HALO_OK) {
        return false;
    }
    model.ranks = model.pattern.ranks;
    begin();
    bool good = !model.stuck && atomic_load(&model.pattern.wrong) == 0;
    for (int r = 0; r < model.ranks && good; r++) {
        good = model.status[r] == HALO_OK || model.pattern.breaking >= 0;
    }
    if (!good) {
        printf("seed %" PRIu64 ": %s after %" PRId64 " steps of %d ranks\n", seed,
               !model.stuck               ? "a wrong result"
               : model.steps > MOST_STEPS ? "no end"
                                          : "all ranks sleep",
               model.steps, model.ranks);
    }
    model.ranks = 0;
    if (good) { /* else ranks are still in the middle of it */
        halo_team_destroy(&model.team);
    }
    return good;
}

int main(int argc, char **argv)
{
    uint64_t first = argc > 2 ? strtoull(argv[1], NULL, 10) : 1;
    uint64_t last = argc > 2 ? strtoull(argv[2], NULL, 10) : 20000;
    int64_t steps = 0;
    for (int r = 0; r < MOST_RANKS; r++) {
        model.rank[r].stack = malloc(STACK);
        if (model.rank[r].stack == NULL) {
            return 1;
        }
    }
    for (uint64_t seed = first; seed <= last; seed++) {
        if (!check(seed)) {
            return 1;
        }
        steps += model.steps;
    }
    printf("%" PRIu64 " patterns, %" PRId64 " steps\n", last - first + 1, steps);
    for (int r = 0; r < MOST_RANKS; r++) {
        free(model.rank[r].stack);
    }
    return 0;
}
