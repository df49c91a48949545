#ifndef HALOBEAT_CORE_BEAT_BEAT_H
#define HALOBEAT_CORE_BEAT_BEAT_H

#include "core/async/async.h"
#include "core/beat/beats_per_exchange.h"
#include "core/beat/kernel.h"
#include "core/beat/loop.h"
#include "partition/cuts.h"

#include <stddef.h>

/* The heartbeat of stencils, on the loop of core/beat/loop.h: begin the exchange, compute the
 * interior, end the exchange, compute the edges, vote, repeat until nothing changes.
 *
 * With a halo k times as deep as the kernel needs, one exchange and one vote serve k beats, a
 * superstep; each rank then also computes cells of its neighbours (the ghost expansion of C. H. Q.
 * Ding and Y. He, 2001). Results are the same.
 *
 * With vote "pipeline" on P ranks, results arrive ceil(log2 P) supersteps late, and a rank never
 * waits for ranks other than its neighbours that are one superstep behind (the fuzzy barrier of R.
 * Gupta, 1989). A run that converges, fails or is stopped then does as many more supersteps; after
 * convergence they change nothing. Votes are never late in runs that need sums or a threshold at
 * once. "auto" is "pipeline" on more than one rank for kernels that do not converge and whose sums
 * can wait; otherwise it is "allreduce", with which a run that converges is shorter. */
typedef struct halo_beat halo_beat;

/* Options of a run. Zero-initialise it: 0 means the default. */
typedef struct halo_beat_options {
    const char *vote;           /* a method of HALO_VOTE_LIST; NULL and "auto": see above */
    const char *exchange;       /* a name of HALO_EXCHANGE_LIST; NULL: the default */
    const char *corner_way;     /* a name of HALO_EXCHANGE_CORNERS_LIST */
    const char *packing;        /* a name of HALO_EXCHANGE_PACKING_LIST; NULL: auto */
    const void *kernel_options; /* passed to the kernel's create */
    int beats_per_exchange;     /* beats of a superstep, for one exchange and one vote; 0 means
                                 * 1. More than 1 needs a kernel with `advance` or with two
                                 * copies of each field. HALO_BEATS_PER_EXCHANGE_AUTO: chosen
                                 * from the measured latency between ranks and time per cell, and
                                 * again in longer runs */

    /* A beat that changes at most this number of cells, over all ranks, ends the run as converged.
     * For kernels that converge, with one beat per exchange. */
    int64_t change_threshold;

    /* If not NULL, a kernel that sets `monotone_bytes` computes asynchronously; may be freed after
     * halo_beat_create. A beat is then the phase between two points at which no messages are under
     * way; the last beat changes nothing. */
    const halo_async_options *async;

    int64_t first_beat; /* beats done before by an earlier run; counting continues from here */
    int64_t last_beat;  /* the run ends there at the latest; 0: that is not known. A number of beats
                         * per exchange that is chosen is not larger than that of the beats left */

    struct halo_balancing *balancing; /* moves the cuts during the run; NULL: they do not move.
                                       * Must outlive the run; see core/balance/balancing.h */

    /* Called on every rank after each vote, with the number of beats done and the cells that the
     * last of them changed on all ranks. If it returns true on any rank, the request is sent with
     * the next vote, and all ranks stop when they collect that vote: one superstep later, with late
     * votes ceil(log2 P) more. If this run has ended by then, the next run stops with its first
     * vote. */
    bool (*watch)(void *context, int64_t beats, int64_t changed);
    void *context;

    /* Memory of the caller, in place of the heartbeat's own: [fields] views, of which `origin` and
     * `stride` are read, as of halo_field_adopt. It has room around this rank's part for a halo of
     * the kernel's depth times beats_per_exchange, which is set to 0 and then written; cells in it
     * keep their values. A kernel that is not in place has a second copy of each field besides, and
     * after an odd number of beats cells are there: halo_beat_view says where. Cuts that move take
     * cells to memory of the heartbeat. Not with cells of 1 bit, the exchange mode "shared", or
     * HALO_BEATS_PER_EXCHANGE_AUTO. NULL: none. It must outlive the run. */
    const halo_view *memory;
} halo_beat_options;

/* Collective. Creates the kernel's fields, all 0, for this rank's part of `partition`: strips or
 * blocks, one part per rank. `kernel` must outlive the run; `domain` and `partition` need not. The
 * caller destroys the run. HALO_ARGUMENT for a kernel or option that is invalid, and for a kernel
 * that is not thread-safe where the ranks are threads; HALO_RANKS for a halo deeper than a part,
 * HALO_MEMORY, HALO_TRANSPORT, and what the kernel's create returns; the same on all ranks. */
halo_status halo_beat_create_sized(halo_beat **out, halo_world *world, const halo_domain *domain,
                                   const halo_partition *partition, const halo_kernel *kernel,
                                   const halo_beat_options *options, size_t options_bytes);
#define halo_beat_create(...) halo_beat_create_sized(__VA_ARGS__, sizeof(halo_beat_options))

/* Local. True if a run with these arguments collects its votes late. Of the kernel only
 * `converges`, `sums` and `sums_can_wait` are read. */
bool halo_beat_votes_late_sized(const halo_world *world, const halo_kernel *kernel,
                                const halo_beat_options *options, size_t options_bytes);
#define halo_beat_votes_late(...) halo_beat_votes_late_sized(__VA_ARGS__, sizeof(halo_beat_options))

/* Local. Frees the run and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_beat_destroy(halo_beat **beat);

/* Local. The current copy of field `field` of the kernel, to fill in before the first beat and to
 * read after a run. Valid until the next run. */
const halo_view *halo_beat_view(const halo_beat *beat, int field);

/* Local. The kernel's own state as its create made it, or NULL; owned by the run. */
void *halo_beat_state(const halo_beat *beat);

/* Local. The current partition, owned by the run. Valid until the next run or move. */
const halo_partition *halo_beat_partition(const halo_beat *beat);

/* Local. The current number of beats per exchange. */
int halo_beat_beats_per_exchange(const halo_beat *beat);

/* Local. The current cuts of strips, [ranks + 1]: rank r owns layers cuts[r] to cuts[r + 1] - 1.
 * Valid until the next run or move. */
const int64_t *halo_beat_cuts(const halo_beat *beat);

/* Collective. Runs until nothing changes, a watcher stops it, or `max` more beats are done (0: no
 * limit, for kernels that converge); the last superstep may be shorter. The counted beats end with
 * the first beat that changed no cell on any rank (at most `change_threshold` cells), even within a
 * superstep. A failure on any rank, the kernel's included, is sent with the vote: all ranks return
 * after the same superstep with the same status and message. With balancing the partition may
 * change: views and cuts are then out of date. */
halo_status halo_beat_run(halo_beat *beat, int64_t max);

/* Collective, between runs. Moves to other strips: rank r owns layers cuts[r] to cuts[r + 1] - 1.
 * `cuts` [ranks + 1] ascends from 0 to the domain's end, allows empty strips, and is the same on
 * all ranks. Cells are sent to their new owners; views are then out of date. Results do not depend
 * on it. Errors are the same on all ranks: HALO_ARGUMENT for invalid cuts and HALO_RANKS for strips
 * with fewer layers than the halo, which leave the strips unchanged; HALO_MEMORY and what the
 * kernel's `moved` returns, after which the strips are the old or the new ones, with their cells,
 * and the run can go on; HALO_TRANSPORT, after which the cells are lost. */
halo_status halo_beat_move(halo_beat *beat, const int64_t *cuts);

/* Collective, between runs. As halo_beat_move, to any partition with one part per rank: strips may
 * become blocks. */
halo_status halo_beat_repartition(halo_beat *beat, const halo_partition *partition);

/* Local. Requests a stop, as if this rank's watcher had returned true after the last superstep. */
void halo_beat_stop(halo_beat *beat);

/* Local. The report of this rank; messages and bytes are those of halos. */
void halo_beat_get_report_sized(const halo_beat *beat, halo_beat_report *report,
                                size_t report_bytes);
static inline halo_beat_report halo_beat_get_report(const halo_beat *beat)
{
    halo_beat_report halo_filled;
    halo_beat_get_report_sized(beat, &halo_filled, sizeof(halo_beat_report));
    return halo_filled;
}

/* Local. The report of asynchronous computing; all 0 for other runs. */
void halo_beat_get_async_report_sized(const halo_beat *beat, halo_async_report *report,
                                      size_t report_bytes);
static inline halo_async_report halo_beat_get_async_report(const halo_beat *beat)
{
    halo_async_report halo_filled;
    halo_beat_get_async_report_sized(beat, &halo_filled, sizeof(halo_async_report));
    return halo_filled;
}

#endif
