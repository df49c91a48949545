#ifndef HALOBEAT_CORE_MASTER_MASTER_WORKER_INTERNAL_H
#define HALOBEAT_CORE_MASTER_MASTER_WORKER_INTERNAL_H

#include "core/master/master_worker.h"

#include <stdint.h>

/* Internals of a master and its workers. Creation, and a beat on all ranks: master_worker.c; a beat
 * on the master: lead.c; on a worker: follow.c. */

enum { HEAD_TAG = 111, CONSTANT_TAG, MESSAGE_TAG, RECEIVED_TAG, SECONDS_TAG, BACK_TAG };

/* The first message to a worker. */
typedef struct {
    uint64_t bytes, back_bytes;
} master_worker_head;

/* Requests of the master for each worker. */
enum { SEND_HEAD, SEND_CONSTANT, SEND_MESSAGE, SENDS };
enum { RECEIVE_RECEIVED, RECEIVE_SECONDS, RECEIVE_BACK, RECEIVES };

/* State of a worker on the master. */
typedef struct {
    master_worker_head head;
    char received;
    double seconds;
    int missing; /* messages of results and of their seconds that have not arrived */
    bool known;  /* the master was polling when they arrived */
} master_worker_state;

struct halo_master_worker {
    halo_world *world;
    halo_master_worker_options options;
    bool threads;         /* threads are allowed */
    void *message, *back; /* buffers of a worker */
    size_t message_room, back_room;
    master_worker_state *workers; /* rank 0: [ranks] */
    /* Rank 0: [ranks * SENDS] and [ranks * RECEIVES], in one block; null between beats. */
    halo_request *out, *in;
    int64_t messages, bytes;

    /* The current beat of the master. */
    const halo_master_worker_beat *beat;
    double begun, looked; /* time at which it last polled for messages */
    int left;             /* number of messages that have not arrived */
    int acknowledgements; /* number of acknowledgements among them */
    bool leaving;         /* sends are not complete yet */
    halo_status status;   /* status of the messages */
    halo_status mine;     /* status of its own work, */
    double computing;     /* and its seconds */
    char message_text[HALO_MESSAGE_SIZE];
};

/* Local, in any thread. Does a rank's work of a beat: sets w->mine to its status and
 * w->message_text to its message, and injects the slowdown of a rank that is slowed down. Returns
 * the seconds. */
double master_worker_do(halo_master_worker *w, const halo_master_worker_beat *beat,
                        const void *message, size_t bytes, void *back, size_t back_bytes);

/* Collective: rank 0 leads a beat, the other ranks follow. Failures of the work are in w->mine. */
halo_status master_worker_lead(halo_master_worker *w, const halo_master_worker_beat *beat,
                               halo_clock *clock);
halo_status master_worker_follow(halo_master_worker *w, const halo_master_worker_beat *beat,
                                 halo_clock *clock);

#endif
