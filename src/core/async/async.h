#ifndef HALOBEAT_CORE_ASYNC_ASYNC_H
#define HALOBEAT_CORE_ASYNC_ASYNC_H

#include "core/field/field.h"
#include "core/world/world.h"
#include "partition/cuts.h"

/* Asynchronous computing on a field without rounds, for cells whose values only decrease, or only
 * increase, towards a fixed point that does not depend on the order of work: distances, labels
 * (asynchronous iterations; D. P. Bertsekas and J. N. Tsitsiklis, Parallel and Distributed
 * Computation, 1989, chapter 6). A rank works on its cells, a part at a time, and checks for
 * messages in between. The latest values of cells near its ends that have changed are sent to its
 * neighbours, with one message at a time under way to each rank. A termination detector finds out
 * when no rank has work left.
 *
 * No final value is lost by this: a message is sent only after the one before to the same rank was
 * received, and has everything that has changed since. Messages may be lost at the end of a phase
 * that ends early, since the next phase begins with an exchange of halos. */

/* Options, the same on all ranks. Zero-initialise it: 0 means the default. */
typedef struct {
    const char *detector; /* a name of halo_detector_list; NULL: safra */
    double seconds;       /* time after which a phase ends early, so that cuts can move,
                           * checkpoints be written and stop requests be seen; 0 means .1 */
} halo_async_options;

/* Report over all ranks, except where noted. */
typedef struct {
    int64_t phases;           /* phases of asynchronous computing */
    int64_t ended;            /* phases that ended by termination; the others ended early */
    int64_t messages, bytes;  /* messages with cells, and their bytes */
    int64_t control;          /* messages of the detector, including the announcement */
    int64_t rounds;           /* rounds of the detector's token */
    int64_t turns;            /* calls of `work` on this rank */
    int64_t mine, mine_bytes; /* messages and bytes sent by this rank */
} halo_async_report;

typedef struct halo_async halo_async;

/* Collective. Creates asynchronous computing on `field`, this rank's part of `partition`. The first
 * `value_bytes` bytes of a cell, 1 to 8, are what changes; with `corners` diagonal neighbours read
 * its cells too. Counts are added to `report`. World, field and report must outlive it; the caller
 * destroys it. HALO_ARGUMENT for an unknown detector, or borders with too many cells for a message;
 * HALO_MEMORY on all ranks; HALO_TRANSPORT. */
typedef struct {
    const halo_partition *partition;
    halo_field *field;
    size_t value_bytes;
    bool corners;
    halo_async_report *report;
} halo_async_cells;
halo_status halo_async_create(halo_async **out, halo_world *world, const halo_async_cells *cells,
                              const halo_async_options *options);

/* Local. Frees the object and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_async_destroy(halo_async **async);

/* Local. Does a part of the work: processes changed halo cells and computes owned cells. *more:
 * there is work left whatever the halo says. */
typedef halo_status halo_async_work(void *context, bool *more);

/* Collective, after an exchange of halos. Calls `work` at least once, until no rank has work left,
 * or until the phase has taken its maximum time; *unfinished is then true on ranks with work left.
 * A failure of `work` ends it on all ranks, with the status of the lowest failing rank;
 * HALO_MEMORY, HALO_TRANSPORT. HALO_ARGUMENT if the detector announced termination too early, which
 * sound detectors never do. */
halo_status halo_async_run(halo_async *async, halo_async_work *work, void *context,
                           bool *unfinished);

#endif
