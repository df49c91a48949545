#ifndef HALOBEAT_LABEL_STRUCTURE_INTERNAL_H
#define HALOBEAT_LABEL_STRUCTURE_INTERNAL_H

#include "core/world/world.h"
#include "kernels/label/structure.h"

/* Runs of foreground in rows, which are united by a structure. */

/* Elements of a row that are joined to the ones before; single ones, if the structure has no
 * neighbours in rows. */
typedef struct {
    int64_t begin, end; /* columns */
    int64_t parent;     /* a run of the same region that is not after this one; of a root its own
                         * index, and once it is numbered -1 - number */
} structure_run;

typedef struct {
    label_array_job *job;
    halo_domain domain;
    int64_t n[HALO_AXES];
    bool in_rows;          /* neighbours of an element are in its row, too */
    bool edges[HALO_AXES]; /* ends of this axis are edges */
    structure_run *runs;
    int64_t *first_run; /* [rows + 1] */
    int64_t *starts;    /* [ranks + 1] rows where strips begin */
    int64_t *areas;     /* [total + 1] by number, if regions are chosen; then their new numbers */
    uint8_t *edged;     /* [total + 1] 1: the region touches an edge */
    int64_t total;
} structure_image;

/* The rows of this rank. */
typedef struct {
    array_call *call;
    halo_world *world;
    structure_image *all;
    halo_box own;
    int64_t first, end;
    halo_field *bits;          /* of the foreground */
    label_array_values values; /* of the whole image, where they are compared */
} structure_strip;

/* Collective. Finds the runs of the image, each of which is then its own parent. HALO_MEMORY,
 * HALO_CANCELLED. */
halo_status label_structure_make_runs(structure_strip *strip);

/* Collective. Gives the runs of each region one root, to which their parents lead. HALO_CANCELLED.
 */
halo_status label_structure_unite(const structure_strip *strip);

#endif
