#ifndef HALOBEAT_TESTS_WAYS_H
#define HALOBEAT_TESTS_WAYS_H

#include "support/balance_watch.h"

/* Ways to run a kernel that must not change a byte of its result: how it is cut, how boundaries
 * move, how halos are exchanged, how ranks vote, with which instructions. There are far too many
 * for all of them together, so runs are chosen such that any two choices meet in one of them. */

/* What can be chosen: name, its choices. "default" leaves an option NULL or 0. */
#define WAY_LIST(X)                                                                             \
    X(cut, "even strips", "strips", "blocks", "even blocks")                                    \
    X(boundaries, "stay", "by hand", "random", "random:empty=0", "random:seed=2", "lb1", "lb2", \
      "diffusion", "chain")                                                                     \
    X(migrate, "default", "neighbour", "direct")                                                \
    X(exchange, "default", "p2p", "persistent", "neighbour", "shared")                          \
    X(corners, "default", "direct", "phases")                                                   \
    X(packing, "default", "copy", "datatype")                                                   \
    X(beats_per_exchange, "default", "1", "2", "3", "4", "6")                                   \
    X(vote, "default", "allreduce", "tree", "coordinator", "broadcast", "pipeline")             \
    X(instructions, "default", "avx512", "avx2", "plain")                                       \
    X(pieces, "one run", "beat by beat", "two runs", "restored")

typedef enum {
#define WAY_ENUM(name, ...) WAY_##name,
    WAY_LIST(WAY_ENUM)
#undef WAY_ENUM
        WAYS
} way_choice;

enum { WAY_MOST = 256, WAY_ALL = (1 << WAYS) - 1 };
#define WAY_BIT(name) (1 << WAY_##name)

/* The same on all ranks. */
typedef struct {
    int number;           /* among the runs of a test */
    const char *of[WAYS]; /* what is chosen; NULL where it is the default, or not for this kernel */
    bool strips;          /* not blocks */
    bool even;            /* parts of about the same size */
    int beats_per_exchange;
    char balancer[48]; /* that moves the boundaries before every beat; or "" */
    char text[320];
} way;

/* Local. Ways in which any two choices of `choices` (WAY_BITs) meet, at most WAY_MOST of them;
 * returns how many. Others are made from another seed. Instructions that this machine lacks become
 * plain ones. */
int ways_make(unsigned choices, uint64_t seed, way *ways);

/* Local. How halos are exchanged, ranks vote, and beats are put together. */
halo_beat_options way_beat_options(const way *w);

/* Local. Are boundaries moved by hand between runs? */
bool way_moves(const way *w);

/* Local. Cut a domain so, into parts of at least `min` cells along axes that are cut, or of none.
 * The caller frees the partition. */
void way_cut(const way *w, uint64_t *random, const halo_domain *domain, int64_t min,
             halo_partition *out);

/* Local. Cuts of `n` layers at random, even ones at most times. */
void way_cuts(const way *w, uint64_t *random, int64_t n, int parts, int64_t min, int64_t *cuts);

/* What several runs have come to. */
typedef struct {
    int64_t runs, plans, moves, refilled;
} way_tally;

/* Collective. Check each of the ways that ways_make gives; on several ranks some boundary must have
 * moved. `random` is the same on all ranks. */
typedef void way_check(const way *w, uint64_t *random, way_tally *all);
void ways_check(unsigned choices, uint64_t seed, way_check *check);

/* Collective. Begin to balance before every beat, if the way says so; what is told is checked.
 * Strips that are not empty have at least `min` rows. `watch->text` and the way must outlive it.
 * Returns the balancing, or NULL. */
struct halo_balancing *way_balance(const way *w, balance_watch *watch, int64_t min);

/* Collective. Ends what way_balance began, if it did. */
void way_balance_end(const way *w, balance_watch *watch, way_tally *all);

#endif
