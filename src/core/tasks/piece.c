#include "core/tasks/piece.h"

#include "base/minmax.h"

#include <limits.h>
#include <string.h>

/* Tasks before `task` have found nothing. */
static halo_status report_silent(task_piece *piece, int64_t task)
{
    halo_status status = HALO_OK;
    for (; piece->reported < task; piece->reported++) {
        status = halo_status_first(
            status, task_results_add(&piece->found, piece->reported, HALO_OK, NULL, 0));
    }
    return status;
}

static halo_status add(task_piece *piece, int64_t task, halo_status status, const void *data,
                       size_t bytes)
{
    HALO_TRY(report_silent(piece, task));
    piece->reported = task + 1;
    return task_results_add(&piece->found, task, status, data, bytes);
}

halo_status halo_task_put(halo_task_range *range, const void *data, size_t bytes)
{
    task_piece *piece = range->results;
    int64_t task = range->task - piece->shift;
    if (task < piece->reported || range->task >= range->hi) {
        return halo_fail(HALO_ARGUMENT,
                         "task %lld says what it found, where it is the turn of %lld to %lld; put "
                         "one result for a task, in ascending order, with range->task set to it",
                         (long long)range->task, (long long)(piece->reported + piece->shift),
                         (long long)range->hi - 1);
    }
    if (bytes > INT_MAX / 2) {
        return halo_fail(HALO_ARGUMENT, "task %lld found %zu bytes; the limit is %d",
                         (long long)range->task, bytes, INT_MAX / 2);
    }
    return add(piece, task, HALO_OK, data, bytes);
}

const void *halo_task_data(const halo_task_range *range, size_t *bytes)
{
    const task_piece *piece = range->results;
    const task_data *data = piece->data != NULL ? &piece->data[range->task - piece->shift] : NULL;
    *bytes = data != NULL ? data->size : 0;
    return *bytes > 0 ? data->bytes : NULL;
}

/* Behind the last task whose number follows that of the one before it. */
static int64_t end_of_stretch(const task_piece *piece, int64_t lo, int64_t hi)
{
    const halo_tasks_options *options = piece->options;
    int64_t end = options->numbers == NULL ? hi : lo + 1;
    while (end < hi && options->numbers[end] == options->numbers[end - 1] + 1) {
        end++;
    }
    return end;
}

bool task_piece_run(task_piece *piece, int64_t lo, int64_t hi, halo_status *memory)
{
    const halo_tasks_options *options = piece->options;
    piece->reported = lo;
    while (lo < hi) {
        int64_t behind = end_of_stretch(piece, lo, hi);
        int64_t number = halo_tasks_number(options, lo);
        halo_task_range range = {.lo = number,
                                 .hi = number + behind - lo,
                                 .task = number,
                                 .slot = piece->slot,
                                 .results = piece};
        piece->shift = number - lo;
        halo_status status = options->run(options->context, &range);
        int64_t task = range.task - piece->shift;
        if (status == HALO_OK && range.ended_early) {
            *memory = halo_status_first(*memory, report_silent(piece, task));
            return false;
        }
        if (status == HALO_OK) {
            lo = behind;
            continue;
        }
        lo = halo_max(lo, halo_min(task, behind - 1)) + 1;
        const char *message = halo_last_message();
        task_results_forget(&piece->found, lo - 1);
        *memory =
            halo_status_first(*memory, add(piece, lo - 1, status, message, strlen(message) + 1));
        if (!options->keep_going) {
            return false;
        }
    }
    *memory = halo_status_first(*memory, report_silent(piece, hi));
    return true;
}
