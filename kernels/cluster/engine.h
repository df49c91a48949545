#ifndef HALOBEAT_CLUSTER_ENGINE_H
#define HALOBEAT_CLUSTER_ENGINE_H

#include "base/isa.h"
#include "kernels/cluster/centres.h"

/* Engines: they find each pixel's nearest centre. Internal to the kernel. */

/* The state of a run, for all engines. */
typedef struct {
    halo_domain domain;
    cluster_rectangles rectangles;
    int clusters, axes;              /* axes: 3 or 5 */
    double scale;                    /* w * w */
    bool begun;                      /* labels are those of the centres `before`; otherwise the
                                      * rectangles */
    cluster_centres before, now;     /* for the present labels; for those of this beat */
    bool *moved;                     /* [clusters]: the centre differs from the one before */
    int64_t *changes;                /* [clusters][1 + axes]: increments of pixels and sums of x,
                                      * y, values */
    const halo_isa_variant *variant; /* of pyramid_ops, for engines with variants */
    const halo_world *world; /* of the beginning, which watches (core/world/watch.h); or NULL */
} cluster_job;

/* The state of a run. */
const cluster_job *cluster_job_of(const halo_beat *beat);

/* Labels of superpixels (cluster_connect.h), which replace those of the engine. All 0: none. */
typedef struct {
    int64_t clusters, width;
    uint16_t *labels;             /* [rows of this rank][width] */
    halo_cluster_record *records; /* [clusters] */
    int64_t *sums;                /* [clusters][1 + axes] while sums are computed */
} cluster_shown;

/* Replaces the superpixels of a run by `shown`, which is zeroed. */
void cluster_show(halo_beat *beat, cluster_shown *shown);

/* Frees and zeroes them. Accepts a zeroed structure. */
void cluster_shown_free(cluster_shown *shown);

/* An engine. It stores the labels of this rank's part. */
typedef struct {
    const char *name;
    /* Bytes that it allocates for a part of this size and cells of these bits. */
    int64_t (*bytes)(const halo_box *owned, int cell_bits);
    halo_status (*create)(void **engine, const cluster_job *job);
    void (*destroy)(void **engine);

    /* Drops all labels. The next call computes them again, from the image and the centres before,
     * as for rows that have joined the part. */
    void (*forget)(void *engine);

    /* Gives each pixel its label by the centres `now`; adds the resulting increments to
     * job->changes and *changed. Tells row_cost which rows are done. */
    halo_status (*beat)(void *engine, const cluster_job *job, const halo_view *picture,
                        halo_row_cost *row_cost, int64_t *changed);

    /* Writes the labels of local rows first to first + rows - 1. With 0 rows it only computes those
     * of rows that have joined the part. */
    halo_status (*labels)(void *engine, const cluster_job *job, const halo_view *picture,
                          int64_t first, int64_t rows, uint16_t *out, size_t pitch);
} cluster_engine;

extern const cluster_engine cluster_tiles, cluster_leaves, cluster_brute;

/* The definition: squared distance of a pixel. */
static inline double cluster_distance(const cluster_job *job, const cluster_centres *centres,
                                      const double *pixel, int k)
{
    double dx = pixel[0] - centres->axis[0][k], dy = pixel[1] - centres->axis[1][k];
    double sum = dx * dx + dy * dy;
    for (int a = 2; a < job->axes; a++) {
        double dv = pixel[a] - centres->axis[a][k];
        sum = sum + job->scale * dv * dv;
    }
    return sum;
}

/* Value `a` (from 0) of the cell at column x of a row. */
static inline int32_t cluster_value(const halo_view *picture, const void *row, int64_t x, int a)
{
    return picture->cell_bits == 8    ? ((const uint8_t *)row)[x]
           : picture->cell_bits == 16 ? ((const uint16_t *)row)[x]
                                      : ((const int16_t *)row)[HALO_CLUSTER_CHANNELS * x + a];
}

/* Writes a pixel's position and values, [job->axes], to `to`; local row and column. */
static inline void cluster_pixel(const cluster_job *job, const halo_view *picture, int64_t y,
                                 int64_t x, int32_t *to)
{
    const void *row = halo_row(picture, y);
    to[0] = (int32_t)(picture->owned.lo[1] + x);
    to[1] = (int32_t)(picture->owned.lo[0] + y);
    for (int a = 2; a < job->axes; a++) {
        to[a] = cluster_value(picture, row, x, a - 2);
    }
}

/* A pixel moves from one cluster to another. */
static inline void cluster_change(const cluster_job *job, const int32_t *pixel, int from, int to)
{
    int64_t *loses = job->changes + (size_t)from * (size_t)(1 + job->axes);
    int64_t *gains = job->changes + (size_t)to * (size_t)(1 + job->axes);
    loses[0]--;
    gains[0]++;
    for (int a = 0; a < job->axes; a++) {
        loses[1 + a] -= pixel[a];
        gains[1 + a] += pixel[a];
    }
}

/* Adds the colours of a row, of pixels of 24 or 48 bits, to the sums of their labels. */
void cluster_add_colours(int64_t (*sums)[HALO_CLUSTER_CHANNELS], const uint16_t *labels,
                         const void *colours, int pixel_bits, int64_t width);

#endif
