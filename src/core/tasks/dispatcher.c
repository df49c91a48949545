#include "core/tasks/tasks_internal.h"
#include "core/world/clock.h"
#include "core/world/simulated_compute.h"

#include <stdio.h>
#include <string.h>

/* A dispatcher decides which rank gets which tasks. */

/* The schedule's number of a rank: rank 0 is no worker where it rests. */
static int worker_of(const halo_tasks *tasks, int rank)
{
    return rank - tasks->first;
}

/* Does this rank's dispatcher hold tasks of its own, which come from another dispatcher? */
static bool is_relay(const halo_tasks *tasks)
{
    return tasks->rank > 0 && tasks->leader == tasks->rank &&
           (tasks->place == HALO_SCHEDULE_GROUPS || tasks->place == HALO_SCHEDULE_CHAIN);
}

/* ---- data that travels with tasks ------------------------------------------------------------ */

/* Appends the data of tasks to a message. */
static halo_status add_data(halo_tasks *tasks, int64_t lo, int64_t hi, halo_buffer *out)
{
    for (int64_t task = lo; tasks->data != NULL && task < hi; task++) {
        task_data here = tasks->data[task];
        if (tasks->rank == 0) {
            const void *given = tasks->options.data(
                tasks->options.context, halo_tasks_number(&tasks->options, task), &here.size);
            here.bytes = (void *)given;
        }
        const uint64_t size = here.size;
        HALO_TRY(halo_buffer_append(out, &size, sizeof size));
        HALO_TRY(halo_buffer_append(out, here.bytes, here.size));
    }
    return HALO_OK;
}

halo_status halo_tasks_keep_data(halo_tasks *tasks, int64_t task, const void *bytes, size_t size)
{
    task_data *data = &tasks->data[task];
    if (data->bytes == NULL && size > 0) {
        data->bytes = halo_memory_zeroed(size, 1, "the data of task %lld", (long long)task);
        if (data->bytes == NULL) {
            return HALO_MEMORY;
        }
        memcpy(data->bytes, bytes, size);
        data->size = size;
    }
    return HALO_OK;
}

static halo_status take_data(halo_tasks *tasks, const task_head *head, const void *data)
{
    const unsigned char *at = data;
    for (int64_t task = head->lo; tasks->data != NULL && task < head->hi; task++) {
        uint64_t size;
        memcpy(&size, at, sizeof size);
        HALO_TRY(halo_tasks_keep_data(tasks, task, at + sizeof size, (size_t)size));
        at += sizeof size + size;
    }
    return HALO_OK;
}

/* ---- handing out ----------------------------------------------------------------------------- */

halo_status halo_tasks_give(halo_tasks *tasks, int requester, const task_head *head)
{
    halo_buffer data = {0};
    if (requester == tasks->rank) {
        task_head own = *head;
        own.mail.from = tasks->rank;
        return halo_tasks_accept(tasks, &own);
    }
    halo_status status = add_data(tasks, head->lo, head->hi, &data);
    if (status == HALO_OK) {
        double flops = tasks->options.request_flops;
        halo_simulated_compute((flops > 0 ? flops : HALO_TASKS_REQUEST_FLOPS) +
                               HALO_TASKS_BYTE_FLOPS * (double)data.size);
        status = halo_mailbox_send_buffer(tasks->mailbox, requester, head, &data);
    }
    halo_buffer_free(&data);
    return status;
}

/* Rank 0 repeats tasks that have been out for longer than they usually take. A task that will be
 * finished soon should not be begun by somebody else, who would then be waited for. */
static bool is_time_for_again(halo_tasks *tasks)
{
    static const double usual = 2; /* times the mean */
    double now = halo_tasks_now(tasks);
    tasks->handed_out = tasks->handed_out < 0 ? now : tasks->handed_out;
    double mean = tasks->known_tasks > 0 ? tasks->known_seconds / tasks->known_tasks : 0;
    return !tasks->options.once && now - tasks->handed_out >= usual * mean;
}

bool halo_tasks_find_again(halo_tasks *tasks, task_head *out)
{
    int64_t unfinished = halo_ledger_unfinished(tasks->ledger);
    bool found =
        is_time_for_again(tasks) &&
        halo_ledger_again(tasks->ledger, halo_schedule_redundant(unfinished, tasks->workers),
                          &out->lo, &out->hi);
    out->mail.kind |= found ? TASK_AGAIN : 0;
    return found;
}

bool halo_tasks_fetch(halo_tasks *tasks, int requester, task_head *out)
{
    int64_t before = halo_schedule_left(tasks->schedule), count;
    int worker = tasks->place == HALO_SCHEDULE_CHAIN ? 0 : worker_of(tasks, requester);
    count = tasks->place == HALO_SCHEDULE_GROUPS
                ? halo_schedule_next_group(tasks->schedule, tasks->groups[requester])
                : halo_schedule_next(tasks->schedule, worker, 1);
    out->lo = tasks->options.count - before;
    out->hi = out->lo + count;
    if (halo_schedule_left(tasks->schedule) == 0 && tasks->handed_out < 0) {
        tasks->handed_out = halo_tasks_now(tasks);
    }
    return count > 0;
}

/* Rank 0 fetches tasks for a rank, or for the dispatcher of its group. If false, *out gives
 * nothing. */
static bool fetch(halo_tasks *tasks, int requester, bool idle, task_head *out)
{
    *out = (task_head){.mail.kind = TASK_GIVE};
    return halo_tasks_fetch(tasks, requester, out) || (idle && halo_tasks_find_again(tasks, out));
}

/* Rank 0 fetches the first of the tasks that were given back. */
static bool fetch_returned(halo_tasks *tasks, task_head *out)
{
    task_chunk first;
    halo_buffer *returned = &tasks->returned;
    if (returned->size == 0) {
        return false;
    }
    memcpy(&first, returned->data, sizeof first);
    *out = (task_head){.mail.kind = TASK_GIVE, .lo = first.lo, .hi = first.lo + 1};
    first.lo++;
    memcpy(returned->data, &first, sizeof first);
    if (first.lo == first.hi) {
        returned->size -= sizeof first;
        memmove(returned->data, returned->data + sizeof first, returned->size);
    }
    return true;
}

/* Rank 0 answers from its schedule. An idle rank that cannot be given anything gets something
 * later, or the news of the end. */
static halo_status answer_from_schedule(halo_tasks *tasks, int requester, bool idle)
{
    task_head head;
    if (fetch_returned(tasks, &head) || fetch(tasks, requester, idle, &head) || !idle) {
        return halo_tasks_give(tasks, requester, &head);
    }
    tasks->held[tasks->held_count++] = requester;
    return HALO_OK;
}

static halo_status answer_held(halo_tasks *tasks)
{
    halo_status status = HALO_OK;
    int count = tasks->held_count;
    tasks->held_count = 0;
    for (int i = 0; i < count && status == HALO_OK; i++) {
        status = answer_from_schedule(tasks, tasks->held[i], true); /* may hold it again */
    }
    return status;
}

halo_status halo_tasks_take_back(halo_tasks *tasks, int64_t lo, int64_t hi)
{
    const task_chunk chunk = {.lo = lo, .hi = hi};
    HALO_TRY(halo_buffer_append(&tasks->returned, &chunk, sizeof chunk));
    return answer_held(tasks);
}

/* ---- dispatchers that hold tasks
 * ------------------------------------------------------------------- */

static bool anyone_idle(const task_dispatcher *dispatcher)
{
    bool idle = false;
    for (int i = 0; i < dispatcher->count; i++) {
        idle = idle || dispatcher->is_idle[dispatcher->waiting[i]];
    }
    return idle;
}

static void remove_waiting(task_dispatcher *dispatcher, int i)
{
    dispatcher->count--;
    memmove(dispatcher->waiting + i, dispatcher->waiting + i + 1,
            sizeof *dispatcher->waiting * (size_t)(dispatcher->count - i));
}

/* A rank that still has something to do asks again when it has nothing. */
static halo_status dismiss_busy(halo_tasks *tasks)
{
    task_dispatcher *dispatcher = &tasks->dispatcher;
    const task_head none = {.mail.kind = TASK_GIVE};
    for (int i = dispatcher->count - 1; i >= 0; i--) {
        int requester = dispatcher->waiting[i];
        if (!dispatcher->is_idle[requester]) {
            remove_waiting(dispatcher, i);
            HALO_TRY(halo_tasks_give(tasks, requester, &none));
        }
    }
    return HALO_OK;
}

/* Asks for more, or, on rank 0, gets it. */
static halo_status refill(halo_tasks *tasks)
{
    task_dispatcher *dispatcher = &tasks->dispatcher;
    task_head head;
    bool idle = dispatcher->dry && anyone_idle(dispatcher);
    if (dispatcher->requested || (dispatcher->dry && !idle)) {
        return HALO_OK;
    }
    if (tasks->rank > 0) {
        head = (task_head){.mail.kind = TASK_ASK | (idle ? TASK_IDLE : 0)};
        HALO_TRY(halo_tasks_report_done(tasks));
        dispatcher->requested = true;
        dispatcher->requested_from = tasks->upstream;
        dispatcher->since = halo_tasks_now(tasks);
        return halo_mailbox_send_buffer(tasks->mailbox, dispatcher->requested_from, &head, NULL);
    }
    bool found = fetch(tasks, tasks->leader, idle, &head);
    dispatcher->dry = dispatcher->dry || !found;
    dispatcher->lo = head.lo;
    dispatcher->hi = head.hi;
    dispatcher->again = (head.mail.kind & TASK_AGAIN) != 0;
    return found || idle ? HALO_OK : refill(tasks); /* once more, for those who are idle */
}

halo_status halo_tasks_serve_dispatcher(halo_tasks *tasks)
{
    task_dispatcher *dispatcher = &tasks->dispatcher;
    while (dispatcher->count > 0) {
        if (dispatcher->lo == dispatcher->hi) {
            HALO_TRY(refill(tasks));
        }
        if (dispatcher->lo == dispatcher->hi) {
            return dispatcher->dry ? dismiss_busy(tasks) : HALO_OK;
        }
        const task_head head = {.mail.kind = TASK_GIVE | (dispatcher->again ? TASK_AGAIN : 0),
                                .lo = dispatcher->lo,
                                .hi = dispatcher->lo + 1};
        int requester = dispatcher->waiting[0];
        dispatcher->lo++;
        remove_waiting(dispatcher, 0);
        HALO_TRY(halo_tasks_give(tasks, requester, &head));
    }
    return HALO_OK;
}

/* Tasks have come for this dispatcher, or the news that there are none. */
static halo_status fill_dispatcher(halo_tasks *tasks, const task_head *head)
{
    task_dispatcher *dispatcher = &tasks->dispatcher;
    dispatcher->requested = dispatcher->requested && head->mail.from != dispatcher->requested_from;
    dispatcher->dry = dispatcher->dry || head->lo == head->hi;
    if (dispatcher->lo < dispatcher->hi) { /* this answer is late: another was asked meanwhile */
        halo_tasks_put_next(tasks, head);
        return halo_tasks_serve_dispatcher(tasks);
    }
    dispatcher->lo = head->lo;
    dispatcher->hi = head->hi;
    dispatcher->again = (head->mail.kind & TASK_AGAIN) != 0;
    return halo_tasks_serve_dispatcher(tasks);
}

halo_status halo_tasks_serve_held(halo_tasks *tasks)
{
    if (!halo_tasks_holds(tasks) || !is_time_for_again(tasks)) {
        return HALO_OK;
    }
    halo_status status = answer_held(tasks);
    return halo_status_first(status, halo_tasks_serve_dispatcher(tasks));
}

bool halo_tasks_holds(const halo_tasks *tasks)
{
    return tasks->rank == 0 && !tasks->options.once &&
           (tasks->held_count > 0 || (tasks->dispatcher.dry && tasks->dispatcher.count > 0));
}

static halo_status answer_from_dispatcher(halo_tasks *tasks, int requester, bool idle)
{
    task_dispatcher *dispatcher = &tasks->dispatcher;
    dispatcher->waiting[dispatcher->count++] = requester;
    dispatcher->is_idle[requester] = idle;
    return halo_tasks_serve_dispatcher(tasks);
}

/* ---- queues ---------------------------------------------------------------------------------- */

static halo_status answer_from_queue(halo_tasks *tasks, int requester, const task_head *request)
{
    task_head head = {.mail.kind = TASK_GIVE};
    if ((request->mail.kind & TASK_AGAIN) != 0) {
        head.mail.kind |= TASK_AGAIN;
        halo_tasks_find_again(tasks, &head);
        return halo_tasks_give(tasks, requester, &head);
    }
    int64_t count = halo_schedule_take(tasks->schedule, task_engine_left(tasks->engine).tasks);
    task_engine_take(tasks->engine, count, &head.lo, &head.hi);
    const task_engine_load load = task_engine_left(tasks->engine);
    head.seconds = load.tasks > 0 ? load.seconds : 0;
    return halo_tasks_give(tasks, requester, &head);
}

/* ---- messages -------------------------------------------------------------------------------- */

/* Notes the share of a core that a worker's tasks had: it may change during a long chunk. */
static void learn_available(halo_tasks *tasks, const task_head *head)
{
    if (tasks->rank == 0 && tasks->place == HALO_SCHEDULE_MASTER && head->available > 0) {
        tasks->available[head->mail.from] = head->available;
    }
}

/* Notes what a worker's tasks took, for schedules that learn. */
static void learn_seconds(halo_tasks *tasks, int requester, const task_head *head)
{
    tasks->known_tasks += (double)head->done;
    tasks->known_seconds += head->seconds;
    if (tasks->rank > 0 || tasks->place != HALO_SCHEDULE_MASTER) {
        return;
    }
    int worker = worker_of(tasks, requester);
    const halo_schedule_done done = {.tasks = head->done,
                                     .seconds = head->seconds,
                                     .squares = head->squares,
                                     .waited = head->waited};
    halo_schedule_note(tasks->schedule, worker, &done);
    if (halo_schedule_wants_weights(tasks->schedule)) {
        halo_schedule_set_weights(tasks->schedule, halo_tasks_weigh(tasks));
    }
}

void halo_tasks_learn(halo_tasks *tasks, int requester, const task_head *head)
{
    learn_available(tasks, head);
    learn_seconds(tasks, requester, head);
}

halo_status halo_tasks_answer(halo_tasks *tasks, int requester, const task_head *head)
{
    bool idle = (head->mail.kind & TASK_IDLE) != 0;
    double begun = halo_seconds();
    halo_tasks_learn(tasks, requester, head);
    bool from_schedule =
        tasks->rank == 0 &&
        (tasks->place == HALO_SCHEDULE_MASTER || tasks->place == HALO_SCHEDULE_CHAIN ||
         (tasks->place == HALO_SCHEDULE_GROUPS && requester > 0 &&
          tasks->groups[requester] == requester));
    halo_status status = tasks->place == HALO_SCHEDULE_QUEUES
                             ? answer_from_queue(tasks, requester, head)
                         : from_schedule ? answer_from_schedule(tasks, requester, idle)
                                         : answer_from_dispatcher(tasks, requester, idle);
    tasks->report.requests++;
    tasks->served += halo_seconds() - begun;
    return status;
}

halo_status halo_tasks_handle(halo_tasks *tasks, const halo_mail *mail)
{
    const task_head *head = mail->head;
    tasks->worker.silent[head->mail.from] = false;
    if ((head->mail.kind & TASK_DONE) != 0) {
        learn_available(tasks, head);
        HALO_TRY(halo_tasks_settle(tasks, mail->data, (size_t)head->mail.bytes));
    }
    if ((head->mail.kind & TASK_ASK) != 0 && !tasks->stopped) {
        HALO_TRY(halo_tasks_answer(tasks, head->mail.from, head));
    }
    if ((head->mail.kind & TASK_GIVE) != 0) {
        HALO_TRY(take_data(tasks, head, mail->data));
        HALO_TRY(is_relay(tasks) ? fill_dispatcher(tasks, head) : halo_tasks_accept(tasks, head));
    }
    if ((head->mail.kind & TASK_BACK) != 0 && !tasks->stopped) {
        HALO_TRY(halo_tasks_take_back(tasks, head->lo, head->hi));
    }
    HALO_TRY(halo_tasks_hear_part(tasks, mail));
    tasks->stopped = tasks->stopped || (head->mail.kind & TASK_STOP) != 0;
    return HALO_OK;
}
