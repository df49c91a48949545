#ifndef HALOBEAT_CLI_BENCH_KINDS_H
#define HALOBEAT_CLI_BENCH_KINDS_H

#include "cli/bench/list.h"

/* What `halobeat bench` measures one by one: name, least ranks, what it is. Each is `void
 * bench_list_NAME(bench_list *list, int ranks)`, local, the same on all ranks, which adds what is
 * to be measured among the first `ranks` ranks; memory that ran out is in the list. */
#define BENCH_KIND_LIST(X)                                                              \
    X(exchange, 2, "latency, bandwidth, packing, and halo exchanges beside bare MPI")   \
    X(vote, 1, "what it takes to decide together, by each method")                      \
    X(wait, 2, "what each waiting policy costs, with a core for each rank and without") \
    X(memory, 1, "reading, writing, copying by all ranks at once; first touch; what cells cost")

#define BENCH_KIND_PROTOTYPE(name, least, help) void bench_list_##name(bench_list *list, int ranks);
BENCH_KIND_LIST(BENCH_KIND_PROTOTYPE)
#undef BENCH_KIND_PROTOTYPE

/* Single items of these lists; each returns its place. Votes by `method`, which must outlive the
 * list; copying `cells` columns of a wide field into a message, or packing them by a datatype. */
int bench_add_vote(bench_list *list, int ranks, const char *method);
int bench_add_pack(bench_list *list, int ranks, int cells, bool datatype);

#endif
