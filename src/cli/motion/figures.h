#ifndef HALOBEAT_CLI_MOTION_FIGURES_H
#define HALOBEAT_CLI_MOTION_FIGURES_H

#include "kernels/motion/motion.h"

/* What the vectors of a pair come to, in numbers. Pure functions. */

/* Lengths and vectors are in pixels. */
typedef struct {
    int64_t empty;                     /* clusters without pixels */
    double mean, median, largest;      /* length; the first two by the clusters' pixels */
    double right, down;                /* mean vector, by the clusters' pixels */
    double difference;                 /* mean absolute grey difference, in the frames' greys */
    int64_t beats;                     /* of master and workers */
    double seconds, predicted_seconds; /* of those; predicted: 0 if not known */
    double imbalance;                  /* their mean */
} motion_figures;

/* What `count` vectors come to; the beats are the caller's to fill in. HALO_MEMORY. */
halo_status motion_figures_of(motion_figures *figures, const halo_motion_vector *vectors,
                              int count);

/* The means of `count` pairs' figures; the largest of `largest`, the sum of beats and seconds. */
motion_figures motion_figures_join(const motion_figures *figures, int64_t count);

#endif
