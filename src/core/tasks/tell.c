#include "core/tasks/tasks_internal.h"
#include "core/world/clock.h"

#include <math.h>
#include <stdio.h>

/* What tasks tell rank 0 while they run, and the end of a run, until which they may.
 *
 * A rank sends one part at a time, and the next when rank 0 has answered: so what is under way is
 * never more than one part of each rank. */

/* On rank 0. The task hears what became of it; so does the run, if that is a failure. */
static void take_part(halo_tasks *tasks, const task_head *head, const halo_buffer *body,
                      task_head *reply)
{
    halo_status status = tasks->options.part(tasks->options.context, head->lo, body->data,
                                             body->size, &reply->seconds);
    halo_tasks_note(tasks, status);
    tasks->stopped = tasks->stopped || status != HALO_OK;
    reply->lo = status;
}

halo_status halo_tasks_hear_part(halo_tasks *tasks, const task_head *head, const halo_buffer *body)
{
    if ((head->kinds & TASK_PART) != 0) {
        task_head reply = {.kinds = TASK_REPLY};
        tasks->heard = tasks->looked;
        if (body != NULL) {
            take_part(tasks, head, body, &reply);
        } else {
            reply.lo = HALO_MEMORY;
        }
        return task_mail_notify(tasks->mail, head->from, &reply);
    }
    if ((head->kinds & TASK_REPLY) != 0 && tasks->told != NULL) {
        task_engine_answer(tasks->engine, tasks->told, (halo_status)head->lo, head->seconds);
        tasks->told = NULL;
        return halo_tasks_serve_parts(tasks);
    }
    tasks->ended += (head->kinds & TASK_ENDED) != 0;
    return HALO_OK;
}

static halo_status send_part(halo_tasks *tasks, task_part *part)
{
    const task_head head = {.kinds = TASK_PART, .lo = part->task};
    halo_buffer body = {0};
    halo_status status = halo_buffer_append(&body, part->data, part->bytes);
    if (status == HALO_OK) {
        status = task_mail_send(tasks->mail, 0, &head, &body);
    }
    halo_buffer_free(&body);
    return status;
}

halo_status halo_tasks_serve_parts(halo_tasks *tasks)
{
    task_part *part;
    while (tasks->told == NULL && (part = task_engine_part(tasks->engine)) != NULL) {
        if (tasks->rank > 0) {
            halo_status status = send_part(tasks, part);
            tasks->told = status == HALO_OK ? part : NULL;
            if (status != HALO_OK) {
                task_engine_answer(tasks->engine, part, status, 0);
            }
            return status;
        }
        double reply = 0;
        halo_status status = tasks->options.part(tasks->options.context, part->task, part->data,
                                                 part->bytes, &reply);
        halo_tasks_note(tasks, status);
        tasks->stopped = tasks->stopped || status != HALO_OK;
        task_engine_answer(tasks->engine, part, status, reply);
    }
    return HALO_OK;
}

/* ---- the end of a run ------------------------------------------------------------------------ */

/* Of messages that come when the run is over, results and parts count. */
static void hear_last(halo_tasks *tasks, double seconds)
{
    task_head head;
    const halo_buffer *body;
    bool there = true;
    while (there) {
        head.kinds = 0;
        halo_status status = task_mail_receive(tasks->mail, seconds, &there, &head, &body);
        seconds = 0;
        halo_tasks_note(tasks, status);
        if (there && (head.kinds & TASK_DONE) != 0) {
            halo_tasks_note(tasks, halo_tasks_settle(tasks, body->data, body->size));
        }
        if (there || (head.kinds & TASK_PART) != 0) { /* a part that is lost is answered, too */
            halo_tasks_note(tasks, halo_tasks_hear_part(tasks, &head, there ? body : NULL));
        }
        there = there && !task_mail_is_broken(tasks->mail);
    }
}

/* While tasks of this rank run, of which none is begun any more. */
static void outlast_tasks(halo_tasks *tasks, bool tells)
{
    static const double turn = 1e-3;
    while (task_engine_is_busy(tasks->engine)) {
        task_engine_turn(tasks->engine, turn);
        halo_tasks_note(tasks, tells ? halo_tasks_serve_parts(tasks) : HALO_OK);
        if (tells) {
            hear_last(tasks, 0);
        }
        halo_tasks_note(tasks, task_mail_progress(tasks->mail));
    }
}

halo_status halo_tasks_end_work(halo_tasks *tasks)
{
    const task_head ended = {.kinds = TASK_ENDED};
    bool tells = tasks->options.part != NULL;
    task_engine_abandon(tasks->engine);
    if (tasks->options.interrupt != NULL && task_engine_is_busy(tasks->engine)) {
        tasks->options.interrupt(tasks->options.context);
    }
    outlast_tasks(tasks, tells);
    halo_tasks_note(tasks, tasks->worker.running ? halo_tasks_end_running(tasks) : HALO_OK);
    if (tells && tasks->rank > 0) {
        return task_mail_notify(tasks->mail, 0, &ended);
    }
    while (tells && tasks->ended < tasks->ranks - 1 && !task_mail_is_broken(tasks->mail)) {
        hear_last(tasks, HUGE_VAL);
    }
    return HALO_OK;
}
