#ifndef HALOBEAT_CORE_QUIESCENCE_DETECTOR_INTERNAL_H
#define HALOBEAT_CORE_QUIESCENCE_DETECTOR_INTERNAL_H

#include "core/quiescence/detector.h"

#include <stddef.h>

/* Internals of the detectors. */

enum {
    DETECTOR_END,
    DETECTOR_OWN
}; /* kinds of notes: the announcement, and the first of a
    * detector's own */

/* The functions of a detector. Each may call detector_put once, or detector_announce. On one rank
 * only `begin` is called. */
typedef struct {
    halo_detector_entry entry;
    void (*begin)(halo_detector *detector);
    halo_detector_note (*send)(halo_detector *detector, int to); /* may be NULL: no data are
                                                                  * added */
    void (*receive)(halo_detector *detector, const halo_detector_note *note); /* may be NULL */
    void (*rest)(halo_detector *detector);
    void (*control)(halo_detector *detector, const halo_detector_note *note);
} detector_kind;

extern const detector_kind halo_detector_single_ring, halo_detector_dual_ring, halo_detector_safra,
    halo_detector_ack_tree, halo_detector_fixed_energy;

/* A token that circulates in a ring. */
typedef struct {
    bool here;                /* it waits until this rank is passive */
    halo_detector_note token; /* the token while it is here */
    bool black;               /* colour of this rank */
    int64_t balance;          /* basic messages sent minus received */
} detector_ring;

/* A tree of ranks: the parent of a rank is the rank whose message has made it active. */
typedef struct {
    bool engaged; /* has a parent; rank 0 always is, without a parent */
    int parent;
    int64_t missing; /* acknowledgements, or own energy, that have not returned */
    int64_t held;    /* energy of its parent's that it holds */
} detector_tree;

struct halo_detector {
    const detector_kind *kind;
    int rank, ranks;
    bool active, ended;
    union {
        detector_ring ring;
        detector_tree tree;
    };
    halo_detector_counts counts;
    halo_detector_outbox *out; /* of the current call */
};

/* Adds a control message to the outbox. */
void detector_put(halo_detector *detector, int to, const halo_detector_note *note);

/* The computation has terminated: called on rank 0 when it detects that, then on the other ranks,
 * which pass it on. */
void detector_announce(halo_detector *detector);

/* Rings: the token starts at rank 0; the token has arrived, and `rest` passes it on when the rank
 * is passive; the token is sent to the next rank. On rank 0 that starts a round. */
void detector_begin_ring(halo_detector *detector);
void detector_take_token(halo_detector *detector, const halo_detector_note *token);
void detector_pass_token(halo_detector *detector);

/* Trees: a rank that is passive and has everything returned leaves the tree and returns to its
 * parent what it holds; rank 0 announces termination. */
void detector_leave_tree(halo_detector *detector);

#endif
