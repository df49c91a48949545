#include "core/tasks/tasks.h"

#include "base/option.h"
#include "core/tasks/pool.h"
#include "core/tasks/slice.h"
#include "core/world/clock.h"
#include "core/world/collect.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double halo_tasks_now(const halo_tasks *tasks)
{
    return halo_seconds() - tasks->begun;
}

void halo_tasks_note(halo_tasks *tasks, halo_status status)
{
    if (status != HALO_OK && tasks->status == HALO_OK) {
        tasks->status = status;
        snprintf(tasks->message, sizeof tasks->message, "%s", halo_last_message());
    }
}

/* ---- making ---------------------------------------------------------------------------------- */

/* The first rank on each rank's host, or of the group that the schedule makes: collective. */
static halo_status find_leaders(halo_tasks *tasks)
{
    int64_t *firsts;
    int first = 0, size = halo_schedule_group_size(tasks->schedule);
    if (size > 0) {
        for (int i = 0; i < tasks->ranks; i++) {
            tasks->groups[i] = i / size * size;
        }
        return HALO_OK;
    }
    halo_status status = HALO_ALLOCATE(firsts, tasks->ranks, "the first ranks of hosts");
    status = halo_agree(tasks->world, status);
    if (status != HALO_OK || firsts == NULL) {
        free(firsts);
        return status;
    }
    while (!halo_world_is_near(tasks->world, first)) {
        first++;
    }
    firsts[tasks->rank] = first;
    status = halo_allreduce_sum(tasks->world, firsts, tasks->ranks);
    for (int i = 0; i < tasks->ranks; i++) {
        tasks->groups[i] = (int)firsts[i];
    }
    free(firsts);
    return status;
}

static halo_status allocate(halo_tasks *tasks)
{
    size_t ranks = (size_t)tasks->ranks;
    HALO_TRY(HALO_ALLOCATE(tasks->groups, ranks, "hosts of ranks"));
    HALO_TRY(HALO_ALLOCATE(tasks->speeds, ranks, "speeds of ranks"));
    HALO_TRY(HALO_ALLOCATE(tasks->available, ranks, "speeds of ranks"));
    HALO_TRY(HALO_ALLOCATE(tasks->weights, ranks, "speeds of ranks"));
    HALO_TRY(HALO_ALLOCATE(tasks->held, ranks, "ranks that wait for tasks"));
    HALO_TRY(HALO_ALLOCATE(tasks->dispatcher.waiting, ranks, "ranks that wait for tasks"));
    HALO_TRY(HALO_ALLOCATE(tasks->dispatcher.is_idle, ranks, "ranks that wait for tasks"));
    HALO_TRY(HALO_ALLOCATE(tasks->worker.seconds_left, ranks, "queues of ranks"));
    HALO_TRY(HALO_ALLOCATE(tasks->worker.silent, ranks, "queues of ranks"));
    HALO_TRY(HALO_ALLOCATE(tasks->worker.next, ranks + SPARE_CHUNKS, "tasks to begin with"));
    return tasks->rank == 0 ? halo_ledger_create(&tasks->ledger, tasks->options.count) : HALO_OK;
}

static halo_status create_schedule(halo_tasks *tasks, const double *speeds)
{
    const halo_tasks_options *options = &tasks->options;
    const halo_schedule_options of_schedule = {.tasks = options->count,
                                               .workers = tasks->workers,
                                               .weights = speeds,
                                               .groups = tasks->groups + tasks->first,
                                               .seed = options->seed};
    const char *words = options->schedule != NULL ? options->schedule : HALO_TASKS_SCHEDULE;
    halo_schedule_destroy(&tasks->schedule);
    HALO_TRY(halo_schedule_create(&tasks->schedule, words, &of_schedule));
    tasks->place = halo_schedule_where(tasks->schedule);
    return HALO_OK;
}

static halo_status check(const halo_tasks_options *options)
{
    return options->count < 0 || options->run == NULL
               ? halo_fail(HALO_ARGUMENT,
                           "%lld tasks %s a function that runs them; use 0 or more, and a function",
                           (long long)options->count, options->run == NULL ? "without" : "with")
               : HALO_OK;
}

static halo_status create_local(halo_tasks **out, halo_world *world,
                                const halo_tasks_options *options)
{
    HALO_TRY(check(options));
    HALO_TRY(HALO_ALLOCATE(*out, 1, "tasks"));
    halo_tasks *tasks = *out;
    tasks->world = world;
    tasks->options = *options;
    tasks->rank = halo_world_rank(world);
    tasks->ranks = halo_world_ranks(world);
    tasks->first = options->master_rests && tasks->ranks > 1;
    tasks->workers = tasks->ranks - tasks->first;
    HALO_TRY(allocate(tasks));
    return create_schedule(tasks, NULL);
}

static void choose_dispatcher(halo_tasks *tasks)
{
    tasks->leader = tasks->place == HALO_SCHEDULE_GROUPS  ? tasks->groups[tasks->rank]
                    : tasks->place == HALO_SCHEDULE_CHAIN ? tasks->rank
                                                          : 0;
    tasks->upstream = tasks->place == HALO_SCHEDULE_CHAIN && tasks->rank > 0 ? tasks->rank - 1 : 0;
    tasks->rests = tasks->rank < tasks->first;
}

static halo_status create_parts(halo_tasks *tasks)
{
    HALO_TRY(create_schedule(tasks, halo_tasks_weigh(tasks)));
    choose_dispatcher(tasks);
    if (tasks->pool == NULL && tasks->options.data != NULL) {
        HALO_TRY(HALO_ALLOCATE(tasks->data, tasks->options.count, "the data of tasks"));
    }
    HALO_TRY(task_engine_create(&tasks->engine, tasks));
    return tasks->pool == NULL ? task_mailbox_create(&tasks->mailbox, tasks->world) : HALO_OK;
}

halo_status halo_tasks_create_sized(halo_tasks **out, halo_world *world,
                                    const halo_tasks_options *given, size_t given_bytes)
{
    halo_tasks_options options;
    *out = NULL;
    halo_status status =
        halo_options_take(&options, sizeof options, given, given_bytes, "halo_tasks_options");
    HALO_IF_OK(status, create_local(out, world, &options));
    status = halo_agree(world, status);
    if (status == HALO_OK) {
        status = find_leaders(*out);
    }
    if (status == HALO_OK) {
        bool load = halo_schedule_wants_load((*out)->schedule);
        status = halo_tasks_measure_speeds(world, load, (*out)->speeds, (*out)->available);
    }
    if (status == HALO_OK) {
        status = halo_pool_join(*out);
    }
    if (status == HALO_OK) {
        status = halo_agree(world, create_parts(*out));
    }
    if (status != HALO_OK) {
        halo_tasks_destroy(out);
    }
    return status;
}

void halo_tasks_destroy(halo_tasks **out)
{
    halo_tasks *tasks = *out;
    if (tasks == NULL) {
        return;
    }
    task_engine_destroy(&tasks->engine);
    halo_mailbox_destroy(&tasks->mailbox);
    halo_pool_destroy(tasks);
    halo_schedule_destroy(&tasks->schedule);
    halo_ledger_destroy(&tasks->ledger);
    for (int64_t i = 0; tasks->data != NULL && i < tasks->options.count; i++) {
        free(tasks->data[i].bytes);
    }
    halo_buffer_free(&tasks->results);
    halo_buffer_free(&tasks->events);
    halo_buffer_free(&tasks->stretches);
    free(tasks->data);
    free(tasks->groups);
    free(tasks->speeds);
    free(tasks->available);
    free(tasks->weights);
    free(tasks->held);
    halo_buffer_free(&tasks->returned);
    free(tasks->dispatcher.waiting);
    free(tasks->dispatcher.is_idle);
    free(tasks->worker.seconds_left);
    free(tasks->worker.silent);
    free(tasks->worker.next);
    free(tasks->by_rank);
    halo_memory_free(tasks->all_events);
    free(tasks);
    *out = NULL;
}

/* ---- running --------------------------------------------------------------------------------- */

/* Fills the queues; if tasks have data, rank 0 sends them. */
static halo_status fill_queues(halo_tasks *tasks)
{
    int64_t lo = 0;
    for (int rank = tasks->first; rank < tasks->ranks; rank++) {
        int64_t share = halo_schedule_share(tasks->schedule, rank - tasks->first);
        const task_head head = {.mail.kind = TASK_GIVE | TASK_SHARE, .lo = lo, .hi = lo + share};
        bool mine = rank == tasks->rank, sent = tasks->data != NULL && rank > 0 && share > 0;
        if (mine && sent) {
            tasks->worker.requested = true;
        } else if (mine) {
            HALO_TRY(halo_tasks_accept(tasks, &head));
        } else if (sent && tasks->rank == 0) {
            HALO_TRY(halo_tasks_give(tasks, rank, &head));
        }
        lo += share;
    }
    return HALO_OK;
}

/* Must be done before other ranks begin, since they may ask rank 0's schedule at once. */
static void reset(halo_tasks *tasks)
{
    tasks->handed_out = -1;
    halo_tasks_begin_work(tasks);
    tasks->stopped = tasks->options.count == 0;
}

static void begin_messages(halo_tasks *tasks)
{
    tasks->begun = halo_seconds();
    tasks->looked = halo_tasks_now(tasks);
}

/* Handles all messages that have come. If there is nothing to do, waits for one. */
static halo_status hear(halo_tasks *tasks)
{
    bool there = true;
    double seconds = halo_tasks_wait_seconds(tasks);
    while (there && !tasks->stopped) {
        halo_mail mail;
        task_gaps_add(&tasks->gaps, halo_tasks_now(tasks) - tasks->looked);
        halo_status status = halo_mailbox_receive(tasks->mailbox, seconds, &mail);
        const task_head *head = mail.head;
        there = head != NULL;
        tasks->looked = halo_tasks_now(tasks);
        if (status == HALO_OK && !there && seconds > 0) {
            status = halo_tasks_ask_elsewhere(tasks);
        }
        seconds = 0;
        if (status == HALO_OK && there) {
            tasks->heard = (head->mail.kind & TASK_ASK) != 0 ? tasks->looked : tasks->heard;
            status = halo_tasks_handle(tasks, &mail);
        } else if (status == HALO_MEMORY && there && (head->mail.kind & TASK_PART) != 0) {
            halo_tasks_hear_part(tasks, &mail);
        }
        HALO_TRY(status);
    }
    return HALO_OK;
}

static halo_status work_by_messages(halo_tasks *tasks)
{
    if (tasks->place == HALO_SCHEDULE_QUEUES) {
        HALO_TRY(fill_queues(tasks));
    }
    while (!tasks->stopped) {
        HALO_TRY(halo_tasks_turn(tasks));
        HALO_TRY(halo_tasks_serve_held(tasks));
        HALO_TRY(hear(tasks));
    }
    return HALO_OK;
}

/* Rank 0 ends the run for all; another rank that fails asks it to. */
static halo_status stop(halo_tasks *tasks, bool failed)
{
    const task_head head = {.mail.kind = TASK_STOP};
    halo_status status = HALO_OK;
    for (int rank = 1; tasks->rank == 0 && rank < tasks->ranks; rank++) {
        status = halo_status_first(status, task_mailbox_notify(tasks->mailbox, rank, &head));
    }
    return failed && tasks->rank > 0 ? task_mailbox_notify(tasks->mailbox, 0, &head) : status;
}

/* Collective. Receives messages that are under way, of which only results count. A rank does so
 * after a failure, too: no rank leaves before all have received theirs. */
static void receive_rest(halo_tasks *tasks, int64_t *sum)
{
    halo_tasks_note(tasks, halo_mailbox_gather(tasks->mailbox, sum, 1));
    while (halo_mailbox_comes(tasks->mailbox)) {
        halo_mail mail;
        halo_status status = halo_mailbox_receive(tasks->mailbox, HUGE_VAL, &mail);
        const task_head *head = mail.head;
        if (status == HALO_OK && head != NULL && (head->mail.kind & TASK_DONE) != 0) {
            status = halo_tasks_settle(tasks, mail.data, (size_t)head->mail.bytes);
        }
        halo_tasks_note(tasks, status);
    }
}

/* Collective. A run that ends before all tasks are finished has results on their way, and on ranks
 * that had no time to send them: they count. */
static void settle_rest(halo_tasks *tasks)
{
    const task_head head = {.mail.kind = TASK_DONE};
    int64_t missing = tasks->rank == 0 ? halo_ledger_unfinished(tasks->ledger) : 0, none = 0;
    receive_rest(tasks, &missing);
    if (missing == 0) {
        return;
    }
    if (tasks->rank > 0 && tasks->results.size > 0) {
        halo_tasks_note(tasks, halo_mailbox_send_buffer(tasks->mailbox, 0, &head, &tasks->results));
    }
    receive_rest(tasks, &none);
}

static halo_status work(halo_tasks *tasks)
{
    if (tasks->pool != NULL) {
        return halo_pool_work(tasks);
    }
    begin_messages(tasks);
    uint64_t slice = task_slice_shorten(); /* others wait for answers, and tasks for new ones */
    halo_status status = work_by_messages(tasks);
    task_slice_restore(slice);
    return status;
}

/* Collective if ranks have messages. Afterwards no rank runs tasks, and all results are settled. */
static void leave(halo_tasks *tasks, halo_status status)
{
    if (tasks->pool != NULL) {
        halo_pool_leave(tasks, status);
        return;
    }
    tasks->stopped = true;
    halo_tasks_note(tasks, status);
    tasks->report.seconds = halo_tasks_now(tasks);
    halo_tasks_note(tasks, stop(tasks, status != HALO_OK));
    halo_tasks_note(tasks, halo_tasks_end_work(tasks));
    settle_rest(tasks);
    halo_tasks_note(tasks, halo_mailbox_end(tasks->mailbox));
}

halo_status halo_tasks_run(halo_tasks *tasks)
{
    reset(tasks);
    halo_status status = halo_agree(tasks->world, HALO_OK); /* all begin together */
    if (status != HALO_OK && tasks->pool == NULL) {
        return status;
    }
    leave(tasks, status == HALO_OK ? work(tasks) : status);
    HALO_TRY(halo_tasks_make_report(tasks));
    return halo_agree(tasks->world, tasks->status != HALO_OK
                                        ? halo_fail(tasks->status, "%s", tasks->message)
                                        : HALO_OK);
}

void halo_tasks_get_report_sized(const halo_tasks *tasks, halo_tasks_report *report,
                                 size_t report_bytes)
{
    halo_report_give(report, report_bytes, &tasks->report, sizeof tasks->report);
}
