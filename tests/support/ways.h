#ifndef HALOBEAT_TESTS_WAYS_H
#define HALOBEAT_TESTS_WAYS_H

#include "partition/balance/balance.h"
#include "support/balance_watch.h"

/* Ways to run a kernel that must not change its result: partition, moves of cuts, halo exchange,
 * votes, instruction sets. There are too many combinations to test all, so runs are chosen such
 * that every pair of choices occurs in one of them. */

/* Balancers that plan by loads. Boundaries that move at random find most: they are among the
 * choices three times, each with another seed. One that moves none would be as "stay". */
#define WAY_BALANCER_NOTHING(name)
#define WAY_BALANCER_LOADS(name) , #name
#define WAY_BALANCER_CHANCE(name)
#define WAY_BALANCER(name, by) WAY_BALANCER_##by(name)

/* name, choices. "default" leaves an option NULL or 0. */
#define WAY_LIST(X)                                                                 \
    X(cut, "even strips", "strips", "blocks", "even blocks")                        \
    X(boundaries, "stay", "by hand", "random", "random:empty=0",                    \
      "random:seed=2" HALO_BALANCER_LIST(WAY_BALANCER))                             \
    X(migrate, "default", "neighbour", "direct")                                    \
    X(exchange, "default", "p2p", "persistent", "neighbour", "shared")              \
    X(corners, "default", "direct", "phases")                                       \
    X(packing, "default", "copy", "datatype")                                       \
    X(beats_per_exchange, "default", "1", "2", "3", "4", "6")                       \
    X(vote, "default", "allreduce", "tree", "coordinator", "broadcast", "pipeline") \
    X(instructions, "default", "avx512", "avx2", "plain")                           \
    X(pieces, "one run", "beat by beat", "two runs", "restored")

typedef enum {
#define WAY_ENUM(name, ...) WAY_##name,
    WAY_LIST(WAY_ENUM)
#undef WAY_ENUM
        WAYS
} way_choice;

enum { WAY_MOST = 256, WAY_ALL = (1 << WAYS) - 1 };
#define WAY_BIT(name) (1 << WAY_##name)

/* One way; the same on all ranks. */
typedef struct {
    int number;           /* number among the runs of a test */
    const char *of[WAYS]; /* the choices; NULL for the default, or if it does not apply to this
                           * kernel */
    bool strips;          /* not blocks */
    bool even;            /* parts of about equal size */
    int beats_per_exchange;
    char balancer[48]; /* moves the cuts before every beat; or "" */
    char text[320];
} way;

/* Local. Makes ways in which every pair of `choices` (WAY_BITs) occurs, at most WAY_MOST of them.
 * Returns their number. They depend on the seed. Instruction sets that this machine lacks become
 * plain. */
int ways_make(unsigned choices, uint64_t seed, way *ways);

/* Local. Options of exchange, votes and beats per exchange. */
halo_beat_options way_beat_options(const way *w);

/* Local. True if cuts are moved between runs. */
bool way_moves(const way *w);

/* Local. Cuts a domain, into parts of at least `min` cells along axes that are cut, or of none. The
 * caller frees the partition. */
void way_cut(const way *w, uint64_t *random, const halo_domain *domain, int64_t min,
             halo_partition *out);

/* Local. Random cuts of `n` layers, even ones in most cases. */
void way_cuts(const way *w, uint64_t *random, int64_t n, int parts, int64_t min, int64_t *cuts);

/* Counts over several runs. */
typedef struct {
    int64_t runs, plans, moves, refilled;
} way_tally;

/* Collective. Calls `check` for each way of ways_make; on several ranks some cut must have moved.
 * `random` is the same on all ranks. */
typedef void way_check(const way *w, uint64_t *random, way_tally *all);
void ways_check(unsigned choices, uint64_t seed, way_check *check);

/* Collective. Begins to balance before every beat, if the way says so, and checks all
 * notifications. Strips that are not empty have at least `min` rows. `watch->text` and the way must
 * outlive it. Returns the balancing, or NULL. */
struct halo_balancing *way_balance(const way *w, balance_watch *watch, int64_t min);

/* Collective. Ends what way_balance has begun, if anything. */
void way_balance_end(const way *w, balance_watch *watch, way_tally *all);

#endif
