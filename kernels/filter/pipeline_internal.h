#ifndef HALOBEAT_FILTER_PIPELINE_INTERNAL_H
#define HALOBEAT_FILTER_PIPELINE_INTERNAL_H

#include "kernels/filter/margins.h"
#include "kernels/filter/nan_ops.h"
#include "kernels/filter/pipeline.h"

/* The files of pipelines share this. */

/* A part, and the ring of layers that it reads. */
typedef struct {
    const filter_part *part;
    const filter_step *step;
    void *state;
    filter_margins margins; /* of the ring's rows */
    char *memory;           /* of the ring */
    int64_t slots;          /* layers in it */
    size_t pitch;           /* bytes of a layer */
    int64_t lo, hi;         /* layers that are read in all; with wrapping edges beyond the image */
    int64_t next;           /* the next layer to be made; those before it are in the ring */
    int64_t done;           /* the next layer that the part makes itself */
    const void **table;     /* of rows of a tile */
    const void **original;  /* the same of the step's input */
    void **second;          /* rows of the step's second image, or NULL */
    char *second_memory;
    void **out; /* rows of the next ring */
} filter_stage;

struct filter_pipeline {
    filter_source source;
    int axes;
    int64_t n[HALO_AXES];
    int64_t rows;   /* of a layer */
    int64_t layers; /* of the image */
    int64_t tile;
    int axis; /* of layers */
    bool wraps;
    filter_stop stop;
    int stages;
    filter_stage *stage; /* [stages] */
    filter_watch watch;
    const filter_nan_ops *nans;
};

/* Local. Layers that a call of the part makes, at most. */
int64_t filter_pipeline_most_layers(const filter_pipeline *p, const filter_part *part);

#endif
