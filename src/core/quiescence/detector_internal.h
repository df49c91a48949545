#ifndef HALOBEAT_CORE_QUIESCENCE_DETECTOR_INTERNAL_H
#define HALOBEAT_CORE_QUIESCENCE_DETECTOR_INTERNAL_H

#include "core/quiescence/detector.h"

#include <stddef.h>

/* What the files of the detectors share. */

enum { DETECTOR_END, DETECTOR_OWN }; /* kinds of notes: the announcement; a detector's from here */

/* What a detector does. Each function may call detector_put once, or detector_announce. With one
 * rank only `send`, which then never happens, needs none of them. */
typedef struct {
    halo_detector_entry entry;
    void (*begin)(halo_detector *detector);
    halo_detector_note (*send)(halo_detector *detector, int to); /* or NULL: nothing goes along */
    void (*receive)(halo_detector *detector, const halo_detector_note *note); /* or NULL */
    void (*rest)(halo_detector *detector);
    void (*control)(halo_detector *detector, const halo_detector_note *note);
} detector_kind;

extern const detector_kind halo_detector_single_ring, halo_detector_dual_ring, halo_detector_safra,
    halo_detector_ack_tree, halo_detector_fixed_energy;

/* A token that goes around. */
typedef struct {
    bool here;                /* it waits for this rank to be passive */
    halo_detector_note token; /* where it is here */
    bool black;               /* this rank */
    int64_t balance;          /* basic messages sent less those received */
} detector_ring;

/* Ranks that stand under the one whose message has made them active. */
typedef struct {
    bool engaged; /* has a parent; rank 0 always is, and has none */
    int parent;
    int64_t missing; /* acknowledgements, or energy of its own that others have */
    int64_t held;    /* energy of its parent's */
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
    halo_detector_outbox *out; /* of the call at hand */
};

/* A control message is to be sent. */
void detector_put(halo_detector *detector, int to, const halo_detector_note *note);

/* The computation has ended: on rank 0, which finds it out, and then on others, which pass it on.
 */
void detector_announce(halo_detector *detector);

/* Rings: the token is at rank 0; it has come here, and `rest` passes it on if the rank is passive;
 * it goes to the next rank. On rank 0 a round begins with that. */
void detector_begin_ring(halo_detector *detector);
void detector_take_token(halo_detector *detector, const halo_detector_note *token);
void detector_pass_token(halo_detector *detector);

/* Trees: a rank that is passive and has all back leaves, and its parent gets what is held of it;
 * rank 0 announces the end. */
void detector_leave_tree(halo_detector *detector);

#endif
