#ifndef HALOBEAT_TESTS_VIRTUAL_RANKS_H
#define HALOBEAT_TESTS_VIRTUAL_RANKS_H

#include "core/quiescence/detector.h"

/* Asynchronous computations on virtual ranks, in virtual time, with a termination detector. A seed
 * determines when ranks work, to whom they send messages and how long these travel. */

enum { VIRTUAL_RANKS = 12, VIRTUAL_MESSAGES = 300 }; /* maximum */

/* Programs of the ranks. */
typedef enum {
    VIRTUAL_RANDOM,   /* a piece of work sends some messages; each message is a piece of work */
    VIRTUAL_EXPECTED, /* ranks know how many messages will come, and are passive after the last */
    VIRTUAL_CHAIN     /* a piece of work sends one message: one rank works at a time */
} virtual_program;

typedef struct {
    const char *detector;
    virtual_program program;
    int ranks;
    int messages;     /* maximum; up to VIRTUAL_MESSAGES, more in chains */
    bool fifo;        /* messages from one rank to another do not overtake each other */
    bool synchronous; /* basic messages are received at the moment they are sent */
    uint64_t seed;
} virtual_run;

typedef enum {
    VIRTUAL_RIGHT,
    VIRTUAL_EARLY, /* termination announced while a rank was active, or a basic message under way */
    VIRTUAL_MISSED /* nothing happens any more, and a rank does not know of the termination */
} virtual_outcome;

typedef struct {
    halo_detector_counts counts; /* over all ranks; not after an early announcement */
    double delay;                /* from termination until rank 0 knows */
    double all_know;             /* and until all ranks know */
} virtual_result;

/* Ends the program if the detector cannot be created. */
virtual_outcome virtual_run_once(const virtual_run *run, virtual_result *result);

#endif
