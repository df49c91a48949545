#include "core/tasks/message.h"

enum { TAG = 121, PIECES_TAG };

/* Results of a few small tasks, or the data of one, travel with their head: one message, not two.
 */
enum { SMALL = 1024 };

/* Messages without data that must not fail for want of memory: each has a slot for each rank. */
static const int notices[] = {TASK_STOP, TASK_REPLY, TASK_ENDED};
enum { NOTICES = sizeof notices / sizeof *notices };

halo_status task_mailbox_create(halo_mailbox **out, halo_world *world)
{
    const halo_mailbox_options options = {.what = "messages about tasks",
                                          .tag = TAG,
                                          .pieces_tag = PIECES_TAG,
                                          .head_bytes = sizeof(task_head),
                                          .data_bytes = SMALL,
                                          .receive_buffers = 2,
                                          .slots = NOTICES * halo_world_ranks(world)};
    return halo_mailbox_create(out, world, &options);
}

halo_status task_mailbox_notify(halo_mailbox *mailbox, int to, const task_head *head)
{
    int kind = 0;
    while (kind < NOTICES - 1 && (head->mail.kind & notices[kind]) == 0) {
        kind++;
    }
    return halo_mailbox_send_reserved(mailbox, to * NOTICES + kind, to, head, NULL);
}
