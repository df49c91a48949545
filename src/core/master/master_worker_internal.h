#ifndef HALOBEAT_CORE_MASTER_MASTER_WORKER_INTERNAL_H
#define HALOBEAT_CORE_MASTER_MASTER_WORKER_INTERNAL_H

#include "core/master/master_worker.h"

#include <stdint.h>

/* What the files of a master and its workers share; nobody else includes it. Making, and a beat on
 * all ranks: master_worker.c. A beat on the master: lead.c. On a worker: follow.c. */

enum { HEAD_TAG = 111, CONSTANT_TAG, MESSAGE_TAG, RECEIVED_TAG, SECONDS_TAG, BACK_TAG };

/* What a worker receives first. */
typedef struct {
    uint64_t bytes, back_bytes;
} master_worker_head;

/* Requests of the master for each worker. */
enum { SEND_HEAD, SEND_CONSTANT, SEND_MESSAGE, SENDS };
enum { RECEIVE_RECEIVED, RECEIVE_SECONDS, RECEIVE_BACK, RECEIVES };

/* What the master keeps of each. */
typedef struct {
    master_worker_head head;
    char received;
    double seconds;
    int missing; /* findings, and their seconds, that have not come */
    bool known;  /* did the master look when they came? */
} master_worker_state;

struct halo_master_worker {
    halo_world *world;
    halo_master_worker_options options;
    bool threads;         /* there may be threads */
    void *message, *back; /* of a worker */
    size_t message_room, back_room;
    master_worker_state *workers; /* rank 0: [ranks] */
    /* Rank 0: [ranks * SENDS] and [ranks * RECEIVES], in one block; null between beats. */
    MPI_Request *out, *in;
    int64_t messages, bytes;

    /* The master's beat. */
    const halo_master_worker_beat *beat;
    double begun, looked; /* when it last looked for messages */
    int left;             /* of the messages that are to come, */
    int acknowledgements; /* and of them */
    bool leaving;         /* not all is sent yet */
    halo_status status;   /* of messages */
    halo_status mine;     /* of its own work, */
    double computing;     /* which took so long */
    char message_text[HALO_MESSAGE_SIZE];
};

/* Local, in whatever thread. Does a rank's part of a beat: w->mine is its status, and
 * w->message_text says what failed. A rank that is slow on purpose takes longer. Returns the
 * seconds. */
double master_worker_do(halo_master_worker *w, const halo_master_worker_beat *beat,
                        const void *message, size_t bytes, void *back, size_t back_bytes);

/* Collective: rank 0 leads a beat, all others follow. Failures of the work are in w->mine. */
halo_status master_worker_lead(halo_master_worker *w, const halo_master_worker_beat *beat,
                               halo_clock *clock);
halo_status master_worker_follow(halo_master_worker *w, const halo_master_worker_beat *beat,
                                 halo_clock *clock);

#endif
