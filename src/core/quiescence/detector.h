#ifndef HALOBEAT_CORE_QUIESCENCE_DETECTOR_H
#define HALOBEAT_CORE_QUIESCENCE_DETECTOR_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Termination detectors: when are all ranks of a computation passive for good?
 *
 * A rank is active while it has work, otherwise passive. Active ranks send messages (basic
 * messages); the arrival of one makes a passive rank active again. The computation has terminated
 * when all ranks are passive and no basic message is under way. No rank can see that by itself:
 * detectors find it out by control messages of their own, or by data added to basic messages.
 *
 * A detector here is the state of one rank: it is told what happens on that rank, and says which
 * control messages to send. The caller sends them; halo_quiescence (core/quiescence/quiescence.h)
 * does. All functions are local and send nothing. Rank 0 detects termination and
 * announces it along a binomial tree. docs/termination.md compares the detectors. */
typedef struct halo_detector halo_detector;

/* code, name; the default first */
#define HALO_DETECTOR_LIST(X)       \
    X(safra, "safra")               \
    X(ack_tree, "ack-tree")         \
    X(fixed_energy, "fixed-energy") \
    X(dual_ring, "dual-ring")       \
    X(single_ring, "single-ring")

/* An entry of the list of detectors. */
typedef struct {
    const char *name;
    const char *help;  /* one sentence */
    const char *right; /* the conditions under which it is right, to complete "right ..." */
    bool sound;        /* never announces termination too early, for any program on any network */
    bool synchronous;  /* right if a rank is told to be passive only after all basic messages
                        * that it has sent were received, which halo_quiescence makes sure of */
} halo_detector_entry;

/* Entry i of the list, in the order of the manual, the default first; NULL past its end. */
const halo_detector_entry *halo_detector_list(int i);

/* The content of a control message, or the data added to a basic message. Ranks with the same byte
 * order may send it as bytes. */
typedef struct {
    int32_t kind, rank; /* meaning depends on the detector */
    int64_t amount;
} halo_detector_note;

/* Control messages to send, [count]: at most one of the detector's own, and the announcement. */
enum { HALO_DETECTOR_MAX_SENT = 32 };
typedef struct {
    int count;
    struct {
        int to;
        halo_detector_note note;
    } sent[HALO_DETECTOR_MAX_SENT];
} halo_detector_outbox;

/* Counts of one rank since the detector was created or reset. */
typedef struct {
    int64_t basic;         /* basic messages sent */
    int64_t control;       /* control messages of the detector */
    int64_t announcements; /* messages that announced termination */
    int64_t rounds;        /* rank 0: rounds of the token in a ring */
    int64_t renewals;      /* fixed-energy: messages with new energy that a rank above 0 had to
                            * create */
} halo_detector_counts;

/* Creates the detector `name` (NULL: the default; the same on all ranks) for rank `rank` of
 * `ranks`, all of which are active. The caller destroys it. HALO_ARGUMENT for an unknown name, with
 * those there are, or an invalid rank; HALO_MEMORY. */
halo_status halo_detector_create(halo_detector **out, const char *name, int rank, int ranks);

/* Frees the detector and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_detector_destroy(halo_detector **detector);

/* Restores the state after creation, including counts. */
void halo_detector_reset(halo_detector *detector);

const halo_detector_entry *halo_detector_get_entry(const halo_detector *detector);

/* This rank, which must be active, sends a basic message to `to`, another rank. Returns the data to
 * add to the message. */
halo_detector_note halo_detector_send(halo_detector *detector, int to);

/* Each of the following functions sets *out to the control messages to send. */

/* A basic message has arrived, with the data added to it: the rank is active. */
void halo_detector_receive(halo_detector *detector, const halo_detector_note *note,
                           halo_detector_outbox *out);

/* The rank is passive. Further calls change nothing. */
void halo_detector_rest(halo_detector *detector, halo_detector_outbox *out);

/* A control message has arrived. After termination such messages change nothing. */
void halo_detector_control(halo_detector *detector, const halo_detector_note *note,
                           halo_detector_outbox *out);

/* True if this rank knows of the termination. */
bool halo_detector_has_ended(const halo_detector *detector);

void halo_detector_get_counts_sized(const halo_detector *detector, halo_detector_counts *counts,
                                    size_t counts_bytes);
static inline halo_detector_counts halo_detector_get_counts(const halo_detector *detector)
{
    halo_detector_counts halo_filled;
    halo_detector_get_counts_sized(detector, &halo_filled, sizeof(halo_detector_counts));
    return halo_filled;
}

#endif
