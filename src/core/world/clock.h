#ifndef HALOBEAT_CORE_WORLD_CLOCK_H
#define HALOBEAT_CORE_WORLD_CLOCK_H

#include <stdint.h>

/* Where the time of a rank goes. Waiting for other ranks is counted by itself and never as work:
 * a balancer that saw it would think every rank equally slow. */

#define HALO_PHASE_LIST(X)                                                          \
    X(DECODE, "decode")         /* reading and decompressing input */               \
    X(DISTRIBUTE, "distribute") /* handing rows to their owners */                  \
    X(COMPUTE, "compute")       /* updating cells */                                \
    X(EXCHANGE, "exchange")     /* starting and finishing halo messages, packing */ \
    X(VOTE, "vote")             /* deciding whether to go on */                     \
    X(BALANCE, "balance")       /* planning where boundaries should be */           \
    X(MIGRATE, "migrate")       /* moving rows to their new owners */               \
    X(MERGE, "merge")           /* bringing partial results together */             \
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

/* Local. Seconds of a steady clock with an arbitrary beginning; one call costs 30-150 ns. */
double halo_seconds(void);

/* Local. The name of a phase. */
const char *halo_phase_name(halo_phase phase);

struct halo_world;

/* A stretch of one phase. While it runs, seconds the world's halo_wait takes are moved from the
 * phase to HALO_PHASE_WAIT. Stretches must not overlap. */
typedef struct {
    double begun;
    double waited;
} halo_stretch;

/* Local. Begins a stretch now. */
halo_stretch halo_clock_begin(const struct halo_world *world);

/* Local. Adds the seconds since `stretch` began to `phase`, but those waited to HALO_PHASE_WAIT.
 * Returns what it added to `phase`. */
double halo_clock_end(halo_clock *clock, halo_phase phase, halo_stretch stretch,
                      const struct halo_world *world);

/* Local. Adds all phases of `more`. */
void halo_clock_add(halo_clock *clock, const halo_clock *more);

#endif
