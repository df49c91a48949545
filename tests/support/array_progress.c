#include "support/array_progress.h"

#include "support/unit_check.h"

array_progress array_progress_until(int limit)
{
    return (array_progress){.limit = limit, .thread = pthread_self()};
}

bool array_progress_watch(void *context, int64_t done, int64_t total)
{
    array_progress *progress = context;
    check(progress->calls < progress->limit, "called again after it has cancelled");
    progress->calls++;
    check(pthread_equal(progress->thread, pthread_self()) != 0, "another thread");
    check(done >= progress->done && (total == 0 || done <= total), "%" PRId64 " of %" PRId64, done,
          total);
    check(progress->calls == 1 || total == progress->total, "the total is now %" PRId64, total);
    progress->done = done;
    progress->total = total;
    return progress->calls >= progress->limit;
}
