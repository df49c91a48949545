#include "support/failing_memory.h"

#include "base/memory.h"
#include "core/world/collect.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stddef.h>

enum { MAX_RANKS = 64 };

/* Allocations have no argument for it, and are made in any thread of a rank. */
static struct {
    atomic_bool armed, failed;
    atomic_int_fast64_t left;
} of_rank[MAX_RANKS];
static atomic_int ranks_armed;

/* Memory that the transport of threads allocates for a message is not refused: the world ends with
 * it, as tests/threads/test_runs.c sees to, and the ranks could not go on to the next allocation.
 */
static PER_RANK bool in_transport;

void failing_memory_arm(int64_t allocations)
{
    int rank = my_rank();
    of_rank[rank].failed = false;
    of_rank[rank].left = allocations;
    of_rank[rank].armed = true;
    ranks_armed++;
}

bool failing_memory_disarm(void)
{
    int rank = my_rank();
    ranks_armed -= of_rank[rank].armed;
    of_rank[rank].armed = false;
    return of_rank[rank].failed;
}

static bool refuse(void)
{
    if (ranks_armed == 0 || in_transport) {
        return false;
    }
    int rank = my_rank();
    if (!of_rank[rank].armed || of_rank[rank].failed || of_rank[rank].left-- > 0) {
        return false;
    }
    of_rank[rank].failed = true;
    return true;
}

/* The linker's names for a wrapped function (--wrap) and for what it stands in front of. */
void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
halo_status __real_halo_memory_create(void **out, size_t bytes, const char *what);
halo_status __real_halo_memory_reserve(void **out, size_t bytes, const char *what);

void *__wrap_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes)
{
    return refuse() ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes)
{
    return refuse() ? NULL : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *memory, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes)
{
    return refuse() ? NULL : __real_realloc(memory, bytes);
}

halo_status __wrap_halo_memory_create(void **out, size_t bytes, const char *what);
halo_status __wrap_halo_memory_create(void **out, size_t bytes, const char *what)
{
    if (refuse()) {
        *out = NULL;
        return halo_fail(HALO_MEMORY, "out of memory: %s", what);
    }
    return __real_halo_memory_create(out, bytes, what);
}

halo_status __wrap_halo_memory_reserve(void **out, size_t bytes, const char *what);
halo_status __wrap_halo_memory_reserve(void **out, size_t bytes, const char *what)
{
    if (refuse()) {
        *out = NULL;
        return halo_fail(HALO_MEMORY, "out of memory: %s", what);
    }
    return __real_halo_memory_reserve(out, bytes, what);
}

struct threads_rank;
struct threads_message;
struct threads_message *__real_halo_threads_message(struct threads_rank *self, int bytes);
struct threads_message *__wrap_halo_threads_message(struct threads_rank *self, int bytes);
struct threads_message *__wrap_halo_threads_message(struct threads_rank *self, int bytes)
{
    in_transport = true;
    struct threads_message *message = __real_halo_threads_message(self, bytes);
    in_transport = false;
    return message;
}

/* ---- jobs ------------------------------------------------------------------------------------ */

bool failing_memory_once(failing_job *run, void *context, int victim, int64_t nth, bool with_less,
                         const char *what)
{
    bool is_victim = my_rank() == victim;
    if (is_victim) {
        failing_memory_arm(nth);
    }
    halo_status status = run(context);
    bool was = is_victim && failing_memory_disarm();
    expect_ok(halo_bcast(mpi_check_world(), &was, sizeof was, victim));
    expect(status == (was ? HALO_MEMORY : HALO_OK) || (with_less && status == HALO_OK),
           "%s, allocation %" PRId64 " of rank %d: status %d, %s", what, nth, victim, (int)status,
           halo_last_message());
    return was;
}

void failing_memory_each(failing_job *run, void (*check)(void *context), void *context,
                         bool with_less, const char *what)
{
    int last = all_ranks() - 1;
    for (int victim = 0; victim <= last; victim += last > 0 ? last : 1) {
        int64_t nth = 0;
        for (bool again = true; again; nth++) {
            again = failing_memory_once(run, context, victim, nth, with_less, what);
            if (check != NULL) {
                check(context);
            }
        }
        /* One rank alone may have all it needs from the time before. */
        expect(nth > 1 || last == 0, "%s: rank %d allocates nothing", what, victim);
    }
}
