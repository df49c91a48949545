#ifndef HALOBEAT_CORE_MASTER_MASTER_WORKER_H
#define HALOBEAT_CORE_MASTER_MASTER_WORKER_H

#include "core/world/clock.h"
#include "core/world/world.h"

#include <stdbool.h>
#include <stddef.h>

/* A master that sends each worker what it is to do, and collects what they find, again and again,
 * with the times that balancers want (partition/balance/share_planner.h). Rank 0 is the master, and
 * a worker among the others unless it is told to rest. Messages may differ in size;
 * core/master/repeated_work.h stands on this for work of equal units.
 *
 * A worker acknowledges what it has received. Acknowledgements hold nobody up: they travel while
 * workers compute, and a master that works begins to do so after 50 microseconds at the latest: in
 * a thread of its own, while the calling thread drives the messages and notes when they come, or,
 * if all have acknowledged by then, in the calling thread. The function that works must not call
 * MPI, nor functions of this library that do. Where MPI was started without MPI_THREAD_FUNNELED, on
 * simulated machines, and where it is asked for, there is one thread, which works once all has been
 * sent; the function then calls halo_master_worker_progress now and then, or the master sees
 * acknowledgements too late. */
typedef struct halo_master_worker halo_master_worker;

/* The same on all ranks. Zero-initialised fields mean the default. */
typedef struct {
    bool master_rests; /* rank 0 only hands out and collects; ignored if it is alone */
    bool same_thread;  /* no thread for the master's own work */
    bool unmeasured;   /* workers do not acknowledge, and times are not known: what the
                        * measurements cost can be seen so */
} halo_master_worker_options;

/* What one rank took in a beat, in seconds since the master began to hand out. */
typedef struct {
    double acknowledged; /* the master knew that its work had arrived; of rank 0: it could begin its
                          * own work; 0: not known, since the master was not looking */
    double transfer;     /* out and back: `finished` without computing; 0: not known, as above */
    double computing;    /* how long it worked, no waiting in it; on the worker's clock */
    double finished;     /* what it found had arrived, or the master saw that later */
    size_t bytes_out, bytes_back;
} halo_master_worker_time;

/* A rank's work: from a message that the master made to findings of a known size. What it returns
 * other than HALO_OK ends the beat on all ranks. */
typedef halo_status halo_master_worker_work(void *context, const void *message, size_t bytes,
                                            void *back, size_t back_bytes);

/* One beat. Only rank 0 reads or writes what is behind the pointers that are said to be its. */
typedef struct {
    void *constant;              /* on every rank: what everyone has to be sent, rank 0's is sent */
    size_t constant_bytes;       /* 0 if there is nothing to send; the same on all ranks */
    const void *const *messages; /* rank 0: [ranks], aligned to 8 bytes */
    const size_t *bytes, *back_bytes; /* rank 0: [ranks], of messages and findings */
    void *const *backs;               /* rank 0: [ranks], room for the findings */
    halo_master_worker_time *times;   /* rank 0: [ranks], out */
    halo_master_worker_work *work;
    void *context;
} halo_master_worker_beat;

/* Collective. The world must outlive it; `options` may be NULL. HALO_MEMORY, HALO_MPI. */
halo_status halo_master_worker_create(halo_master_worker **out, halo_world *world,
                                      const halo_master_worker_options *options);

/* Local. Accepts a pointer to NULL. */
void halo_master_worker_destroy(halo_master_worker **workers);

/* Collective. Makes room on every rank for messages of `bytes` bytes and findings of `back_bytes`
 * (those of rank 0 count): before the beats, so that no rank fails for want of memory while others
 * wait. HALO_MEMORY on all ranks; HALO_ARGUMENT for more than a message can have (2^31 - 1). */
halo_status halo_master_worker_reserve(halo_master_worker *workers, size_t bytes,
                                       size_t back_bytes);

/* Collective. The master starts all its messages, works meanwhile unless it rests, and collects.
 * Transfers go to EXCHANGE, work to COMPUTE, all waiting to WAIT. Counts as a beat of the world.
 * HALO_ARGUMENT for a constant part or messages too large, HALO_MPI, and what the work returns: on
 * all ranks. */
halo_status halo_master_worker_run(halo_master_worker *workers, const halo_master_worker_beat *beat,
                                   halo_clock *clock);

/* Local, within the work. Lets a master without a thread see what has come; does nothing on others.
 * What goes wrong is said by halo_master_worker_run. */
void halo_master_worker_progress(halo_master_worker *workers);

/* Local. Does the master work in a thread of its own? */
bool halo_master_worker_has_thread(const halo_master_worker *workers);

/* Local. Messages and bytes this rank has sent to others. */
void halo_master_worker_sent(const halo_master_worker *workers, int64_t *messages, int64_t *bytes);

#endif
