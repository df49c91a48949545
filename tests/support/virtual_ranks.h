#ifndef HALOBEAT_TESTS_VIRTUAL_RANKS_H
#define HALOBEAT_TESTS_VIRTUAL_RANKS_H

#include "core/quiescence/detector.h"

/* Asynchronous computations on virtual ranks, in virtual time, with a termination detector: when
 * ranks work, whom they send messages to and how long these travel comes from a seed. */

enum { VIRTUAL_RANKS = 12, VIRTUAL_MESSAGES = 300 }; /* at most */

/* What ranks do. */
typedef enum {
    VIRTUAL_RANDOM,   /* a piece of work sends some messages; each message is a piece of work */
    VIRTUAL_EXPECTED, /* ranks know how many messages will come, and are passive after the last */
    VIRTUAL_CHAIN     /* a piece of work sends one message: one rank works at a time */
} virtual_program;

typedef struct {
    const char *detector;
    virtual_program program;
    int ranks;
    int messages;     /* at most; up to VIRTUAL_MESSAGES, beyond in chains */
    bool fifo;        /* messages from one rank to another do not overtake each other */
    bool synchronous; /* basic messages do not travel: received at the moment they are sent */
    uint64_t seed;
} virtual_run;

typedef enum {
    VIRTUAL_RIGHT,
    VIRTUAL_EARLY, /* said while a rank was active, or a basic message under way */
    VIRTUAL_MISSED /* nothing happens any more, and a rank does not know of the end */
} virtual_outcome;

typedef struct {
    halo_detector_counts counts; /* of all ranks; not of an early end */
    double delay;                /* from the true end until rank 0 knows */
    double all_know;             /* and all ranks */
} virtual_result;

/* A detector that cannot be created ends the program. */
virtual_outcome virtual_run_once(const virtual_run *run, virtual_result *result);

#endif
