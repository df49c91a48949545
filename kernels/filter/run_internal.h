#ifndef HALOBEAT_FILTER_RUN_INTERNAL_H
#define HALOBEAT_FILTER_RUN_INTERNAL_H

#include "kernels/filter/run.h"

/* The files of runs share this. */

struct filter_run {
    halo_world *world;
    const filter_chain *chain;
    const halo_partition *strips;
    halo_domain domain;
    filter_pipeline_options options;
    filter_source source;      /* of the segment at hand */
    bool begun;                /* it was read from the first row on */
    halo_field *field;         /* that it reads, or NULL */
    int passes, readings;      /* over the image; of them over what filter_image.rows gives */
    int64_t lo, hi, rows;      /* layers of this rank; rows of a layer */
    int64_t next;              /* the next layer to be copied, where no segment is left */
    filter_pipeline *pipeline; /* of the last segment; NULL: it is in `field` */
    void **row;                /* [rows] of a layer */
};

static inline void *filter_run_row(const halo_view *view, int64_t layer, int64_t y)
{
    return view->axes == HALO_AXES ? halo_row_of_plane(view, layer, y) : halo_row(view, layer);
}

/* ---- run_fields.c ---------------------------------------------------------------------------- */

/* Collective. The field is the input of segments from now on; the run owns it. */
void filter_run_use_field(filter_run *run, halo_field *field);

/* Collective. Fills the halo of the field that there is. HALO_MEMORY, HALO_TRANSPORT. */
halo_status filter_run_exchange(filter_run *run);

/* Collective, before the source is read from the first row on. Errors of the source. */
halo_status filter_run_begin_pass(filter_run *run);

/* Local. The next layers of what there is, without a filter. Errors of the source. */
halo_status filter_run_copy_layers(filter_run *run, int64_t count, void *const *out);

/* Collective. Makes the field that segment `next` reads of what segment `by` makes; -1: of what
 * there is. HALO_MEMORY, HALO_CANCELLED, errors of the source. */
halo_status filter_run_make_field(filter_run *run, int by, int next, halo_sample_type type);

/* ---- run_reductions.c ------------------------------------------------------------------------ */

/* Local. Tells of the time that a part of the chain has taken. */
void filter_run_tell_seconds(const filter_run *run, int part, double begun);

/* Collective. Ends the reductions of a segment, one after the other. HALO_MEMORY, HALO_CANCELLED,
 * errors of the source. */
halo_status filter_run_reduce(filter_run *run, const filter_segment *segment);

#endif
