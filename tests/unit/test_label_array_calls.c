#include "core/transport/threads/run.h"
#include "kernels/label/label_array.h"
#include "support/array_layouts.h"
#include "support/array_progress.h"
#include "support/images.h"
#include "support/unit_check.h"

#include <pthread.h>

/* Calls of halo_label_array that end early, several at a time, and those of the ranks of a world.
 */

/* ---- progress, and several calls at a time --------------------------------------------------- */

TEST("a function of progress is called on the caller's thread, and cancels")
{
    static uint8_t grid[512][512];
    static int32_t labels[512][512];
    static const int64_t n[] = {512, 512};
    int64_t regions;
    halo_array from = array_plain(HALO_SAMPLE_U8, 2, n, grid),
               to = array_plain(HALO_SAMPLE_I32, 2, n, labels);
    halo_context *context;
    SUCCEEDS(halo_context_create(&context));
    for (int ranks = 1; ranks <= 3; ranks++) {
        array_progress w = array_progress_until(1);
        SUCCEEDS(halo_context_set_ranks(context, ranks));
        halo_context_set_progress(context, array_progress_watch, &w);
        FAILS(HALO_CANCELLED, "cancelled", halo_label_array(context, &from, &to, NULL, &regions));
        check(w.calls == 1, "%d calls", w.calls);
        w = array_progress_until(INT32_MAX);
        SUCCEEDS(halo_label_array(context, &from, &to, NULL, &regions));
        check(w.calls > 0, "%d calls", w.calls);
    }
    FAILS(HALO_ARGUMENT, "-1 ranks", halo_context_set_ranks(context, -1));
    halo_context_set_progress(context, NULL, NULL);
    halo_context_set_instructions(context, "sse9");
    FAILS(HALO_ARGUMENT, "sse9", halo_label_array(context, &from, &to, NULL, &regions));
    halo_context_destroy(&context);
}

enum { CALLERS = 5, CALLS = 20 };

typedef struct {
    int number, wrong;
    pthread_t thread;
} caller;

/* Checkerboards of a size of its own, labelled by 4 and by 8 neighbours, and a call that fails. */
static void *call_often(void *context)
{
    caller *self = context;
    int64_t side = 60 + self->number, n[] = {side, side}, regions;
    uint8_t *grid = malloc((size_t)(side * side));
    int32_t *labels = malloc((size_t)(side * side) * sizeof *labels);
    halo_array from = array_plain(HALO_SAMPLE_U8, 2, n, grid),
               to = array_plain(HALO_SAMPLE_I32, 2, n, labels);
    halo_context *own;
    self->wrong = halo_context_create(&own) != HALO_OK || grid == NULL || labels == NULL;
    for (int64_t i = 0; self->wrong == 0 && i < side * side; i++) {
        grid[i] = (i / side + i % side) % 2 == 0;
    }
    for (int i = 0; i < CALLS && self->wrong == 0; i++) {
        halo_label_array_options eight = {.connectivity = 8}, nine = {.connectivity = 9};
        self->wrong += halo_context_set_ranks(own, 1 + i % 3) != HALO_OK;
        self->wrong += halo_label_array(own, &from, &to, NULL, &regions) != HALO_OK ||
                       regions != (side * side + 1) / 2;
        self->wrong +=
            halo_label_array(own, &from, &to, &eight, &regions) != HALO_OK || regions != 1;
        self->wrong += halo_label_array(own, &from, &to, &nine, &regions) != HALO_ARGUMENT ||
                       strstr(halo_last_message(), "connectivity 9") == NULL;
    }
    halo_context_destroy(&own);
    free(grid);
    free(labels);
    return NULL;
}

TEST("several threads of a program make calls at the same time")
{
    caller callers[CALLERS] = {0};
    for (int i = 0; i < CALLERS; i++) {
        callers[i].number = i;
        check(pthread_create(&callers[i].thread, NULL, call_often, &callers[i]) == 0, "a thread");
    }
    for (int i = 0; i < CALLERS; i++) {
        pthread_join(callers[i].thread, NULL);
        check(callers[i].wrong == 0, "thread %d: %d wrong", i, callers[i].wrong);
    }
}

/* ---- collective calls ------------------------------------------------------------------------ */

enum { STRIP_ROWS = 40, STRIP_COLUMNS = 70 };

typedef struct {
    uint8_t (*grid)[STRIP_COLUMNS];
    int32_t (*labels)[STRIP_COLUMNS];
    const int64_t *cuts;
    int64_t wrong_columns; /* of rank 1 */
    int narrow;            /* the rank with labels of 8 bits, or -1 */
    _Atomic int64_t regions;
} strips_job;

static halo_status label_strip_of(halo_world *world, void *context)
{
    strips_job *job = context;
    int rank = halo_world_rank(world);
    int64_t first = job->cuts[rank], rows = job->cuts[rank + 1] - first, regions;
    int64_t columns = STRIP_COLUMNS - (rank == 1 ? job->wrong_columns : 0);
    static uint8_t small[STRIP_ROWS][STRIP_COLUMNS];
    halo_array from = array_plain(HALO_SAMPLE_U8, 2, (int64_t[]){rows, columns}, job->grid[first]);
    halo_array to = array_plain(HALO_SAMPLE_I32, 2, (int64_t[]){rows, columns}, job->labels[first]);
    halo_context *own;
    if (rank == job->narrow) {
        to = array_plain(HALO_SAMPLE_U8, 2, (int64_t[]){rows, columns}, small);
    }
    if (rows == 0) {
        from.data = to.data = NULL;
    }
    HALO_TRY(halo_context_create(&own));
    halo_context_set_world(own, world);
    halo_status status = halo_label_array(own, &from, &to, NULL, &regions);
    halo_context_destroy(&own);
    if (regions > 0) {
        job->regions += regions;
    }
    return status;
}

TEST("ranks of a world label their strips of one array")
{
    static uint8_t grid[STRIP_ROWS][STRIP_COLUMNS];
    static int32_t labels[STRIP_ROWS][STRIP_COLUMNS], wanted[STRIP_ROWS][STRIP_COLUMNS];
    static const int64_t cuts[][5] = {
        {0, 10, 20, 30, 40}, {0, 0, 1, 40, 40}, {0, 40, 40, 40, 40}, {0, 0, 0, 0, 0}};
    static const int64_t n[] = {STRIP_ROWS, STRIP_COLUMNS};
    uint64_t random = 3;
    int64_t regions;
    halo_array from = array_plain(HALO_SAMPLE_U8, 2, n, grid),
               to = array_plain(HALO_SAMPLE_I32, 2, n, wanted);
    for (int i = 0; i < STRIP_ROWS * STRIP_COLUMNS; i++) {
        grid[i / STRIP_COLUMNS][i % STRIP_COLUMNS] = random_below(&random, 2) == 0;
    }
    SUCCEEDS(halo_label_array(NULL, &from, &to, NULL, &regions));
    for (size_t c = 0; c < COUNT(cuts); c++) {
        strips_job job = {.grid = grid, .labels = labels, .cuts = cuts[c], .narrow = -1};
        bool all = cuts[c][4] == STRIP_ROWS;
        memset(labels, 0x55, sizeof labels);
        SUCCEEDS(halo_run(4, NULL, label_strip_of, &job));
        check(job.regions == (all ? 4 * regions : 0), "%" PRId64 " regions", (int64_t)job.regions);
        check(!all || memcmp(labels, wanted, sizeof labels) == 0, "cuts %zu: labels differ", c);
    }
    strips_job job = {.grid = grid, .labels = labels, .cuts = cuts[0], .narrow = -1};
    job.wrong_columns = 1;
    FAILS(HALO_ARGUMENT, "those of the ranks differ", halo_run(4, NULL, label_strip_of, &job));
    for (int i = 0; i < STRIP_ROWS * STRIP_COLUMNS; i++) {
        grid[i / STRIP_COLUMNS][i % STRIP_COLUMNS] = (i / STRIP_COLUMNS + i) % 2 == 0;
    }
    job = (strips_job){.grid = grid, .labels = labels, .cuts = cuts[1], .narrow = 2};
    FAILS(HALO_ARGUMENT, "rank 2: 1400 regions are more than labels of uint8",
          halo_run(4, NULL, label_strip_of, &job));
}
