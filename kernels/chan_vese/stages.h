#ifndef HALOBEAT_CHAN_VESE_STAGES_H
#define HALOBEAT_CHAN_VESE_STAGES_H

#include "core/balance/row_cost.h"
#include "core/field/field.h"
#include "kernels/chan_vese/drawn.h"

/* A beat on a strip as a pipeline of stages that rows pass through, a few at a time: the force, two
 * passes for each curvature operator, and the return to the field. Each stage is one row behind the
 * one before it and keeps only the rows that the next one still reads, so that all of them stay in
 * the cache. Internal to the kernel. */
typedef struct {
    chan_vese_shape shape;
    int passes;
    ptrdiff_t pitch;   /* words */
    uint64_t *memory;  /* rows of the stages, a row of zeroes, and the arrays of `shape` */
    uint64_t *nothing; /* the row of zeroes */
    uint64_t *wide;    /* rows of a narrow image's fields, padded to whole vectors; or NULL */
} chan_vese_stages;

/* A strip in one beat. */
typedef struct {
    const chan_vese_row_ops *ops;
    chan_vese_drawn *drawn;         /* up to date */
    const halo_view *cells, *greys; /* local indices; the halo has 1 + passes rows */
    int64_t domain_rows;            /* of the whole image */
    bool first_is_sup_inf;          /* the first pass is SI; the following alternate as the
                                     * operators do */
    halo_row_cost *row_cost;
} chan_vese_beat;

/* HALO_MEMORY. Free it in any case. */
halo_status chan_vese_stages_create(chan_vese_stages *stages, int64_t width, int smoothing);
void chan_vese_stages_free(chan_vese_stages *stages);

/* Row `place` (up to CHAN_VESE_ROWS + 1) of those readable by whole vectors, for row `y` of the
 * level set: a copy if the image is narrow. */
uint64_t *chan_vese_stages_row(const chan_vese_stages *stages, const halo_view *cells, int64_t y,
                               int64_t place);

/* Computes local rows lo to hi - 1 in place, and adds to `change`. */
void chan_vese_stages_run(chan_vese_stages *stages, const chan_vese_beat *beat, int64_t lo,
                          int64_t hi, chan_vese_change *change);

#endif
