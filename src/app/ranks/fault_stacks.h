#ifndef HALOBEAT_APP_RANKS_FAULT_STACKS_H
#define HALOBEAT_APP_RANKS_FAULT_STACKS_H

#include <stdbool.h>
#include <stddef.h>

/* A handler of a stack overflow needs another stack. All functions are local. */

typedef struct {
    char *top;    /* an address in the first frames of the rank's stack; NULL: not known */
    size_t bytes; /* that it may have */
} rank_stack;

typedef struct {
    int count;
    char *memory; /* of all stacks for handlers */
    size_t mapped;
    rank_stack *of; /* [count], the ranks' own */
} fault_stacks;

/* Without memory there are none, and a full stack ends the process without a word. */
void fault_stacks_create(fault_stacks *stacks, int count);

/* By the thread of rank `rank`: handlers with SA_ONSTACK run on its other stack from now on, unless
 * there was one before, as sanitizers have. */
void fault_stacks_take(fault_stacks *stacks, int rank);

/* By a handler: the bytes of the rank's stack, if a fault at this address means that it is full; 0
 * if not. */
size_t fault_stacks_full(const fault_stacks *stacks, int rank, const void *address);

/* By the thread of rank 0, when the others have ended. */
void fault_stacks_destroy(fault_stacks *stacks);

#endif
