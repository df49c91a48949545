#ifndef HALOBEAT_LABEL_RASTER_H
#define HALOBEAT_LABEL_RASTER_H

#include "kernels/label/job.h"

/* Numbers in raster order where blocks lie side by side: the regions that begin in one row of the
 * image begin in one block after the other, and so do those that begin in one plane. All that
 * blocks exchange is how many begin in each row, and in each plane. Internal to the label kernel.
 */
typedef struct label_raster {
    int64_t planes, rows, height; /* of our block; height is planes * rows */
    bool by_planes;               /* planes are cut into several rows of blocks */
    int32_t *first;  /* [height + 1] the first leading component that begins in each row */
    int32_t *before; /* [height] regions counted that begin in a row in blocks to our left ... */
    int32_t *all;    /* [height] ... and in all blocks */
    int32_t *plane_before; /* [planes] those that begin in a plane in rows of blocks above ours */
    int32_t *plane_all; /* [planes] in all blocks; of one row of blocks where planes are not cut */
    int32_t *received;  /* [height] scratch */
    int64_t above;      /* regions counted that begin before the row (or layer) of blocks ... */
    int64_t beside;     /* ... and those that begin in it */
} label_raster;

/* Local. For a finished block. HALO_MEMORY. */
halo_status label_raster_create(label_raster *raster, const label_job *job);

/* Local. Accepts a zeroed raster. */
void label_raster_free(label_raster *raster);

/* Collective. numbers[c] of each leading component is 0 if it is not counted, and becomes its
 * number if it is; *total of them in the image. */
halo_status label_raster_number(label_raster *raster, label_job *job, int64_t *numbers,
                                int64_t *total);

/* Collective. Regions that begin here, in the order of their numbers, go to ranks of the row of
 * blocks so that all ranks' regions one after another are 1 to the total: *out, which the caller
 * frees with halo_memory_free, has *out_count ("row of blocks" is a layer of them where planes
 * are cut). HALO_MEMORY, HALO_MPI. */
halo_status label_raster_deal(const label_raster *raster, label_job *job,
                              const halo_region *regions, int64_t count, halo_region **out,
                              int64_t *out_count);

#endif
