#include "partition/schedule/ledger.h"

#include "base/memory.h"

#include <stdlib.h>

enum { BITS = 64 };

struct halo_ledger {
    int64_t tasks, unfinished;
    int64_t again; /* tasks before it are given again next */
    uint64_t *finished;
};

static halo_status make(halo_ledger **out, int64_t tasks)
{
    HALO_TRY(HALO_ALLOCATE(*out, 1, "a list of tasks"));
    halo_ledger *ledger = *out;
    ledger->tasks = ledger->unfinished = ledger->again = tasks;
    return HALO_ALLOCATE(ledger->finished, (size_t)(tasks / BITS + 1), "a list of tasks");
}

halo_status halo_ledger_create(halo_ledger **out, int64_t tasks)
{
    *out = NULL;
    halo_status status = make(out, tasks);
    if (status != HALO_OK) {
        halo_ledger_destroy(out);
    }
    return status;
}

void halo_ledger_destroy(halo_ledger **ledger)
{
    if (*ledger != NULL) {
        free((*ledger)->finished);
        free(*ledger);
        *ledger = NULL;
    }
}

bool halo_ledger_is_finished(const halo_ledger *ledger, int64_t task)
{
    return (ledger->finished[task / BITS] >> (task % BITS) & 1) != 0;
}

bool halo_ledger_finish(halo_ledger *ledger, int64_t task)
{
    if (halo_ledger_is_finished(ledger, task)) {
        return false;
    }
    ledger->finished[task / BITS] |= UINT64_C(1) << (task % BITS);
    ledger->unfinished--;
    return true;
}

int64_t halo_ledger_unfinished(const halo_ledger *ledger)
{
    return ledger->unfinished;
}

/* The last unfinished task before `end`; -1 if there is none. Words of finished ones are skipped.
 */
static int64_t last_before(const halo_ledger *ledger, int64_t end)
{
    for (int64_t task = end - 1; task >= 0; task--) {
        if (task % BITS == BITS - 1 && ledger->finished[task / BITS] == UINT64_MAX) {
            task -= BITS - 1;
        } else if (!halo_ledger_is_finished(ledger, task)) {
            return task;
        }
    }
    return -1;
}

bool halo_ledger_again(halo_ledger *ledger, int64_t most, int64_t *lo, int64_t *hi)
{
    int64_t last = last_before(ledger, ledger->again);
    last = last >= 0 ? last : last_before(ledger, ledger->tasks);
    if (last < 0 || most < 1) {
        return false;
    }
    *hi = last + 1;
    *lo = last;
    while (*lo > 0 && *hi - *lo < most && !halo_ledger_is_finished(ledger, *lo - 1)) {
        --*lo;
    }
    ledger->again = *lo;
    return true;
}
