#include "core/tasks/tasks_internal.h"

#include <math.h>
#include <stdio.h>

/* Tasks send parts of their results to rank 0 while they run, until the end of the run.
 *
 * A rank sends one part at a time, and the next when rank 0 has answered: so what is under way is
 * never more than one part of each rank. */

/* Gives a part to its function on rank 0. The task gets the status; a failure ends the run. */
static void take_part(halo_tasks *tasks, const halo_mail *mail, task_head *reply)
{
    const task_head *head = mail->head;
    halo_status status = tasks->options.part(tasks->options.context, head->lo, mail->data,
                                             (size_t)head->mail.bytes, &reply->seconds);
    halo_tasks_note(tasks, status);
    tasks->stopped = tasks->stopped || status != HALO_OK;
    reply->lo = status;
}

halo_status halo_tasks_hear_part(halo_tasks *tasks, const halo_mail *mail)
{
    const task_head *head = mail->head;
    if ((head->mail.kind & TASK_PART) != 0) {
        task_head reply = {.mail.kind = TASK_REPLY};
        tasks->heard = tasks->looked;
        if (mail->data != NULL) {
            take_part(tasks, mail, &reply);
        } else {
            reply.lo = HALO_MEMORY;
        }
        return task_mailbox_notify(tasks->mailbox, head->mail.from, &reply);
    }
    if ((head->mail.kind & TASK_REPLY) != 0 && tasks->told != NULL) {
        task_engine_answer(tasks->engine, tasks->told, (halo_status)head->lo, head->seconds);
        tasks->told = NULL;
        return halo_tasks_serve_parts(tasks);
    }
    tasks->ended += (head->mail.kind & TASK_ENDED) != 0;
    return HALO_OK;
}

static halo_status send_part(halo_tasks *tasks, task_part *part)
{
    const task_head head = {.mail.kind = TASK_PART, .lo = part->task};
    halo_buffer data = {0};
    halo_status status = halo_buffer_append(&data, part->data, part->bytes);
    if (status == HALO_OK) {
        status = halo_mailbox_send_buffer(tasks->mailbox, 0, &head, &data);
    }
    halo_buffer_free(&data);
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

/* Only results and parts count in messages that come when the run is over. */
static void hear_last(halo_tasks *tasks, double seconds)
{
    bool more = true;
    while (more) {
        halo_mail mail;
        halo_status status = halo_mailbox_receive(tasks->mailbox, seconds, &mail);
        const task_head *head = mail.head;
        seconds = 0;
        halo_tasks_note(tasks, status);
        if (status == HALO_OK && head != NULL && (head->mail.kind & TASK_DONE) != 0) {
            halo_tasks_note(tasks, halo_tasks_settle(tasks, mail.data, (size_t)head->mail.bytes));
        }
        if (head != NULL && (status == HALO_OK || (head->mail.kind & TASK_PART) != 0)) {
            halo_tasks_note(tasks, halo_tasks_hear_part(tasks, &mail));
        }
        more = status == HALO_OK && head != NULL && !halo_mailbox_is_broken(tasks->mailbox);
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
        halo_tasks_note(tasks, halo_mailbox_progress(tasks->mailbox));
    }
}

halo_status halo_tasks_end_work(halo_tasks *tasks)
{
    const task_head ended = {.mail.kind = TASK_ENDED};
    bool tells = tasks->options.part != NULL;
    task_engine_abandon(tasks->engine);
    if (tasks->options.interrupt != NULL && task_engine_is_busy(tasks->engine)) {
        tasks->options.interrupt(tasks->options.context);
    }
    outlast_tasks(tasks, tells);
    halo_tasks_note(tasks, tasks->worker.running ? halo_tasks_end_running(tasks) : HALO_OK);
    if (tells && tasks->rank > 0) {
        return task_mailbox_notify(tasks->mailbox, 0, &ended);
    }
    while (tells && tasks->ended < tasks->ranks - 1 && !halo_mailbox_is_broken(tasks->mailbox)) {
        hear_last(tasks, HUGE_VAL);
    }
    return HALO_OK;
}
