#ifndef HALOBEAT_CLI_BENCH_MACHINE_H
#define HALOBEAT_CLI_BENCH_MACHINE_H

#include "cli/bench/list.h"
#include "cli/bench/options.h"

/* This machine's figures for the model: measured among so many ranks at once, with the same code as
 * `bench exchange` and `bench vote`, so that what ranks take from each other is in them. */

/* What was measured among some number of ranks; places in the list, -1 where there is nothing. */
typedef struct {
    int ranks;
    int few, many;     /* swaps of 1 and of several messages of 8 bytes */
    int short_, long_; /* swaps of messages of 1 KiB and 64 KiB */
    int vote, pack;
} bench_network;

/* What updating cells costs: a part of a size, on every rank for itself. */
typedef struct {
    int ranks, size, depth; /* `size` is its number among the sizes asked for */
    double cells;           /* as the model counts them; 0 if there is no model */
    int item;
} bench_cost;

typedef struct {
    int networks, costs;
    bench_network network[BENCH_MOST_ENTRIES];
    bench_cost *cost; /* [costs] */
} bench_machine;

/* Local. Add what updating all cells of `domain` takes, on every rank for itself; returns the
 * item's place. */
int bench_add_cost(bench_list *list, const bench_subject *subject, const halo_domain *domain,
                   int ranks, int depth);

/* Local. Add what is to be measured to the list, whose memory may run out. */
void bench_machine_list(bench_machine *out, bench_list *list, const bench_arguments *arguments);
void bench_machine_free(bench_machine *machine);

/* Local, after measuring: the figures among `ranks` ranks that update cells of size number `size`,
 * `depth` beats an exchange. Of numbers that were not measured, nothing is known: 0. */
halo_machine bench_machine_figures(const bench_machine *machine, const bench_list *list, int ranks,
                                   int size, int depth);

#endif
