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

/* Collective. For who looks at layers (planes of a volume, rows of an image) of an I64 painting one
 * after the other: the last layer of the rank before with any, which goes to `layer`, room for one.
 * If the image goes `round`, the first rank gets the last layer, perhaps its own. Returns through
 * has_layer whether there is one. HALO_MEMORY, HALO_MPI: all ranks get the same. */
halo_status label_painting_layer_before(halo_label_painting *painting, bool round, int64_t *layer,
                                        bool *has_layer);

#endif
