#ifndef HALOBEAT_FILTER_LINEAR_INTERNAL_H
#define HALOBEAT_FILTER_LINEAR_INTERNAL_H

#include "kernels/filter/columns.h"
#include "kernels/filter/linear.h"

/* The state of linear filters, for linear.c and quick.c. */

typedef struct {
    const filter_linear_ops *ops;
    const filter_columns_ops *columns_ops;
    halo_sample_type between; /* of samples between the axes: F32, to which they are rounded, or
                               * F64 */
    filter_line line[HALO_AXES];
    filter_edge edge;       /* whose constant is a sample of the input, along all axes */
    filter_margins margins; /* of rows between the axes */
    filter_columns columns;
    char *memory;                /* of the rows: */
    char *row, *last;            /* of one row, and the same without margins */
    char *ring;                  /* sample 0 of the first row; of a plane, summed across planes */
    int64_t slots;               /* rows of the ring */
    const void **planes, **rows; /* rows that are summed across planes, and across rows */
    filter_sums how, exact;      /* `how` may be fused */
    bool checks;                 /* whether it is depends on the samples of a tile: */
    int64_t checked, last_bad;   /* layers before this one were looked at; the last that is bad */
    /* The quick way. */
    bool is_quick;
    filter_quick_weights quick[HALO_AXES];
    float *quick_weights[HALO_AXES];
    filter_columns quick_columns;
    filter_marks *marks;
    double *window; /* of a sample: its columns, summed across rows */
} filter_linear;

/* Weights of an axis; of one that is left as it is, 1. */
filter_weights filter_linear_weights(const filter_linear *l, int axis);

/* Rows `first` and on of a tile, at most as many as columns have. */
void filter_linear_image_group(const filter_linear *l, const filter_tile *tile, int64_t first,
                               int64_t rows);
/* The same by the quick way, at most as many as quick columns have. */
void filter_linear_quick_group(const filter_linear *l, const filter_tile *tile, int64_t first,
                               int64_t rows);

/* Finds whether sums may be fused. */
void filter_linear_find_fused(filter_linear *l, const filter_step *step, const filter_part *part);

/* Finds whether a part has a quick way, and what it needs. HALO_MEMORY. */
halo_status filter_linear_create_quick(filter_linear *l, const filter_step *step,
                                       const filter_part *part);
void filter_linear_free_quick(filter_linear *l);

#endif
