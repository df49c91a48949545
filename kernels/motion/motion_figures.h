#ifndef HALOBEAT_KERNELS_MOTION_MOTION_FIGURES_H
#define HALOBEAT_KERNELS_MOTION_MOTION_FIGURES_H

#include "kernels/motion/motion.h"

/* What the vectors of a pair of frames come to, in numbers. All functions are local and pure. */

/* Lengths and vectors are in pixels. */
typedef struct {
    int64_t empty;                     /* clusters without pixels */
    double mean, median, max;          /* length; the first two weighted by the clusters' pixels */
    double right, down;                /* mean vector, weighted by the clusters' pixels */
    double difference;                 /* mean absolute grey difference, in the frames' greys */
    int64_t beats;                     /* of master and workers */
    double seconds, predicted_seconds; /* of those; predicted: 0 if not known */
    double imbalance;                  /* their mean */
} halo_motion_figures;

/* What `vectors` [count], 1 or more, as halo_motion_vectors gives them, come to, and the beats of
 * the last pair in `report`; their seconds and imbalance are rank 0's. HALO_MEMORY. */
halo_status halo_motion_figures_of(halo_motion_figures *out, const halo_motion_vector *vectors,
                                   int count, const halo_motion_report *report);

/* What rank `rank` of `ranks` was handed in the last pair, all its beats together, and its share of
 * all pieces of that pair in `share`, 0 to 1. On rank 0. */
halo_motion_load halo_motion_load_of(const halo_motion_report *report, int ranks, int rank);

/* The figures of a sequence of pairs, `figures` [count]: means over the pairs, the largest of
 * `max`, sums of clusters, beats and seconds. All 0 for no pairs. */
halo_motion_figures halo_motion_figures_join(const halo_motion_figures *figures, int64_t count);

#endif
