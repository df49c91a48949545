#ifndef HALOBEAT_LABEL_RASTER_H
#define HALOBEAT_LABEL_RASTER_H

#include "kernels/label/job.h"

/* Numbers in raster order where blocks lie side by side: the regions that begin in one row of the
 * image begin in one block after the other. All that blocks of a row of blocks exchange is
 * how many begin in each row. Internal to the label kernel. */
typedef struct label_raster {
    int64_t height;    /* rows of our block */
    int32_t *first;    /* [height + 1] the first leading component that begins in each row */
    int32_t *before;   /* [height] regions counted that begin in a row in blocks to our left ... */
    int32_t *all;      /* [height] ... and in all blocks */
    int32_t *received; /* [height] scratch */
    int64_t above;     /* regions counted that begin in rows of blocks above ours */
    int64_t beside;    /* those that begin in our row of blocks */
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
 * frees with halo_memory_free, has *out_count. HALO_MEMORY, HALO_MPI. */
halo_status label_raster_deal(const label_raster *raster, label_job *job,
                              const halo_region *regions, int64_t count, halo_region **out,
                              int64_t *out_count);

#endif
