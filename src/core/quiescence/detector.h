#ifndef HALOBEAT_CORE_QUIESCENCE_DETECTOR_H
#define HALOBEAT_CORE_QUIESCENCE_DETECTOR_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* Termination detectors: when have all ranks of a computation come to rest, for good?
 *
 * A rank is active while it has work, and passive otherwise. Active ranks send messages (basic
 * messages); one that arrives makes a passive rank active again. The computation has ended when all
 * ranks are passive and no basic message is under way. No rank can see that by itself: detectors
 * find it out by control messages of their own, or by what they add to basic messages.
 *
 * Here are the decisions alone: a detector is the state of one rank, told what happens there; it
 * says which control messages are to be sent. Who sends them is open: halo_quiescence
 * (core/quiescence/quiescence.h) over MPI. All functions are local and call no MPI. Rank 0 finds
 * the end and announces it along a binomial tree. docs/termination.md compares the detectors. */
typedef struct halo_detector halo_detector;

/* code, name; the default first */
#define HALO_DETECTOR_LIST(X)       \
    X(safra, "safra")               \
    X(ack_tree, "ack-tree")         \
    X(fixed_energy, "fixed-energy") \
    X(dual_ring, "dual-ring")       \
    X(single_ring, "single-ring")

/* A row of the list of detectors. */
typedef struct {
    const char *name;
    const char *help;  /* one sentence */
    const char *right; /* when it is right: completes "right ..." */
    bool sound;        /* never early, for any program on any network */
    bool synchronous;  /* right if a rank is told to be passive only when all basic messages that it
                        * has sent have been received; halo_quiescence sees to that */
} halo_detector_entry;

/* The list in the order of the manual, the default first; NULL behind its end. */
const halo_detector_entry *halo_detector_list(int i);

/* What a detector has its ranks tell each other: a control message, or what goes along with a basic
 * message. Ranks with the same byte order may send it as bytes. */
typedef struct {
    int32_t kind, rank; /* the detector's own */
    int64_t amount;
} halo_detector_note;

/* Control messages that are to be sent, [count]: at most one of the detector, and the announcement.
 */
enum { HALO_DETECTOR_MAX_SENT = 32 };
typedef struct {
    int count;
    struct {
        int to;
        halo_detector_note note;
    } sent[HALO_DETECTOR_MAX_SENT];
} halo_detector_outbox;

/* Of one rank, since it was created or reset. */
typedef struct {
    int64_t basic;         /* messages sent */
    int64_t control;       /* messages that the detector needed, */
    int64_t announcements; /* and those that announced the end */
    int64_t rounds;        /* rank 0: of the token of a ring */
    int64_t renewals;      /* fixed-energy: messages with energy that a rank above 0 had to make */
} halo_detector_counts;

/* Creates the detector `name` (NULL: the default) for rank `rank` of `ranks`, all of which are
 * active. The same name on all ranks. HALO_ARGUMENT for an unknown name, naming those there are, or
 * a rank that is none; HALO_MEMORY. */
halo_status halo_detector_create(halo_detector **out, const char *name, int rank, int ranks);

/* Accepts a pointer to NULL. */
void halo_detector_destroy(halo_detector **detector);

/* As it was when it was created, counts included. */
void halo_detector_reset(halo_detector *detector);

const halo_detector_entry *halo_detector_get_entry(const halo_detector *detector);

/* This rank sends a basic message to `to`, another rank; it must be active. Returns what must go
 * along with the message. */
halo_detector_note halo_detector_send(halo_detector *detector, int to);

/* Each of these sets *out to the control messages to send. */

/* A basic message has come, with what went along with it: the rank is active. */
void halo_detector_receive(halo_detector *detector, const halo_detector_note *note,
                           halo_detector_outbox *out);

/* The rank has nothing to do. Said again it changes nothing. */
void halo_detector_rest(halo_detector *detector, halo_detector_outbox *out);

/* A control message has come. After the end such messages change nothing. */
void halo_detector_control(halo_detector *detector, const halo_detector_note *note,
                           halo_detector_outbox *out);

/* Is this rank active? Does it know of the end? */
bool halo_detector_is_active(const halo_detector *detector);
bool halo_detector_has_ended(const halo_detector *detector);

halo_detector_counts halo_detector_get_counts(const halo_detector *detector);

#endif
