#ifndef HALOBEAT_KERNELS_MOTION_MOTION_FIGURES_H
#define HALOBEAT_KERNELS_MOTION_MOTION_FIGURES_H

#include "kernels/motion/motion.h"

/* Statistics of the vectors of a pair of frames. All functions are local and pure. */

/* Lengths and vectors are in pixels. */
typedef struct {
    int64_t empty;                     /* clusters without pixels */
    double mean, median, max;          /* lengths; mean and median are weighted by the clusters'
                                        * pixels */
    double right, down;                /* mean vector, weighted by the clusters' pixels */
    double difference;                 /* mean absolute grey difference, in grey levels of the
                                        * frames */
    int64_t beats;                     /* of master and workers */
    double seconds, predicted_seconds; /* of these beats; predicted_seconds is 0 if unknown */
    double imbalance;                  /* mean index of load imbalance of these beats */
} halo_motion_figures;

/* Computes the figures of `vectors` [count], 1 or more, as halo_motion_vectors returns them, and of
 * the beats of the last pair in `report`, whose seconds and imbalance are rank 0's. HALO_MEMORY. */
halo_status halo_motion_figures_of(halo_motion_figures *out, const halo_motion_vector *vectors,
                                   int count, const halo_motion_report *report);

/* Return the load of rank `rank` of `ranks` in all beats of the last pair; `share` is its share of
 * all pieces, 0 to 1. On rank 0 only. */
halo_motion_load halo_motion_load_of(const halo_motion_report *report, int ranks, int rank);

/* The figures of a sequence of pairs, `figures` [count]: means over the pairs, the maximum of
 * `max`, sums of empty clusters, beats and seconds. All 0 for no pairs. */
halo_motion_figures halo_motion_figures_join(const halo_motion_figures *figures, int64_t count);

#endif
