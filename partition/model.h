#ifndef HALOBEAT_PARTITION_MODEL_H
#define HALOBEAT_PARTITION_MODEL_H

#include "partition/box.h"

#include <stdbool.h>

/* What a beat takes, predicted: the formulae of the textbooks, with figures measured on a machine.
 * A message takes t = latency + bytes * byte_seconds (R. W. Hockney 1994), and each costs its
 * processor some time besides (D. Culler et al., LogP, 1993); messages of one exchange are under
 * way together. Surface to volume: I. Foster, Designing and Building Parallel Programs (1995), 2.4;
 * deep halos: C. H. Q. Ding and Y. He (2001). docs/decomposition.md spells them out. All functions
 * are local and pure. */

/* Seconds. Zero-initialised figures cost nothing. */
typedef struct {
    double cell_seconds;    /* updating one cell */
    double message_seconds; /* latency of a message: from sender to receiver, whatever its size */
    double post_seconds;    /* of the processor, for each message sent or received */
    double byte_seconds;    /* on the wire */
    double pack_seconds;    /* for each byte of what is not contiguous, once on each end */
    double vote_seconds;    /* for each of the log2(ranks) rounds of a vote, there and back */
    double overlap;         /* share of the time on the wire in which the processor computes what
                             * needs no halo, as far as there is such: 0 to 1 */
} halo_machine;

/* The figures of an ordinary cluster: what "auto" goes by where nothing was measured. A
 * memory-bound stencil takes a nanosecond a cell; the network 2 us and 10 GB/s, as fast ones have
 * done for years. */
halo_machine halo_machine_ordinary(void);

/* What is computed. */
typedef struct {
    halo_domain domain;
    int cell_bytes;
    int depth;    /* cells of halo that one beat reads */
    int beats;    /* an exchange lasts for */
    bool corners; /* diagonal neighbours are read */
} halo_workload;

/* A beat of the part that has most to do. */
typedef struct {
    double seconds;          /* all of it; INFINITY where parts are less deep than the halo */
    double compute_seconds;  /* cells, those of the halo included */
    double exchange_seconds; /* what of it is not hidden behind computing */
    double vote_seconds;
    double messages, bytes; /* sent by that part, per beat */
    double surface;         /* halo cells of it per owned cell */
} halo_prediction;

/* The next factors of `ranks` on the axes that may be cut, those with more parts on the first axes
 * before others: {ranks, 1, 1} after {0}, if axis 0 may be cut. False after the last ones. */
bool halo_model_next_parts(int64_t ranks, const bool cut[HALO_AXES], int parts[HALO_AXES]);

/* Rounds of messages in a vote, each of which takes a machine's vote_seconds. */
int halo_model_vote_rounds(int64_t ranks);

/* `parts` are 1 or more on each axis; surplus parts are empty. */
halo_prediction halo_model_predict(const halo_machine *machine, const halo_workload *workload,
                                   const int parts[HALO_AXES]);

/* The number of beats an exchange, from `min` to `max`, for which a beat of these parts is
 * predicted to be shortest, within a few percent of that number; of the workload's own nothing is
 * read. `min` where no number is possible. */
int halo_model_best_beats(const halo_machine *machine, const halo_workload *workload,
                          const int parts[HALO_AXES], int min, int max);

/* The smallest number of ranks, a power of two up to `max` (2^30 or less), for which the best
 * blocks are predicted to be faster than strips; 0 if there is none. */
int64_t halo_model_crossing(const halo_machine *machine, const halo_workload *workload,
                            int64_t max);

/* The parts with the shortest predicted time among all factors of `ranks` (1 to 2^30) on the axes
 * that may be cut; {ranks, 1, 1} if `strips`, and where nothing is predicted to be faster or
 * possible. */
void halo_model_best(const halo_machine *machine, const halo_workload *workload,
                     const bool cut[HALO_AXES], int64_t ranks, bool strips, int parts[HALO_AXES]);

#endif
