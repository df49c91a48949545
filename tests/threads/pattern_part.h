#ifndef HALOBEAT_TESTS_THREADS_PATTERN_PART_H
#define HALOBEAT_TESTS_THREADS_PATTERN_PART_H

#include "core/world/collect.h"
#include "threads/pattern.h"

/* One rank's part in a pattern: its messages (pattern_messages.c) and its operations
 * (pattern_operations.c), which pattern.c begins and tests in a random order. */

/* The tag of a receive says whether it is for one source or for any; those with PATTERN_MIXED are
 * both in turn, of messages that all come from one rank, so that the order of the lists of both
 * kinds is seen. */
enum {
    PATTERN_EXACT = 0,
    PATTERN_EXACT_TOO = 1,
    PATTERN_ANY = 2,
    PATTERN_MIXED = 3,
    PATTERN_TAGS = 4
};

enum {
    PATTERN_SUM,
    PATTERN_MAX,
    PATTERN_SCAN,
    PATTERN_BCAST,
    PATTERN_GATHER,
    PATTERN_ALLGATHER,
    PATTERN_ALLTOALL,
    PATTERN_KINDS
};

typedef struct {
    const pattern_message *message; /* one that could come; those of a kind are alike */
    halo_request request;
    char *data;
    int bytes;  /* that came */
    bool exact; /* asks for the source */
    bool posted;
} pattern_receive;

typedef struct {
    halo_request request;
    int64_t *in, *out;
} pattern_begun;

typedef struct {
    pattern *p;
    halo_world *world, *half; /* of all; of the odd or the even ranks */
    int rank;
    uint64_t random;
    halo_request sends[PATTERN_MESSAGES];
    char *sent[PATTERN_MESSAGES];
    pattern_receive receives[PATTERN_MESSAGES];
    pattern_begun operations[PATTERN_OPERATIONS];
    int send_count, receive_count, begun; /* begun: operations */
    int next_message;
} pattern_part;

/* In front of the bytes of each message. */
typedef struct {
    int magic, from, to, tag, sequence, bytes;
} pattern_head;

/* Local. Prints and counts what did not come as it must. */
void pattern_wrong(pattern_part *at, const char *what, int64_t number);

/* Local, pure. The world of all, or of the odd or even ranks. */
halo_world *pattern_world_of(const pattern_part *at, bool within);

/* Local. Sends the pattern's next message, if it is this rank's. */
halo_status pattern_send_next(pattern_part *at);

/* Local. Lists the receives in a random order; posts one of them. */
void pattern_list_receives(pattern_part *at);
halo_status pattern_post_receive(pattern_part *at, pattern_receive *r);

/* Local. Waits for all receives that are posted. */
halo_status pattern_wait_receives(pattern_part *at);

/* Local. Checks that a received message is one of those that the receive is for. */
void pattern_check_receive(pattern_part *at, const pattern_receive *r);

/* Local. Messages from one rank with one tag have come in the order in which they were sent, to
 * receives in the order in which those were posted. */
void pattern_check_order(pattern_part *at);

/* Collective. A receive that nobody sends to; and one that is taken back while its message may
 * come. */
halo_status pattern_race(pattern_part *at);

/* Collective. Begins the pattern's next operation. */
halo_status pattern_begin_operation(pattern_part *at);

/* Local. Waits until so many operations are under way at most. */
halo_status pattern_wait_operations(pattern_part *at, int left);

/* Local. The operation has given what it must. */
void pattern_check_operation(pattern_part *at, int number);

#endif
