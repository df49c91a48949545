#ifndef HALOBEAT_CLI_BENCH_MESSAGES_H
#define HALOBEAT_CLI_BENCH_MESSAGES_H

#include "cli/bench/list.h"

/* Messages as plain as MPI has them: what exchanges stand on, and are compared with. Each adds an
 * item to the list, for a group of `ranks`. All local. */

/* There and back between pairs of ranks, all pairs at once: the time is that of one way. */
void bench_add_ping(bench_list *list, int ranks, int bytes);

/* Pairs of ranks send each other `messages` messages at the same time. Returns the item's place. */
int bench_add_swap(bench_list *list, int ranks, int messages, int bytes);

/* Two messages to and from the neighbours in a ring, waited for by MPI itself. */
void bench_add_bare(bench_list *list, int ranks, int bytes);

#endif
