#ifndef HALOBEAT_CORE_MOVE_FARM_H
#define HALOBEAT_CORE_MOVE_FARM_H

#include "core/world/clock.h"
#include "core/world/world.h"

#include <stddef.h>

/* A master that hands out work to workers and collects what they find, with the times of all that,
 * as balancers for masters and workers want them (partition/balance/master.h). Rank 0 is the
 * master, and a worker among the others. Kernels use it instead of messages of their own. */
typedef struct halo_farm halo_farm;

/* What one worker took in a beat, in seconds since the master began to hand out. */
typedef struct {
    double acknowledged; /* its work had arrived and it said so; rank 0: all others had */
    double computing;    /* how long it worked, no waiting in it; on the worker's clock */
    double finished;     /* what it found had arrived; at the earliest when rank 0 was done with
                          * its own work and looked */
    size_t bytes_out, bytes_back;
} halo_farm_time;

/* A rank's work: from a message that the master made to findings of a known size. What it returns
 * other than HALO_OK ends the beat on all ranks. */
typedef halo_status halo_farm_work(void *context, const void *message, size_t bytes, void *back,
                                   size_t back_bytes);

/* One beat. Only rank 0 reads or writes what is behind the pointers that are said to be its. */
typedef struct {
    void *constant;              /* on every rank: what everyone has to be sent, rank 0's is sent */
    size_t constant_bytes;       /* 0 if there is nothing to send; the same on all ranks */
    const void *const *messages; /* rank 0: [ranks], aligned to 8 bytes */
    const size_t *bytes, *back_bytes; /* rank 0: [ranks], of messages and findings */
    void *const *backs;               /* rank 0: [ranks], room for the findings */
    halo_farm_time *times;            /* rank 0: [ranks], out */
    halo_farm_work *work;
    void *context;
} halo_farm_beat;

/* Collective. The world must outlive it. HALO_MEMORY, HALO_MPI. */
halo_status halo_farm_create(halo_farm **out, halo_world *world);

/* Local. Accepts a pointer to NULL. */
void halo_farm_destroy(halo_farm **farm);

/* Collective. Makes room on every rank for messages of `bytes` bytes and findings of `back_bytes`
 * (those of rank 0 count): before the beats, so that no rank fails for want of memory while others
 * wait. HALO_MEMORY on all ranks; HALO_ARGUMENT for more than a message can have (2^31 - 1). */
halo_status halo_farm_reserve(halo_farm *farm, size_t bytes, size_t back_bytes);

/* Collective. The master starts all its messages, drives them until each worker has acknowledged
 * (without that nothing would leave while it works itself), works, and collects. Transfers go to
 * EXCHANGE, work to COMPUTE, all waiting to WAIT. Counts as a beat of the world. HALO_ARGUMENT for
 * a constant part or messages too large, HALO_MPI, and what the work returns: on all ranks. */
halo_status halo_farm_run(halo_farm *farm, const halo_farm_beat *beat, halo_clock *clock);

/* Local. Messages and bytes this rank has sent to others. */
void halo_farm_sent(const halo_farm *farm, int64_t *messages, int64_t *bytes);

#endif
