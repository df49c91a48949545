#ifndef HALOBEAT_CHAN_VESE_STAGES_H
#define HALOBEAT_CHAN_VESE_STAGES_H

#include "core/balance/row_cost.h"
#include "core/field/field.h"
#include "kernels/chan_vese/drawn.h"

/* A beat on a strip, as a line of stages that rows go through, some at a time: the force, then two
 * passes for each curvature operator, then back into the field. Each stage is one row behind the
 * one before it and keeps only the rows that the next one still reads, so that all of them stay in
 * the cache. Internal to the kernel. */
typedef struct {
    chan_vese_shape shape;
    int passes;
    ptrdiff_t pitch;   /* words */
    uint64_t *memory;  /* rows of the stages, a row of 0, and what `shape` points to */
    uint64_t *nothing; /* the row of 0 */
    uint64_t *wide;    /* rows of a narrow picture's fields, with whole vectors; or NULL */
} chan_vese_stages;

/* One strip at one beat. */
typedef struct {
    const chan_vese_row_ops *ops;
    chan_vese_drawn *drawn;         /* brought up to date */
    const halo_view *cells, *greys; /* local indices; the halo is 1 + passes rows deep */
    int64_t domain_rows;            /* of the whole picture */
    bool first_is_sup_inf;          /* the first pass is SI; then they take turns as operators do */
    halo_row_cost *row_cost;
} chan_vese_beat;

/* HALO_MEMORY. To be freed in any case. */
halo_status chan_vese_stages_create(chan_vese_stages *stages, int64_t width, int smoothing);
void chan_vese_stages_free(chan_vese_stages *stages);

/* Row `place` (up to CHAN_VESE_ROWS + 1) of those that can be read by whole vectors, as row `y` of
 * the level set: its copy if the picture is narrow. What is written to it goes back by
 * chan_vese_stages_put. */
uint64_t *chan_vese_stages_row(const chan_vese_stages *stages, const halo_view *cells, int64_t y,
                               int64_t place);
void chan_vese_stages_put(const chan_vese_stages *stages, const halo_view *cells, int64_t y,
                          const uint64_t *row);

/* Local rows lo to hi - 1, in place; `change` is added to. */
void chan_vese_stages_run(chan_vese_stages *stages, const chan_vese_beat *beat, int64_t lo,
                          int64_t hi, chan_vese_change *change);

#endif
