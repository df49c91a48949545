#ifndef HALOBEAT_CORE_WORLD_CLOCK_H
#define HALOBEAT_CORE_WORLD_CLOCK_H

#include <stdint.h>

/* Times of a rank by phase. Waiting for other ranks is a phase of its own and never counted as
 * work: with it every rank would look equally slow to a balancer. */

#define HALO_PHASE_LIST(X)                                                          \
    X(DECODE, "decode")         /* reading and decompressing input */               \
    X(DISTRIBUTE, "distribute") /* sending rows to their owners */                  \
    X(COMPUTE, "compute")       /* updating cells */                                \
    X(EXCHANGE, "exchange")     /* starting and finishing halo messages, packing */ \
    X(VOTE, "vote")             /* the vote on whether to go on */                  \
    X(BALANCE, "balance")       /* planning new cuts */                             \
    X(MIGRATE, "migrate")       /* moving rows to their new owners */               \
    X(MERGE, "merge")           /* merging partial results */                       \
    X(ENCODE, "encode")         /* compressing and writing output */                \
    X(WAIT, "wait")             /* waiting for other ranks, in any phase */

typedef enum {
#define HALO_PHASE_ENUM(name, text) HALO_PHASE_##name,
    HALO_PHASE_LIST(HALO_PHASE_ENUM)
#undef HALO_PHASE_ENUM
        HALO_PHASES
} halo_phase;

/* Seconds per phase of one rank. Zero-initialise it. */
typedef struct {
    double seconds[HALO_PHASES];
} halo_clock;

/* Local. Seconds of a monotonic clock with an arbitrary origin. A call costs 30 to 150 ns. */
double halo_seconds(void);

/* Local. The name of a phase. */
const char *halo_phase_name(halo_phase phase);

struct halo_world;

/* A time interval of one phase. Time that halo_wait takes during it is counted as HALO_PHASE_WAIT
 * instead. Intervals must not overlap. */
typedef struct {
    double begun;
    double waited;
} halo_stretch;

/* Local. Starts an interval now. */
halo_stretch halo_clock_begin(const struct halo_world *world);

/* Local. Ends an interval: adds its seconds to `phase`, except those spent in halo_wait, which it
 * adds to HALO_PHASE_WAIT. Returns the seconds added to `phase`. */
double halo_clock_end(halo_clock *clock, halo_phase phase, halo_stretch stretch,
                      const struct halo_world *world);

/* Local. Adds all phases of `more` to `clock`. */
void halo_clock_add(halo_clock *clock, const halo_clock *more);

#endif
