#ifndef HALOBEAT_CORE_BEAT_BEAT_H
#define HALOBEAT_CORE_BEAT_BEAT_H

#include "core/async/async.h"
#include "core/beat/beats_per_exchange.h"
#include "core/beat/kernel.h"
#include "core/beat/loop.h"
#include "partition/cuts.h"

/* The heartbeat: begin the exchange, step the interior, end the exchange, step the edges, vote,
 * and again until nothing changes: the loop of core/beat/loop.h, of stencils.
 *
 * A halo several times as deep as the kernel needs lasts for as many beats, so that messages and
 * votes come that many times less often; in return each rank computes cells of its neighbours as
 * well (the ghost expansion of C. H. Q. Ding and Y. He, 2001). Results are the same.
 *
 * With vote "pipeline" votes are late: P ranks know a result ceil(log2 P) supersteps after it, and
 * nobody has to wait for ranks other than its neighbours that are a superstep behind (the fuzzy
 * barrier of R. Gupta, 1989). A run that settles, fails or is stopped does as many supersteps more;
 * once it has settled they change nothing. Where sums or a threshold are needed at once, votes are
 * not late. "auto" is "pipeline" for kernels that do not settle and whose sums can wait, on more
 * than one rank; otherwise "allreduce", since a run that settles would be longer. */
typedef struct halo_beat halo_beat;

/* Zero-initialise it: 0 means the default. */
typedef struct {
    const char *vote;           /* a method of HALO_VOTE_LIST; NULL, "auto": see below */
    const char *exchange;       /* a mode of HALO_EXCHANGE_LIST; p2p */
    const char *corner_way;     /* of HALO_EXCHANGE_CORNERS_LIST */
    const char *packing;        /* of HALO_EXCHANGE_PACKING_LIST; auto */
    const void *kernel_options; /* handed to the kernel's create */
    int beats_per_exchange;     /* and per vote: a superstep; 0 means 1. More than 1 in
                                 * kernels with `advance` or with two copies of each field.
                                 * HALO_BEATS_PER_EXCHANGE_AUTO: chosen from the latency between
                                 * ranks and the time that cells take, and again in longer runs */

    /* A beat that changes this number of cells or fewer, over all ranks, ends the run as converged.
     * For kernels that converge, with one beat an exchange. */
    int64_t change_threshold;

    /* Kernels that say they can (monotone_bytes) compute asynchronously, if it is not NULL; it may
     * go after halo_beat_create. A beat is then a phase from one quiet point to the next; the last
     * one changes nothing. */
    const halo_async_options *async;

    int64_t first_beat; /* beats that were done before, by a run that this one goes on from:
                         * they are counted along */

    struct halo_balancing *balancing; /* moves the boundaries while it runs; NULL: they stay. Must
                                       * outlive the run; see core/balance/balancing.h */

    /* Called on every rank after each vote with the beats that it was about and the cells that the
     * last of them changed over all ranks. If it returns true on any rank, all ranks stop when the
     * next vote that is posted is heard of: after the next superstep; with late votes, ceil(log2 P)
     * supersteps after that one; or in the next run, with its first vote, if this run ends here. */
    bool (*watch)(void *context, int64_t beats, int64_t changed);
    void *context;
} halo_beat_options;

/* Collective. Makes the kernel's fields, all zero, for this rank's part of `partition`, strips or
 * blocks, one per rank; `kernel` must outlive the run, `domain` and `partition` need not.
 * HALO_ARGUMENT for a kernel or an option that makes no sense, HALO_RANKS for a halo deeper than a
 * strip, HALO_MEMORY, HALO_MPI, and what the kernel's create returns; all ranks get the same. */
halo_status halo_beat_create(halo_beat **out, halo_world *world, const halo_domain *domain,
                             const halo_partition *partition, const halo_kernel *kernel,
                             const halo_beat_options *options);

/* Local. In a run like this one, are votes late, so that nobody waits for them? Of the kernel only
 * what it says of converging and of sums is read. */
bool halo_beat_votes_late(const halo_world *world, const halo_kernel *kernel,
                          const halo_beat_options *options);

/* Local. Accepts a pointer to NULL. */
void halo_beat_destroy(halo_beat **beat);

/* Local. Field `field` of the kernel as it is now: to be filled in before the first beat, and
 * read after the last. Valid until the next run. */
const halo_view *halo_beat_view(const halo_beat *beat, int field);

/* Local. The kernel's own state, as its create made it; or NULL. */
void *halo_beat_state(const halo_beat *beat);

/* Local. Who owns what, as it is. Valid until the next run or move. */
const halo_partition *halo_beat_partition(const halo_beat *beat);

/* Local. Beats that an exchange lasts for, as it is. */
int halo_beat_beats_per_exchange(const halo_beat *beat);

/* Local. The same of strips: rank r owns layers cuts[r] to cuts[r + 1] - 1. [ranks + 1]. */
const int64_t *halo_beat_cuts(const halo_beat *beat);

/* Collective. Beats until nothing changes, until a watcher stops it, or for `max` more beats (0:
 * no limit, for kernels that converge); a last superstep may be shorter. The beats that are counted
 * end with the first one that changed nothing anywhere (or `change_threshold` cells), also in the
 * middle of a superstep. A failure on any rank, the kernel's included, rides on the vote: all ranks
 * leave after the same superstep with the same status and message. With balancing, strips may
 * change within it: views and cuts must be asked for anew. */
halo_status halo_beat_run(halo_beat *beat, int64_t max);

/* Collective, between runs. Other strips from now on: rank r owns layers cuts[r] to cuts[r + 1] - 1
 * ([ranks + 1], from 0 to the domain's end, empty strips allowed; the same on all ranks). Cells go
 * to their new owners; views must be asked for anew. Results do not depend on it. HALO_ARGUMENT for
 * cuts that are not valid and HALO_RANKS for strips lower than the halo is deep: on all ranks, and
 * the strips are then as they were. HALO_MEMORY and what the kernel's `moved` returns: on all
 * ranks; the strips are as they were or as they should be, with their cells, and the run can go on.
 * HALO_MPI: the cells are lost. */
halo_status halo_beat_move(halo_beat *beat, const int64_t *cuts);

/* Collective, between runs. The same for any decomposition into one part per rank: strips may
 * become blocks. */
halo_status halo_beat_repartition(halo_beat *beat, const halo_partition *partition);

/* Local. Requests that the run stop, as if this rank's watcher had returned true after the last
 * superstep. */
void halo_beat_stop(halo_beat *beat);

/* Local. Messages and bytes are those of halos. */
halo_beat_report halo_beat_get_report(const halo_beat *beat);

/* Local. What has been computed asynchronously; all zero if nothing was. */
halo_async_report halo_beat_get_async_report(const halo_beat *beat);

#endif
