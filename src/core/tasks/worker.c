#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "core/tasks/tasks_internal.h"
#include "core/world/simulated_compute.h"

#include <math.h>
#include <string.h>
#include <time.h>

/* One rank's own work: keeps its engine busy, and asks for more tasks before it has none left. */

/* Until a round trip has been measured, and no more than that. */
static const double first_round_trip = 2e-4, longest_round_trip = 1;

/* Seconds for which the engine is let alone: at least; at most on a rank that others ask, on one
 * that waits for an answer or for the end of the run, and where nothing is to come. A turn takes
 * 25 us of a core, with what Linux takes to wake a thread. */
static const double turn_seconds = 1e-4, longest_turn = 5e-4, longest_turn_near_end = 1e-3,
                    longest_turn_undisturbed = 5e-3;

/* Between two reports of what is finished; for each rank, as rank 0 hears of all. */
static const double report_seconds = 2e-2, report_seconds_per_rank = 1e-4;

/* When no queue has tasks, all are asked again after this pause, which doubles each time. */
static const double first_pause = 2e-4, longest_pause = 2e-2;

/* ---- what comes ------------------------------------------------------------------------------ */

static halo_status keep_own_data(halo_tasks *tasks, int64_t lo, int64_t hi)
{
    for (int64_t task = lo; tasks->rank == 0 && tasks->data != NULL && task < hi; task++) {
        size_t size;
        const void *bytes = tasks->options.data(tasks->options.context,
                                                halo_tasks_number(&tasks->options, task), &size);
        HALO_TRY(halo_tasks_keep_data(tasks, task, bytes, size));
    }
    return HALO_OK;
}

static void learn_round_trip(task_worker *worker, double seconds)
{
    static const double weight = .3; /* of the last one */
    double capped = fmin(seconds, longest_round_trip);
    worker->round_trip = (1 - weight) * worker->round_trip + weight * capped;
}

void halo_tasks_put_next(halo_tasks *tasks, const task_head *head)
{
    task_worker *worker = &tasks->worker;
    if (head->lo < head->hi) {
        worker->next[worker->next_count++] = (task_chunk){
            .lo = head->lo, .hi = head->hi, .again = (head->mail.kind & TASK_AGAIN) != 0};
        worker->pause = first_pause;
    }
}

halo_status halo_tasks_accept(halo_tasks *tasks, const task_head *head)
{
    task_worker *worker = &tasks->worker;
    bool empty = head->lo == head->hi, queues = tasks->place == HALO_SCHEDULE_QUEUES;
    bool in_time = worker->requested && head->mail.from == worker->requested_from;
    if (in_time && !empty) {
        learn_round_trip(worker, halo_tasks_now(tasks) - worker->since);
    }
    worker->requested = worker->requested && !in_time;
    if (queues && (head->mail.kind & (TASK_AGAIN | TASK_SHARE)) == 0) {
        worker->seconds_left[head->mail.from] = empty ? 0 : head->seconds;
    }
    worker->dry = !queues && (worker->dry || empty);
    halo_tasks_put_next(tasks, head);
    return keep_own_data(tasks, head->lo, head->hi);
}

/* ---- asking ---------------------------------------------------------------------------------- */

task_head halo_tasks_request(halo_tasks *tasks, int kinds)
{
    task_worker *worker = &tasks->worker;
    const task_head head = {.mail.kind = TASK_ASK | kinds,
                            .mail.from = tasks->rank,
                            .done = worker->progress.tasks,
                            .seconds = worker->progress.seconds,
                            .squares = worker->progress.squares,
                            .waited = worker->waited,
                            .available = worker->progress.available};
    worker->progress = (task_progress){0};
    return head;
}

static halo_status send_request(halo_tasks *tasks, int to, int kinds)
{
    task_worker *worker = &tasks->worker;
    const task_head head = halo_tasks_request(tasks, kinds);
    worker->requested = true;
    worker->requested_from = to;
    worker->since = halo_tasks_now(tasks);
    if (to == tasks->rank) {
        return halo_tasks_answer(tasks, to, &head);
    }
    /* Results go to the same dispatcher: one message for both. */
    bool along = (kinds & TASK_AGAIN) == 0 && tasks->results.size > 0 &&
                 tasks->place != HALO_SCHEDULE_QUEUES && tasks->place != HALO_SCHEDULE_CHAIN;
    task_head both = head;
    both.mail.kind |= along ? TASK_DONE : 0;
    worker->reported = along ? worker->since : worker->reported;
    return halo_mailbox_send_buffer(tasks->mailbox, to, &both, along ? &tasks->results : NULL);
}

double halo_tasks_next_pause(halo_tasks *tasks)
{
    double pause = tasks->worker.pause;
    tasks->worker.pause = fmin(2 * pause, longest_pause);
    return pause;
}

/* Asks for unfinished tasks of others when no queue has any, or asks all again later. */
static halo_status ask_for_again(halo_tasks *tasks)
{
    task_worker *worker = &tasks->worker;
    for (int i = 0; i < tasks->ranks; i++) {
        worker->seconds_left[i] = -1;
    }
    worker->retry = halo_tasks_now(tasks) + halo_tasks_next_pause(tasks);
    return tasks->options.once ? HALO_OK : send_request(tasks, 0, TASK_IDLE | TASK_AGAIN);
}

/* Ranks that did not answer are not asked until a message of theirs comes. */
int halo_tasks_choose_victim(halo_tasks *tasks)
{
    task_worker *worker = &tasks->worker;
    for (int i = 0; i < tasks->ranks; i++) {
        worker->seconds_left[i] = worker->silent[i] ? 0 : worker->seconds_left[i];
    }
    for (int tries = 0; tasks->workers > 1 && tries < tasks->workers; tries++) {
        int victim = halo_schedule_victim(tasks->schedule, tasks->rank - tasks->first,
                                          worker->victims++, worker->seconds_left + tasks->first);
        if (victim < 0 || !worker->silent[victim + tasks->first]) {
            return victim < 0 ? -1 : victim + tasks->first;
        }
    }
    return -1;
}

static halo_status ask_a_victim(halo_tasks *tasks, bool idle)
{
    task_worker *worker = &tasks->worker;
    if (halo_tasks_now(tasks) < worker->retry) {
        return HALO_OK;
    }
    int victim = halo_tasks_choose_victim(tasks);
    return victim >= 0 ? send_request(tasks, victim, idle ? TASK_IDLE : 0)
           : idle      ? ask_for_again(tasks)
                       : HALO_OK;
}

static halo_status ask(halo_tasks *tasks, bool idle)
{
    return tasks->place == HALO_SCHEDULE_QUEUES
               ? ask_a_victim(tasks, idle)
               : send_request(tasks, tasks->leader, idle ? TASK_IDLE : 0);
}

/* Seconds before the end of what there is to do at which more is asked for. */
static double lead_seconds(const halo_tasks *tasks)
{
    static const double trips = 1.5;
    bool at_once = tasks->rank == 0 && tasks->place != HALO_SCHEDULE_QUEUES;
    return at_once ? 0 : trips * tasks->worker.round_trip + turn_seconds;
}

/* ---- working --------------------------------------------------------------------------------- */

halo_status halo_tasks_take_found(halo_tasks *tasks)
{
    task_results results = {0};
    task_progress more;
    task_worker *worker = &tasks->worker;
    halo_status status = task_engine_collect(tasks->engine, &results, &more, &tasks->stretches);
    if (status != HALO_OK) { /* its message is another thread's */
        halo_fail(status, "out of memory: what tasks have found");
    }
    worker->progress.tasks += more.tasks;
    worker->progress.seconds += more.seconds;
    worker->progress.squares += more.squares;
    worker->progress.available = more.tasks > 0 ? more.available : worker->progress.available;
    tasks->counts.tasks += more.tasks;
    tasks->counts.again += worker->event.again ? more.tasks : 0;
    tasks->counts.working += more.seconds;
    worker->event.hi += more.tasks;
    if (more.tasks > 0) {
        double ended = more.ended - tasks->begun, over = tasks->report.seconds;
        tasks->counts.last = worker->event.ended = over > 0 ? fmin(ended, over) : ended;
    }
    if (status == HALO_OK) {
        status = halo_tasks_settle(tasks, results.buffer.data, results.buffer.size);
    }
    halo_buffer_free(&results.buffer);
    return status;
}

/* Tasks begin beside those that run in other slots. */
halo_status halo_tasks_begin_next(halo_tasks *tasks)
{
    task_worker *worker = &tasks->worker;
    double now = halo_tasks_now(tasks);
    /* Tasks that were requested ahead cost no waiting while there is other work. */
    worker->waited = worker->running ? 0 : now - worker->idle_since;
    tasks->counts.waiting += worker->waited;
    tasks->counts.chunks++;
    const task_chunk chunk = worker->next[0];
    worker->next_count--;
    memmove(worker->next, worker->next + 1, sizeof chunk * (size_t)worker->next_count);
    if (!worker->running) {
        worker->event = (halo_tasks_event){.rank = tasks->rank,
                                           .lo = chunk.lo,
                                           .hi = chunk.lo,
                                           .begun = now,
                                           .ended = now,
                                           .again = chunk.again};
    }
    worker->running = true;
    task_engine_start(tasks->engine, chunk.lo, chunk.hi);
    return HALO_OK;
}

/* Each stretch of tasks that ran side by side is an event of its own. */
static halo_status note_stretches(halo_tasks *tasks)
{
    const task_stretch *stretch = (const task_stretch *)tasks->stretches.data;
    size_t count = tasks->stretches.size / sizeof *stretch;
    for (size_t i = 0; i < count; i++) {
        int64_t lo = halo_tasks_number(&tasks->options, stretch[i].lo);
        const halo_tasks_event event = {.rank = tasks->rank,
                                        .lo = lo,
                                        .hi = lo + stretch[i].hi - stretch[i].lo,
                                        .begun = stretch[i].begun - tasks->begun,
                                        .ended = stretch[i].ended - tasks->begun};
        HALO_TRY(halo_buffer_append(&tasks->events, &event, sizeof event));
    }
    tasks->stretches.size = 0;
    return HALO_OK;
}

halo_status halo_tasks_end_running(halo_tasks *tasks)
{
    task_worker *worker = &tasks->worker;
    worker->running = false;
    HALO_TRY(halo_tasks_take_found(tasks));
    int64_t tasks_done = worker->event.hi - worker->event.lo;
    worker->event.lo = halo_tasks_number(&tasks->options, worker->event.lo);
    worker->event.hi = worker->event.lo + tasks_done;
    worker->idle_since = worker->event.ended;
    return tasks->stretches.size > 0
               ? note_stretches(tasks)
               : halo_buffer_append(&tasks->events, &worker->event, sizeof worker->event);
}

static void pause_seconds(double seconds)
{
    const struct timespec time = {.tv_nsec = (long)(1e9 * seconds)};
    halo_simulated_compute_seconds(seconds);
    if (!HALO_SIMULATED) {
        nanosleep(&time, NULL);
    }
}

/* Is it time to tell rank 0 what has been done? */
static bool report_is_due(const halo_tasks *tasks)
{
    enum { MANY = 1 << 16 };
    double pause = fmax(report_seconds, report_seconds_per_rank * tasks->ranks);
    return tasks->results.size > MANY || halo_tasks_now(tasks) - tasks->worker.reported > pause;
}

void halo_tasks_begin_work(halo_tasks *tasks)
{
    task_worker *worker = &tasks->worker;
    worker->round_trip = first_round_trip;
    worker->pause = first_pause;
    for (int i = 0; i < tasks->ranks; i++) {
        worker->seconds_left[i] = -1;
    }
}

bool halo_tasks_only_waits(halo_tasks *tasks)
{
    const task_worker *worker = &tasks->worker;
    return !halo_tasks_holds(tasks) &&
           (tasks->rests || (worker->requested && worker->next_count == 0 && !worker->running));
}

/* A simulated machine looks for messages between two turns only. One that nobody asks for tasks
 * takes longer turns, so that fewer of them have to be simulated: until it asks for more. */
static double simulated_turn(const halo_tasks *tasks, double left)
{
    const task_worker *worker = &tasks->worker;
    bool asks = !worker->dry && !worker->requested && worker->next_count == 0;
    if (tasks->rank == 0 || tasks->place != HALO_SCHEDULE_MASTER) {
        return turn_seconds;
    }
    return asks && left >= 0 ? left - lead_seconds(tasks) : HUGE_VAL;
}

/* If no request came for t seconds, messages are polled every t / 4: to poll ten thousand times a
 * second takes a tenth of a core. `left`: seconds of work. */
static double turn_length(const halo_tasks *tasks, double left)
{
    static const double share = 1. / 4;
    const task_worker *worker = &tasks->worker;
    bool requested_by_others =
        tasks->rank == 0 || tasks->leader == tasks->rank || tasks->place == HALO_SCHEDULE_QUEUES;
    bool near_end = worker->requested || worker->dry || worker->event.again;
    double longest = tasks->ranks == 1     ? longest_turn_undisturbed
                     : requested_by_others ? longest_turn
                     : near_end            ? longest_turn_near_end
                                           : longest_turn_undisturbed;
    if (HALO_SIMULATED) {
        return simulated_turn(tasks, left);
    }
    if (tasks->told != NULL) { /* a task waits for rank 0 */
        return turn_seconds;
    }
    double quiet = halo_tasks_now(tasks) - fmax(tasks->heard, worker->event.begun);
    if (left >= 0 && !worker->dry && !worker->requested && worker->next_count == 0) {
        longest = fmin(longest, left - lead_seconds(tasks));
    }
    if (tasks->ranks > 1 && requested_by_others) {
        longest = fmin(share * quiet, longest);
    }
    return fmax(longest, turn_seconds);
}

/* Tasks behind one that takes much longer than was to be expected: somebody else may do them. */
static halo_status give_back(halo_tasks *tasks)
{
    task_head head = {.mail.kind = TASK_BACK};
    if (task_engine_take(tasks->engine, INT64_MAX, &head.lo, &head.hi) == 0) {
        return HALO_OK;
    }
    return tasks->rank == 0 ? halo_tasks_take_back(tasks, head.lo, head.hi)
                            : halo_mailbox_send_buffer(tasks->mailbox, 0, &head, NULL);
}

bool halo_tasks_should_give_back(const halo_tasks *tasks, const task_engine_load *load)
{
    static const double least = .05, times = 2; /* seconds; what the rest was to take */
    return tasks->options.gives_back && tasks->place == HALO_SCHEDULE_MASTER && tasks->ranks > 1 &&
           !tasks->worker.event.again && load->tasks > 0 &&
           load->longer > fmax(least, times * fmax(load->seconds, 0));
}

halo_status halo_tasks_turn(halo_tasks *tasks)
{
    task_worker *worker = &tasks->worker;
    bool busy = task_engine_is_busy(tasks->engine);
    if (!busy && worker->running) {
        HALO_TRY(halo_tasks_end_running(tasks));
    }
    HALO_TRY(halo_tasks_serve_parts(tasks));
    bool room = task_engine_has_room(tasks->engine);
    if (room && worker->next_count > 0 && !tasks->stopped) {
        HALO_TRY(halo_tasks_begin_next(tasks));
        busy = true;
        room = false;
    }
    if (busy && report_is_due(tasks)) {
        HALO_TRY(halo_tasks_take_found(tasks));
        HALO_TRY(halo_tasks_report_done(tasks));
    }
    task_engine_load load = task_engine_left(tasks->engine);
    if (halo_tasks_should_give_back(tasks, &load)) {
        HALO_TRY(give_back(tasks));
        load = task_engine_left(tasks->engine);
    }
    bool soon = !worker->dry && load.seconds >= 0 && load.seconds < lead_seconds(tasks);
    if (!tasks->stopped && !tasks->rests && !worker->requested && worker->next_count == 0 &&
        (room || soon)) {
        /* Rank 0 must not take for unfinished what this rank has done. */
        bool along = tasks->place == HALO_SCHEDULE_MASTER ||
                     (tasks->place == HALO_SCHEDULE_GROUPS && tasks->leader != tasks->rank);
        if (!busy && !along && tasks->rank > 0) {
            HALO_TRY(halo_tasks_report_done(tasks));
        }
        HALO_TRY(ask(tasks, room));
    }
    /* A busy rank keeps its results, for which nobody waits; an idle one has time to send them. */
    if (!busy && tasks->rank > 0) {
        HALO_TRY(halo_tasks_report_done(tasks));
    }
    if (busy) {
        task_engine_turn(tasks->engine, turn_length(tasks, load.seconds));
    } else if (worker->next_count == 0 && !tasks->stopped && !halo_tasks_only_waits(tasks)) {
        pause_seconds(turn_seconds); /* until queues are asked again, or tasks given again */
    }
    return HALO_OK;
}
