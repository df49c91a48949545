#ifndef HALOBEAT_CORE_MASTER_MASTER_WORKER_H
#define HALOBEAT_CORE_MASTER_MASTER_WORKER_H

#include "core/world/clock.h"
#include "core/world/world.h"

#include <stdbool.h>
#include <stddef.h>

/* A master that sends a message to each worker and collects their results, beat after beat, and
 * measures the times that balancers need (partition/balance/share_planner.h). Rank 0 is the master,
 * and also a worker unless `master_rests`. Messages may differ in size; core/master/repeated_work.h
 * uses this for work of equal units.
 *
 * A worker acknowledges what it has received; acknowledgements travel while workers compute. A
 * master that works begins 50 microseconds later at the latest. If all have acknowledged by then it
 * works in the calling thread; otherwise in a second thread, while the calling thread drives the
 * messages and records their times. The `work` function must not send messages, nor call functions
 * of this library that do. There is no second thread where the transport allows none (MPI started
 * without MPI_THREAD_FUNNELED, simulated machines), and with `same_thread`: the master then works
 * after all messages are sent, and `work` should call halo_master_worker_progress now and then, or
 * acknowledgements are seen too late. */
typedef struct halo_master_worker halo_master_worker;

/* Options, the same on all ranks. Zero-initialise it: 0 means the default. */
typedef struct {
    bool master_rests; /* rank 0 does not work; ignored on one rank */
    bool same_thread;  /* do not start a thread for the master's own work */
    bool unmeasured;   /* workers do not acknowledge, and times are unknown; for measuring the
                        * cost of measuring */
} halo_master_worker_options;

/* Times of one rank in a beat, in seconds since the master began to send. */
typedef struct {
    double acknowledged; /* when the master received the acknowledgement; for rank 0: when it
                          * could begin its own work. 0: unknown, since the master was not
                          * polling */
    double transfer;     /* sending and returning: `finished` minus `computing`; 0: unknown, as
                          * above */
    double computing;    /* seconds of work, without waiting, by the worker's clock */
    double finished;     /* when the master received the result */
    size_t bytes_out, bytes_back;
} halo_master_worker_time;

/* The work of one rank: computes `back_bytes` bytes of result at `back` from a message of `bytes`
 * bytes. A status other than HALO_OK ends the beat on all ranks. */
typedef halo_status halo_master_worker_work(void *context, const void *message, size_t bytes,
                                            void *back, size_t back_bytes);

/* One beat. Pointers marked "rank 0" are neither read nor written on other ranks. */
typedef struct {
    void *constant;              /* every rank: the part of the message that is the same for all;
                                  * rank 0's is sent */
    size_t constant_bytes;       /* 0 if there is none; the same on all ranks */
    const void *const *messages; /* rank 0: [ranks], aligned to 8 bytes */
    const size_t *bytes, *back_bytes; /* rank 0: [ranks], bytes of the messages and of the
                                       * results */
    void *const *backs;               /* rank 0: [ranks], room for the results */
    halo_master_worker_time *times;   /* rank 0: [ranks], output */
    halo_master_worker_work *work;
    void *context;
} halo_master_worker_beat;

/* Collective. The world must outlive the object; `options` may be NULL. The caller destroys it.
 * HALO_MEMORY, HALO_TRANSPORT. */
halo_status halo_master_worker_create_sized(halo_master_worker **out, halo_world *world,
                                            const halo_master_worker_options *options,
                                            size_t options_bytes);
#define halo_master_worker_create(...) \
    halo_master_worker_create_sized(__VA_ARGS__, sizeof(halo_master_worker_options))

/* Local. Frees the object and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_master_worker_destroy(halo_master_worker **workers);

/* Collective. Allocates buffers on every rank for messages of `bytes` bytes and results of
 * `back_bytes` (rank 0's values count). Call it before the beats, so that no rank runs out of
 * memory while others wait. HALO_MEMORY on all ranks; HALO_ARGUMENT for more than 2^31 - 1
 * bytes. */
halo_status halo_master_worker_reserve(halo_master_worker *workers, size_t bytes,
                                       size_t back_bytes);

/* Collective. Does one beat: the master starts all its messages, works unless `master_rests`, and
 * collects the results. Transfers are timed as EXCHANGE, work as COMPUTE, waiting as WAIT. Counts
 * as a beat of the world. HALO_ARGUMENT for a constant part or messages that are too large,
 * HALO_TRANSPORT, and what the work returns; the same on all ranks. */
halo_status halo_master_worker_run(halo_master_worker *workers, const halo_master_worker_beat *beat,
                                   halo_clock *clock);

/* Local, called within `work`. Lets a master without a second thread handle messages that have
 * arrived; does nothing on other ranks. Errors are returned by halo_master_worker_run. */
void halo_master_worker_progress(halo_master_worker *workers);

/* Local. True if the master has a second thread for its own work. */
bool halo_master_worker_has_thread(const halo_master_worker *workers);

/* Local. The number of messages, and of bytes, that this rank has sent to others. */
void halo_master_worker_sent(const halo_master_worker *workers, int64_t *messages, int64_t *bytes);

#endif
