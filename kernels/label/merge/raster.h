#ifndef HALOBEAT_LABEL_RASTER_H
#define HALOBEAT_LABEL_RASTER_H

#include "kernels/label/job.h"

/* Numbers in raster order for blocks side by side: regions that begin in one row of the image may
 * begin in several blocks, and so may those that begin in one plane. Blocks exchange only the
 * number of regions that begin in each row, and in each plane. Internal to the label kernel. */
typedef struct label_raster {
    int64_t planes, rows, height; /* of this block; height is planes * rows */
    bool by_planes;               /* planes are cut into several rows of blocks */
    int32_t *first;        /* [height + 1] the first leading component that begins in each row */
    int32_t *before;       /* [height] counted regions that begin in a row in blocks to the left */
    int32_t *all;          /* [height] and in all blocks */
    int32_t *plane_before; /* [planes] those that begin in a plane in rows of blocks above */
    int32_t *plane_all;    /* [planes] in all blocks; if planes are not cut, of one row of blocks */
    int32_t *received;     /* [height] scratch */
    int64_t above;         /* counted regions that begin before this row (or layer) of blocks */
    int64_t beside;        /* and those that begin in it */
} label_raster;

/* Local. Creates it for a finished block. HALO_MEMORY. */
halo_status label_raster_create(label_raster *raster, const label_job *job);

/* Local. Accepts a zeroed raster. */
void label_raster_free(label_raster *raster);

/* Collective. numbers[c] of each leading component is 0 if it is not counted, otherwise it is set
 * to its number; *total is their number in the image. */
halo_status label_raster_number(label_raster *raster, label_job *job, int64_t *numbers,
                                int64_t *total);

/* Collective. Distributes the regions that begin here, in the order of their numbers, to ranks of
 * the row of blocks (or layer of blocks, if planes are cut), so that the regions of all ranks, one
 * after another, are 1 to the total. *out [*out_count] is freed by the caller with
 * halo_memory_free. HALO_MEMORY, HALO_TRANSPORT. */
halo_status label_raster_deal(const label_raster *raster, label_job *job,
                              const halo_region *regions, int64_t count, halo_region **out,
                              int64_t *out_count);

#endif
