#ifndef HALOBEAT_CORE_BEAT_SUPERSTEP_H
#define HALOBEAT_CORE_BEAT_SUPERSTEP_H

#include "core/async/async.h"
#include "core/beat/kernel.h"
#include "core/beat/loop.h"
#include "core/exchange/exchange.h"

/* A superstep: one exchange of halos and the beats it lasts for, on this rank. What follows from it
 * for all ranks, the votes, is the heartbeat's. */

/* Of each field: one is read while the other is written. */
enum { HALO_SUPERSTEP_COPIES = 2 };

typedef struct {
    halo_world *world;
    const halo_kernel *kernel;
    void *state;            /* the kernel's; its maker's to destroy */
    int beats_per_exchange; /* an exchange lasts for; halos are that many times the kernel's deep */
    int field_count;
    int copies; /* 1 for a kernel in place */
    int now;    /* the copy that holds the current cells */
    halo_field *fields[HALO_SUPERSTEP_COPIES][HALO_KERNEL_FIELDS];
    halo_view views[HALO_SUPERSTEP_COPIES][HALO_KERNEL_FIELDS];
    halo_exchange *exchanges[HALO_SUPERSTEP_COPIES];
    const halo_async_options *async_options; /* NULL: rounds */
    halo_async_report *async_report;
    halo_async *async; /* while connected */

    /* What lies beyond the part's ends on each axis. */
    bool others[HALO_AXES][HALO_ENDS]; /* another rank's cells */
    bool widens[HALO_AXES][HALO_ENDS]; /* cells, in the halo, that can be computed here as well */
    bool waits[HALO_AXES][HALO_ENDS];  /* a halo that may be there only after the exchange's end */
    bool fills[HALO_AXES];             /* the part's other end, copied after each beat */

    halo_box owned;                  /* local indices */
    halo_box *outer, *middle;        /* [beats_per_exchange]; see superstep_steps.c */
    double row_share;                /* of an owned row, that a row of the stretch at hand is */
    int64_t *changed;                /* [beats]: owned cells that each beat changed; its caller's */
    halo_status failure;             /* this rank's first one */
    char message[HALO_MESSAGE_SIZE]; /* that explains it */
    halo_beat_report *report;        /* to which times are added */
    halo_row_cost *row_cost;
    double cells; /* computed so far, those of halos too */
} halo_superstep;

/* How a superstep is made. */
typedef struct {
    int beats_per_exchange; /* 1 or more */
    bool movable; /* strips can move in place where the system sets aside address space for it */
    halo_exchange_options exchange;  /* corners and side halos follow from the kernel */
    halo_beat_report *report;        /* of the loop; outlives the superstep */
    const halo_async_options *async; /* or NULL; outlives it, as does its report */
    halo_async_report *async_report;
} halo_superstep_options;

/* Local. Checks the kernel's table and makes its fields, all zero, for this rank's part, with halos
 * for `beats_per_exchange` beats. HALO_ARGUMENT, HALO_MEMORY. */
halo_status halo_superstep_create(halo_superstep **out, halo_world *world,
                                  const halo_domain *domain, const halo_partition *partition,
                                  const halo_kernel *kernel, const halo_superstep_options *options);

/* Collective. Connects the parts; `options` and errors as in halo_exchange_create, but for corners
 * and side halos. */
halo_status halo_superstep_connect(halo_superstep *superstep, const halo_partition *partition,
                                   const halo_exchange_options *options);

/* Local. Can its strip move in place? May differ between ranks. */
bool halo_superstep_is_movable(const halo_superstep *superstep);

/* Collective. Moves in place to the strips of `partition` from those of `cuts`, which are then to
 * be connected; `how` and `bytes` as in halo_migrate_in_place, and the errors: HALO_MEMORY leaves
 * everything as it was. */
halo_status halo_superstep_move(halo_superstep *superstep, const int64_t *cuts,
                                const halo_partition *partition, const char *how, double *bytes);

/* Local. Can it run? The same on all ranks. */
bool halo_superstep_is_connected(const halo_superstep *superstep);

/* Local. Is anything computed while halos are on their way, in supersteps of `beats` beats? */
bool halo_superstep_overlaps(const halo_superstep *superstep, int beats);

/* Local. Add what its exchanges have sent to other ranks. */
void halo_superstep_count(const halo_superstep *superstep, int64_t *messages, int64_t *bytes);

/* Local. Accepts a pointer to NULL. */
void halo_superstep_destroy(halo_superstep **superstep);

/* Collective. Does `beats` beats (at most beats_per_exchange) after the `done` that were done
 * before, and adds to `changed`, [beats]. A failure, the kernel's included, is noted: a rank that
 * failed sends what its neighbours wait for, and computes no more. */
void halo_superstep_run(halo_superstep *superstep, int64_t done, int beats, int64_t *changed);

/* For halo_superstep_run: of kernels with `step`, beat by beat or in tiles of several beats. */
void halo_superstep_step(halo_superstep *superstep, int64_t done, int beats);

/* For halo_superstep_run: of kernels that compute asynchronously, a phase after the `done` beats.
 */
void halo_superstep_run_async(halo_superstep *superstep, int64_t done);

/* Local. Rows' worth of halo cells that the last halo_superstep_step, of `beats` beats, computed.
 */
double halo_superstep_extra_rows(const halo_superstep *superstep, int beats);

/* For both: a phase of the exchange, timed. */
void halo_superstep_exchange(halo_superstep *superstep,
                             halo_status (*phase)(halo_exchange *exchange));

/* Local. Keep a rank's first failure, with its message: later ones follow from it. */
void halo_superstep_note(halo_superstep *superstep, halo_status status);

/* Local. The failure that was noted, and its message is the last one again; HALO_OK if none. */
halo_status halo_superstep_noted(const halo_superstep *superstep);

#endif
