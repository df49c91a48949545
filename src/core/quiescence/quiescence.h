#ifndef HALOBEAT_CORE_QUIESCENCE_QUIESCENCE_H
#define HALOBEAT_CORE_QUIESCENCE_QUIESCENCE_H

#include "core/quiescence/detector.h"
#include "core/world/world.h"

#include <stddef.h>

/* Computations without beats: ranks work on what they have, send each other messages when there is
 * something to say, and nobody waits for anybody. A termination detector finds out when all are
 * done and no message is under way. A rank:
 *
 *     halo_quiescence_event event = {0};
 *     halo_status status = halo_quiescence_begin(quiescence);
 *     while (status == HALO_OK && event.kind != HALO_QUIESCENCE_OVER) {
 *         ... does a part of its work, calls halo_quiescence_send ...
 *         status = halo_quiescence_receive(
 *             quiescence, has_work ? HALO_QUIESCENCE_LOOK : HALO_QUIESCENCE_REST, &event);
 *         ... takes event.data if event.kind is HALO_QUIESCENCE_MESSAGE ...
 *     }
 *     status = halo_quiescence_end(quiescence, status);
 *
 * Messages from one rank to another arrive in their order. One at a time may be running in a
 * world. docs/termination.md says which detector to use. */
typedef struct halo_quiescence halo_quiescence;

/* The same on all ranks. Zero-initialised fields mean the default. */
typedef struct {
    const char *detector; /* a name of halo_detector_list; NULL: safra */
    size_t max_bytes;     /* of a message; 64 KiB. A rank keeps room for one message */
    bool until_received;  /* a message counts as being sent (halo_quiescence_sending) until it has
                           * been received, rather than until its bytes need not be kept here */
} halo_quiescence_options;

/* Collective. `options` may be NULL. The world must outlive it. HALO_ARGUMENT for an unknown
 * detector, or for max_bytes more than about 2^31; HALO_MEMORY on all ranks. */
halo_status halo_quiescence_create(halo_quiescence **out, halo_world *world,
                                   const halo_quiescence_options *options);

/* Local, after halo_quiescence_end, or without halo_quiescence_begin. Accepts a pointer to NULL. */
void halo_quiescence_destroy(halo_quiescence **quiescence);

/* Local, on all ranks: each of them is now active. After halo_quiescence_end it begins anew.
 * HALO_ARGUMENT if it has not been ended. */
halo_status halo_quiescence_begin(halo_quiescence *quiescence);

/* Local. Begins to send `bytes` bytes, 0 to max_bytes, which are copied, to `to`, another rank.
 * HALO_ARGUMENT, also where this rank is passive; HALO_MEMORY, HALO_MPI: leave the loop then. */
halo_status halo_quiescence_send(halo_quiescence *quiescence, int to, const void *data,
                                 size_t bytes);

/* Local. How many messages to `to` are still being sent, as far as the last call of
 * halo_quiescence_receive found out: a rank that only has the latest value to tell can wait with
 * the next message until it is 0. */
int halo_quiescence_sending(const halo_quiescence *quiescence, int to);

typedef enum {
    HALO_QUIESCENCE_NOTHING,
    HALO_QUIESCENCE_MESSAGE,
    HALO_QUIESCENCE_OVER /* the end, or a rank has called halo_quiescence_end before it */
} halo_quiescence_kind;

typedef struct {
    halo_quiescence_kind kind;
    int from; /* of a message: the rank that has sent it, */
    const void *data;
    size_t bytes; /* and what; the bytes stay until the next call of halo_quiescence_receive */
} halo_quiescence_event;

/* What a rank does until a message comes. */
typedef enum {
    HALO_QUIESCENCE_LOOK,  /* it works: returns at once */
    HALO_QUIESCENCE_AWAIT, /* it is not done, but has nothing to do until a message comes, or one
                            * that was being sent is sent (HALO_QUIESCENCE_NOTHING): it stays
                            * active */
    HALO_QUIESCENCE_REST   /* it has nothing to do: it is passive */
} halo_quiescence_wait;

/* Local. Looks for a message, or waits for one or for the end, and does what the detector needs. A
 * message makes the rank active. To be called often enough: others wait for what the detector of
 * this rank has to say. HALO_MEMORY, HALO_MPI: leave the loop then. */
halo_status halo_quiescence_receive(halo_quiescence *quiescence, halo_quiescence_wait wait,
                                    halo_quiescence_event *event);

/* Local. The rank is passive from now on, as with HALO_QUIESCENCE_REST, but does not wait: for
 * programs with something else to do. HALO_MEMORY, HALO_MPI. */
halo_status halo_quiescence_rest(halo_quiescence *quiescence);

/* Collective. Ends it, after HALO_QUIESCENCE_OVER or before: then it is over for all ranks, which
 * get HALO_QUIESCENCE_OVER, and messages under way are lost. `mine` is a failure of this rank, or
 * HALO_OK; all return the same status, that of the lowest failing rank. HALO_ARGUMENT if a detector
 * whose conditions did not hold was early; HALO_MPI. */
halo_status halo_quiescence_end(halo_quiescence *quiescence, halo_status mine);

/* Of all ranks together, from the beginning to the end. */
typedef struct {
    const char *detector;
    bool ended;                     /* by the detector, not by a rank before */
    int64_t messages, bytes;        /* basic messages, and bytes in them */
    int64_t control, announcements; /* messages of the detector; those that announced the end */
    int64_t rounds;                 /* of the token of a ring */
    int64_t renewals;               /* see halo_detector_counts */
    double found, known; /* seconds from the end until rank 0 had found it, and until all ranks
                          * knew; NAN where it did not end, or on several machines, whose clocks
                          * differ */
} halo_quiescence_report;

/* Local. Of the last run, after halo_quiescence_end; the same on all ranks. */
halo_quiescence_report halo_quiescence_get_report(const halo_quiescence *quiescence);

#endif
