#ifndef HALOBEAT_CORE_QUIESCENCE_QUIESCENCE_H
#define HALOBEAT_CORE_QUIESCENCE_QUIESCENCE_H

#include "core/quiescence/detector.h"
#include "core/world/world.h"

#include <stddef.h>

/* Computations without beats: ranks work on what they have, send each other messages when needed,
 * and never wait for all others. A termination detector finds out when all ranks are passive and no
 * message is under way. Each rank runs:
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
 * Messages from one rank to another arrive in the order they were sent. Only one such computation
 * may be running in a world at a time. docs/termination.md says which detector to use. */
typedef struct halo_quiescence halo_quiescence;

/* Options, the same on all ranks. Zero-initialise it: 0 means the default. */
typedef struct {
    const char *detector; /* a name of halo_detector_list; NULL: safra */
    size_t max_bytes;     /* maximum bytes of a message; 0: 64 KiB. A rank allocates a buffer of
                           * this size */
    bool until_received;  /* halo_quiescence_sending counts a message until it has been received,
                           * not only until its buffer can be reused */
} halo_quiescence_options;

/* Collective. `options` may be NULL. The world must outlive the object; the caller destroys it.
 * HALO_ARGUMENT for an unknown detector, or for max_bytes above about 2^31; HALO_MEMORY on all
 * ranks. */
halo_status halo_quiescence_create_sized(halo_quiescence **out, halo_world *world,
                                         const halo_quiescence_options *options,
                                         size_t options_bytes);
#define halo_quiescence_create(...) \
    halo_quiescence_create_sized(__VA_ARGS__, sizeof(halo_quiescence_options))

/* Local, after halo_quiescence_end, or without halo_quiescence_begin. Frees the object and sets the
 * pointer to NULL. Accepts a pointer to NULL. */
void halo_quiescence_destroy(halo_quiescence **quiescence);

/* Local, to be called on all ranks, each of which is then active. May be called again after
 * halo_quiescence_end. HALO_ARGUMENT if the computation before has not been ended. */
halo_status halo_quiescence_begin(halo_quiescence *quiescence);

/* Local. Starts sending `bytes` bytes, 0 to max_bytes, to another rank `to`; they are copied.
 * HALO_ARGUMENT, also if this rank is passive; HALO_MEMORY; HALO_TRANSPORT. After a failure, leave
 * the loop. */
halo_status halo_quiescence_send(halo_quiescence *quiescence, int to, const void *data,
                                 size_t bytes);

/* Local. The number of messages to `to` still being sent, as of the last call of
 * halo_quiescence_receive. A rank that only needs to send its latest value can wait until this is
 * 0. */
int halo_quiescence_sending(const halo_quiescence *quiescence, int to);

typedef enum {
    HALO_QUIESCENCE_NOTHING,
    HALO_QUIESCENCE_MESSAGE,
    HALO_QUIESCENCE_OVER /* the computation has terminated, or a rank has called
                          * halo_quiescence_end early */
} halo_quiescence_kind;

typedef struct {
    halo_quiescence_kind kind;
    int from; /* of a message: its sender */
    const void *data;
    size_t bytes; /* of a message: its bytes, valid until the next call of
                   * halo_quiescence_receive */
} halo_quiescence_event;

/* How a rank waits for a message. */
typedef enum {
    HALO_QUIESCENCE_LOOK,  /* it has work: return at once */
    HALO_QUIESCENCE_AWAIT, /* it stays active but has no work: wait until a message arrives, or
                            * until a message it is sending has been sent
                            * (HALO_QUIESCENCE_NOTHING) */
    HALO_QUIESCENCE_REST   /* it has no work: it is passive until a message arrives */
} halo_quiescence_wait;

/* Local. Receives a message, waiting as `wait` says, and does the work of the detector. A message
 * makes the rank active. Must be called frequently: other ranks wait for answers of this rank's
 * detector. HALO_MEMORY, HALO_TRANSPORT. After a failure, leave the loop. */
halo_status halo_quiescence_receive(halo_quiescence *quiescence, halo_quiescence_wait wait,
                                    halo_quiescence_event *event);

/* Local. Makes the rank passive, as HALO_QUIESCENCE_REST does, but does not wait: for programs with
 * other work to do. HALO_ARGUMENT outside of halo_quiescence_begin and halo_quiescence_end;
 * HALO_MEMORY, HALO_TRANSPORT. */
halo_status halo_quiescence_rest(halo_quiescence *quiescence);

/* Collective. Ends the computation, after HALO_QUIESCENCE_OVER or earlier; in the latter case all
 * ranks get HALO_QUIESCENCE_OVER, and messages under way are lost. `mine` is a failure of this
 * rank, or HALO_OK; all ranks return the same status, that of the lowest failing rank.
 * HALO_ARGUMENT if a detector announced termination too early since its conditions did not hold, or
 * without halo_quiescence_begin; HALO_TRANSPORT. */
halo_status halo_quiescence_end(halo_quiescence *quiescence, halo_status mine);

/* Report over all ranks, from begin to end. */
typedef struct {
    const char *detector;
    bool ended;                     /* by the detector, not early by a rank */
    int64_t messages, bytes;        /* messages of the computation, and their bytes */
    int64_t control, announcements; /* messages of the detector, and those that announced the end */
    int64_t rounds;                 /* rounds of the token in a ring */
    int64_t renewals;               /* see halo_detector_counts */
    double found, known; /* seconds from termination until rank 0 detected it, and until all
                          * ranks knew; NAN without termination, or on several machines, whose
                          * clocks differ */
} halo_quiescence_report;

/* Local. The report of the last run, after halo_quiescence_end; the same on all ranks. */
void halo_quiescence_get_report_sized(const halo_quiescence *quiescence,
                                      halo_quiescence_report *report, size_t report_bytes);
static inline halo_quiescence_report halo_quiescence_get_report(const halo_quiescence *quiescence)
{
    halo_quiescence_report halo_filled;
    halo_quiescence_get_report_sized(quiescence, &halo_filled, sizeof(halo_quiescence_report));
    return halo_filled;
}

#endif
