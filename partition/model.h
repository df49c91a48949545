#ifndef HALOBEAT_PARTITION_MODEL_H
#define HALOBEAT_PARTITION_MODEL_H

#include "partition/box.h"

#include <stdbool.h>

/* A model of the time per beat, with figures measured on a machine. A message takes t = latency +
 * bytes * byte_seconds (R. W. Hockney, 1994), and costs processor time besides (D. Culler et al.,
 * LogP, 1993); the messages of one exchange are under way together. Surface to volume: I. Foster,
 * Designing and Building Parallel Programs (1995), 2.4. Deep halos: C. H. Q. Ding and Y. He (2001).
 * docs/decomposition.md has the formulas. All functions are local and pure. */

/* The figures of a machine, in seconds. Figures of 0 cost nothing. */
typedef struct {
    double cell_seconds;    /* to compute one cell */
    double message_seconds; /* latency of a message, from sender to receiver */
    double post_seconds;    /* processor time for each message sent or received */
    double byte_seconds;    /* transfer time per byte */
    double pack_seconds;    /* packing time per byte that is not contiguous, at either end */
    double vote_seconds;    /* for each of the log2(ranks) rounds of a vote, there and back */
    double overlap;         /* share of the transfer time, 0 to 1, in which the processor can
                             * compute cells that need no halo */
} halo_machine;

/* The figures of an ordinary cluster, which "auto" uses if nothing was measured: 1 ns per cell (a
 * memory-bound stencil), and a network of 2 us and 10 GB/s, as fast ones have had for years. */
halo_machine halo_machine_ordinary(void);

/* A workload. */
typedef struct {
    halo_domain domain;
    int cell_bytes;
    int depth;    /* halo cells that one beat reads */
    int beats;    /* beats per exchange */
    bool corners; /* diagonal neighbours are read */
} halo_workload;

/* Prediction for one beat of the part with the most work. */
typedef struct {
    double seconds;          /* total; INFINITY if parts have fewer cells than the halo */
    double compute_seconds;  /* computing cells, including those of the halo */
    double exchange_seconds; /* exchange time not hidden behind computing */
    double vote_seconds;
    double messages, bytes; /* sent by that part, per beat */
    double surface;         /* halo cells per owned cell */
} halo_prediction;

/* Replaces `parts` by the next factorisation of `ranks` on the axes that may be cut, those with
 * more parts on the first axes before others: after {0, 0, 0} comes {ranks, 1, 1} if axis 0 may be
 * cut. Returns false after the last one. */
bool halo_model_next_parts(int64_t ranks, const bool cut[HALO_AXES], int parts[HALO_AXES]);

/* The number of message rounds in a vote, each of which takes vote_seconds. */
int halo_model_vote_rounds(int64_t ranks);

/* The prediction for `parts`, each 1 or more; surplus parts are empty. */
halo_prediction halo_model_predict(const halo_machine *machine, const halo_workload *workload,
                                   const int parts[HALO_AXES]);

/* The number of beats per exchange, `min` to `max`, with the shortest predicted time per beat for
 * these parts, to within a few percent of that number. The workload's own `beats` is not read.
 * `min` if no number is possible. */
int halo_model_best_beats(const halo_machine *machine, const halo_workload *workload,
                          const int parts[HALO_AXES], int min, int max);

/* The minimum number of ranks, a power of two up to `max` (at most 2^30), for which the best blocks
 * are predicted to be faster than strips; 0 if there is none. */
int64_t halo_model_crossing(const halo_machine *machine, const halo_workload *workload,
                            int64_t max);

/* Sets `parts` to those with the shortest predicted time among all factorisations of `ranks` (1 to
 * 2^30) on the axes that may be cut; to {ranks, 1, 1} if `strips`, or if no other is faster or
 * possible. */
void halo_model_best(const halo_machine *machine, const halo_workload *workload,
                     const bool cut[HALO_AXES], int64_t ranks, bool strips, int parts[HALO_AXES]);

#endif
