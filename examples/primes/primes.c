/* A bag of tasks: counts primes by trial division, in blocks of which the later ones take longer.
 * Rank 0 adds up what all ranks find.
 *   primes 10000000 guided
 * The schedule may be any of those in docs/scheduling.md. */

#include <halobeat/halobeat.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1000 }; /* numbers of a task */

typedef struct {
    int64_t limit; /* primes below it */
    int64_t found; /* on rank 0 */
} primes;

static bool is_prime(int64_t number)
{
    bool prime = number > 1;
    for (int64_t divisor = 2; prime && divisor * divisor <= number; divisor++) {
        prime = number % divisor != 0;
    }
    return prime;
}

/* In a thread of its own, on any rank: tasks must not depend on each other. */
static halo_status run(void *context, halo_task_range *range)
{
    const primes *p = context;
    for (range->task = range->lo; range->task < range->hi; range->task++) {
        int64_t first = range->task * BLOCK, end = halo_min(first + BLOCK, p->limit), found = 0;
        for (int64_t number = first; number < end; number++) {
            found += is_prime(number);
        }
        HALO_TRY(halo_task_put(range, &found, sizeof found));
    }
    return HALO_OK;
}

/* On rank 0, once for each task. */
static halo_status collect(void *context, int64_t task, const void *data, size_t bytes)
{
    int64_t found;
    (void)task;
    memcpy(&found, data, bytes);
    ((primes *)context)->found += found;
    return HALO_OK;
}

static void print(const primes *p, const halo_tasks_report *report)
{
    printf("%" PRId64 " primes below %" PRId64 "\n", p->found, p->limit);
    for (int rank = 0; rank < report->ranks; rank++) {
        const halo_tasks_rank *r = &report->by_rank[rank];
        printf("rank %d: %" PRId64 " tasks in %" PRId64 " chunks, %.3f s working\n", rank, r->tasks,
               r->chunks, r->working);
    }
}

static halo_status count(halo_world *world, primes *p, const char *schedule)
{
    const halo_tasks_options options = {.count = (p->limit + BLOCK - 1) / BLOCK,
                                        .context = p,
                                        .run = run,
                                        .collect = collect,
                                        .schedule = schedule};
    halo_tasks *tasks;
    HALO_TRY(halo_tasks_create(&tasks, world, &options));
    halo_status status = halo_tasks_run(tasks);
    const halo_tasks_report report = halo_tasks_get_report(tasks);
    if (status == HALO_OK && report.by_rank != NULL) {
        print(p, &report);
    }
    halo_tasks_destroy(&tasks);
    return status;
}

static halo_status count_all(halo_world *world, void *words)
{
    char *const *argument = words; /* NULL ends them */
    primes p = {.limit = 1000000};
    const char *schedule = NULL;
    if (argument[0] != NULL) {
        p.limit = strtoll(argument[0], NULL, 10);
        schedule = argument[1];
    }
    return count(world, &p, schedule);
}

int main(int argc, char **argv)
{
    return halo_program_run(argc, argv, count_all, argv + 1);
}
