#ifndef HALOBEAT_CORE_ASYNC_ASYNC_H
#define HALOBEAT_CORE_ASYNC_ASYNC_H

#include "core/field/field.h"
#include "core/world/world.h"
#include "partition/cuts.h"

/* Ranks that compute on a field without rounds, for cells whose values only ever fall, or only ever
 * rise, towards a fixed point that does not depend on the order of work: distances, labels
 * (asynchronous iterations; D. P. Bertsekas and J. N. Tsitsiklis, Parallel and Distributed
 * Computation, 1989, chapter 6). A rank works on what it has, a part at a time, and in between
 * looks for messages. Cells near its ends that have changed are sent to their neighbours, the
 * latest value of each, one message at a time to each rank. A termination detector finds out when
 * all ranks have nothing left to do.
 *
 * Values that are overtaken are never missed: a message is not sent while an earlier one to the
 * same rank has not been received, and then has all that has changed since. Nor does it matter if
 * messages are lost at the end of a phase that ends early, as the next one begins with an exchange
 * of halos. */

/* Zero-initialise it: 0 means the default. The same on all ranks. */
typedef struct {
    const char *detector; /* a name of halo_detector_list; safra */
    double seconds;       /* after which a phase ends early, so that boundaries can move, and
                           * checkpoints and requests to stop be seen to; .1 */
} halo_async_options;

/* What all ranks together have done. */
typedef struct {
    int64_t phases;           /* from one quiet point to the next */
    int64_t ended;            /* of them, by the detector; the others early */
    int64_t messages, bytes;  /* with cells */
    int64_t control;          /* the detector's messages, those that announce the end too */
    int64_t rounds;           /* of a detector's token */
    int64_t turns;            /* this rank's: times that it has worked */
    int64_t mine, mine_bytes; /* of messages and bytes, this rank's */
} halo_async_report;

typedef struct halo_async halo_async;

/* Collective. For `field`, this rank's part of `partition`, of which the first `value_bytes` bytes
 * of a cell, 1 to 8, are what changes; with `corners` diagonal neighbours read its cells, too.
 * `report` is added to. World, field and report must outlive it. HALO_ARGUMENT for an unknown
 * detector or borders of too many cells for a message; HALO_MEMORY on all ranks; HALO_MPI. */
typedef struct {
    const halo_partition *partition;
    halo_field *field;
    size_t value_bytes;
    bool corners;
    halo_async_report *report;
} halo_async_cells;
halo_status halo_async_create(halo_async **out, halo_world *world, const halo_async_cells *cells,
                              const halo_async_options *options);

/* Local. Accepts a pointer to NULL. */
void halo_async_destroy(halo_async **async);

/* Local. Does a part of the work: takes in what cells of the halo have become, and computes owned
 * cells. *more: there is something left to do, whatever the halo says. */
typedef halo_status halo_async_work(void *context, bool *more);

/* Collective, after an exchange of halos. Calls `work`, once at least, until no rank has anything
 * to do, or the phase has taken too long: then *unfinished is true on ranks that have. A failure of
 * `work` ends it on all ranks, with the status of the lowest failing rank; HALO_MEMORY, HALO_MPI,
 * as well. HALO_ARGUMENT if the detector was early, which sound ones never are. */
halo_status halo_async_run(halo_async *async, halo_async_work *work, void *context,
                           bool *unfinished);

#endif
