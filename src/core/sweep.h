#ifndef HALOBEAT_CORE_SWEEP_H
#define HALOBEAT_CORE_SWEEP_H

#include "core/clock.h"
#include "core/exchange.h"
#include "core/kernel.h"
#include "core/world.h"

/* A sweep: one exchange of halos and the beats it lasts for, on this rank. What follows from it for
 * all ranks, the votes, is the heartbeat's. */

enum { HALO_SWEEP_COPIES = 2 }; /* of each field: one is read while the other is written */

typedef struct {
    halo_world *world;
    const halo_kernel *kernel;
    void *state;    /* the kernel's; its maker's to destroy */
    int most_beats; /* an exchange lasts for; halos are that many times the kernel's deep */
    int field_count;
    int copies; /* 1 for a kernel in place */
    int now;    /* the copy that holds the current cells */
    halo_field *fields[HALO_SWEEP_COPIES][HALO_KERNEL_FIELDS];
    halo_view views[HALO_SWEEP_COPIES][HALO_KERNEL_FIELDS];
    halo_exchange *exchanges[HALO_SWEEP_COPIES];
    bool others[2];  /* another rank's cells lie beyond the strip's low, high end */
    halo_end end[2]; /* the domain's edge, or cells that can be computed here as well */
    halo_box interior, edges[HALO_EDGES];
    int edge_count;
    int64_t *changed;                /* [most_beats]: owned cells that each beat of it changed */
    halo_status failure;             /* this rank's first one */
    char message[HALO_MESSAGE_SIZE]; /* that explains it */
    halo_clock clock;
    double edge_seconds; /* of its computing: cells that had to wait for halos */
    halo_meter *meter;
} halo_sweep;

/* Local. Checks the kernel's table and makes its fields, all zero, for this rank's strip, with
 * halos for `most_beats` beats (1 or more). With `movable` the strip can move in place where the
 * system sets aside address space for that. HALO_ARGUMENT, HALO_MEMORY. */
halo_status halo_sweep_create(halo_sweep **out, halo_world *world, const halo_domain *domain,
                              const halo_partition *partition, const halo_kernel *kernel,
                              int most_beats, bool movable);

/* Collective. Connects the strips; `mode` as in halo_exchange_create, errors too. */
halo_status halo_sweep_connect(halo_sweep *sweep, const halo_partition *partition,
                               const char *mode);

/* Local. Can its strip move in place? May differ between ranks. */
bool halo_sweep_is_movable(const halo_sweep *sweep);

/* Collective. Moves in place to the strips of `partition` from those of `cuts`, which are then to
 * be connected; `how` and `bytes` as in halo_migrate_in_place, and the errors: HALO_MEMORY leaves
 * everything as it was. */
halo_status halo_sweep_move(halo_sweep *sweep, const int64_t *cuts, const halo_partition *partition,
                            const char *how, double *bytes);

/* Local. Can it run? The same on all ranks. */
bool halo_sweep_is_connected(const halo_sweep *sweep);

/* Local. Is anything computed while halos are on their way, in sweeps of so many beats? */
bool halo_sweep_overlaps(const halo_sweep *sweep, int beats);

/* Local. Add what its exchanges have sent to other ranks. */
void halo_sweep_count(const halo_sweep *sweep, int64_t *messages, int64_t *bytes);

/* Local. Accepts a pointer to NULL. */
void halo_sweep_destroy(halo_sweep **sweep);

/* Collective. Does `beats` beats (at most most_beats) after the `done` that were done before, and
 * fills in `changed`. A failure, the kernel's included, is noted: a rank that failed sends what
 * its neighbours wait for, and computes no more. */
void halo_sweep_run(halo_sweep *sweep, int64_t done, int beats);

/* Local. Keep a rank's first failure, with its message: later ones follow from it. */
void halo_sweep_note(halo_sweep *sweep, halo_status status);

#endif
