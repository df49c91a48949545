#ifndef HALOBEAT_CORE_BEAT_SUPERSTEP_H
#define HALOBEAT_CORE_BEAT_SUPERSTEP_H

#include "core/async/async.h"
#include "core/beat/kernel.h"
#include "core/beat/loop.h"
#include "core/exchange/exchange.h"

/* A superstep: one exchange of halos and the beats it serves, on this rank. Votes and decisions
 * over all ranks are made by the heartbeat. */

/* Maximum copies of a field: one is read while the other is written. */
enum { HALO_SUPERSTEP_COPIES = 2 };

typedef struct {
    halo_world *world;
    const halo_kernel *kernel;
    void *state;            /* the kernel's state, destroyed by the code that created it */
    int beats_per_exchange; /* beats per exchange; halos are that many times as deep as the
                             * kernel needs */
    int field_count;
    int copies; /* 1 for a kernel in place */
    int now;    /* index of the copy with the current cells */
    halo_field *fields[HALO_SUPERSTEP_COPIES][HALO_KERNEL_FIELDS];
    halo_view views[HALO_SUPERSTEP_COPIES][HALO_KERNEL_FIELDS];
    halo_exchange *exchanges[HALO_SUPERSTEP_COPIES];
    const halo_async_options *async_options; /* NULL: with exchanges instead */
    halo_async_report *async_report;
    halo_async *async; /* while connected */

    /* These describe the neighbourhood beyond the ends of the part on each axis. */
    bool others[HALO_AXES][HALO_ENDS]; /* cells of another rank */
    bool widens[HALO_AXES][HALO_ENDS]; /* halo cells that can be computed here too */
    bool waits[HALO_AXES][HALO_ENDS];  /* a halo that may not be there before the exchange has
                                        * ended */
    bool fills[HALO_AXES];             /* the part's other end, copied after each beat */

    halo_box owned;                  /* local indices */
    halo_box *outer, *middle;        /* [beats_per_exchange]; see superstep_steps.c */
    double row_share;                /* computed rows of the current call as a share of owned
                                      * rows */
    int64_t *changed;                /* [beats] owned cells that each beat changed; owned by the
                                      * caller */
    halo_status failure;             /* first failure of this rank, */
    char message[HALO_MESSAGE_SIZE]; /* with its message */
    halo_beat_report *report;        /* to which times are added */
    halo_row_cost *row_cost;
    double cells; /* number of cells computed so far, including halo cells */
} halo_superstep;

/* Options of a superstep. */
typedef struct {
    int beats_per_exchange; /* 1 or more */
    bool movable;  /* strips shall be movable in place, if the system reserves the address space */
    bool balanced; /* its measurements will be taken, for a plan */
    halo_exchange_options exchange;  /* without corners and side halos, which follow from the
                                      * kernel */
    halo_beat_report *report;        /* of the loop; must outlive the superstep */
    const halo_async_options *async; /* or NULL; must outlive the superstep, as must its report */
    halo_async_report *async_report;
    const halo_view *memory; /* as halo_beat_options.memory; NULL: fields have their own */
} halo_superstep_options;

/* Local. Checks the kernel's table and creates its fields, all 0, for this rank's part, with halos
 * for `beats_per_exchange` beats. HALO_ARGUMENT, HALO_MEMORY. */
halo_status halo_superstep_create(halo_superstep **out, halo_world *world,
                                  const halo_domain *domain, const halo_partition *partition,
                                  const halo_kernel *kernel, const halo_superstep_options *options);

/* Collective. Creates the exchange; options (except corners and side halos) and errors as of
 * halo_exchange_create. */
halo_status halo_superstep_connect(halo_superstep *superstep, const halo_partition *partition,
                                   const halo_exchange_options *options);

/* Local. True if its strip can move in place. May differ between ranks. */
bool halo_superstep_is_movable(const halo_superstep *superstep);

/* Collective. Moves in place from the strips of `cuts` to those of `partition`, which must then be
 * connected. `how`, `bytes` and errors as in halo_migrate_in_place; after HALO_MEMORY everything is
 * unchanged. */
halo_status halo_superstep_move(halo_superstep *superstep, const int64_t *cuts,
                                const halo_partition *partition, const char *how, double *bytes);

/* Local. True if it is connected and can run; the same on all ranks. */
bool halo_superstep_is_connected(const halo_superstep *superstep);

/* Local. True if supersteps of `beats` beats compute while halos are under way. */
bool halo_superstep_overlaps(const halo_superstep *superstep, int beats);

/* Local. Adds what its exchanges have sent to other ranks. */
void halo_superstep_count(const halo_superstep *superstep, int64_t *messages, int64_t *bytes);

/* Local. Frees the superstep and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_superstep_destroy(halo_superstep **superstep);

/* Collective. Does `beats` beats (at most beats_per_exchange) after the first `done` ones, and adds
 * to `changed`, [beats]. A failure, the kernel's included, is noted: the rank still sends what its
 * neighbours wait for, but computes no more. */
void halo_superstep_run(halo_superstep *superstep, int64_t done, int beats, int64_t *changed);

/* Part of halo_superstep_run for kernels with `step`: beat by beat, or in tiles of several
 * beats. */
void halo_superstep_step(halo_superstep *superstep, int64_t done, int beats);

/* Part of halo_superstep_run for asynchronous kernels: one phase. */
void halo_superstep_run_async(halo_superstep *superstep, int64_t done);

/* Local. Halo cells computed by the last halo_superstep_step of `beats` beats, in rows. */
double halo_superstep_extra_rows(const halo_superstep *superstep, int beats);

/* Runs and times one phase of the exchange. */
void halo_superstep_exchange(halo_superstep *superstep,
                             halo_status (*phase)(halo_exchange *exchange));

/* Local. Notes a failure with its message, if it is the first one of this rank. */
void halo_superstep_note(halo_superstep *superstep, halo_status status);

/* Local. Returns the noted failure and restores its message; HALO_OK if there is none. */
halo_status halo_superstep_noted(const halo_superstep *superstep);

#endif
