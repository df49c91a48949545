#ifndef HALOBEAT_LABEL_LABEL_INTERNAL_H
#define HALOBEAT_LABEL_LABEL_INTERNAL_H

#include "kernels/label/job.h"
#include "kernels/label/methods.h"
#include "kernels/label/paint.h"
#include "kernels/label/regions.h"

/* What a labelling keeps. */
struct halo_label {
    label_job job;
    halo_partition given;    /* how pixels are given */
    halo_partition cut;      /* how they are labelled, unless strips have been balanced since */
    halo_clock distribution; /* what distributing took, for the report of the next run */
    int64_t later_a_region;  /* bytes that the caller takes */
    label_naming naming;
    bool measure; /* regions are needed to number them, or */
    bool asked;   /* for themselves */
    const label_method *method;
    label_painter painter;
    int64_t *numbers;   /* [component_room] number of each component */
    halo_region *parts; /* [component_room] or NULL */
    int64_t component_room;
    halo_region *share; /* of a row of blocks' regions, or NULL */
    label_count count;
};

#endif
