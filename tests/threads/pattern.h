#ifndef HALOBEAT_TESTS_THREADS_PATTERN_H
#define HALOBEAT_TESTS_THREADS_PATTERN_H

#include "core/world/world.h"

#include <stdatomic.h>
#include <stdint.h>

/* A random pattern of messages and operations of all ranks, and what must come of it. All ranks
 * have the same pattern; in which order a rank begins its sends, receives and operations, and how
 * it waits for them, is up to its own random numbers. */

enum {
    PATTERN_MESSAGES = 64,
    PATTERN_OPERATIONS = 24,
    PATTERN_RANKS = 64,
    PATTERN_NUMBERS = 1500 /* at most, of an operation */
};

typedef struct {
    int from, to, tag, sequence; /* the sequence: of those with the same ends and tag */
    int bytes;
    bool matched; /* a synchronous send */
    bool within;  /* in the world of odd or of even ranks */
} pattern_message;

typedef struct {
    int kind, count, root;
    bool within;
} pattern_operation;

typedef struct {
    uint64_t seed;
    int ranks, messages, operations;
    int most_bytes; /* of a message: of half of the patterns as many as are copied on their way */
    pattern_message message[PATTERN_MESSAGES];
    pattern_operation operation[PATTERN_OPERATIONS];
    int breaking;      /* the rank that breaks the team in the middle; -1: none */
    atomic_int wrong;  /* what did not come as it must */
    atomic_int broken; /* ranks whose waits have ended with the failure */
} pattern;

/* Local. The next of a sequence of random numbers below `below`. */
uint64_t pattern_random(uint64_t *state, uint64_t below);

/* Local. Fills the pattern from its seed, for so many ranks at most. `small`: a few messages. */
void pattern_make(pattern *p, uint64_t seed, int most_ranks, bool small);

/* Collective: a halo_rank_body. What goes wrong is printed and counted. */
halo_status pattern_run(halo_world *world, void *context);

#endif
