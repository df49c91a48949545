#include "support/array_progress.h"

#include "support/unit_check.h"

array_progress array_progress_until(int limit)
{
    return (array_progress){.limit = limit, .thread = pthread_self()};
}

/* A rank that waits reports thousands of times if it is let: only what is wrong is asserted. */
bool array_progress_watch(void *context, int64_t done, int64_t total)
{
    array_progress *progress = context;
    bool alone = pthread_equal(progress->thread, pthread_self()) != 0;
    bool possible = done >= progress->done && (total == 0 || done <= total);
    bool same = progress->calls == 0 || total == progress->total;
    if (!alone || !possible || !same || progress->calls >= progress->limit) {
        check(false,
              "%" PRId64 " of %" PRId64 " after %" PRId64 " of %" PRId64
              ", call %d of at most %d, %s thread",
              done, total, progress->done, progress->total, progress->calls + 1, progress->limit,
              alone ? "the caller's" : "another");
    }
    progress->calls++;
    progress->done = done;
    progress->total = total;
    return progress->calls >= progress->limit;
}
