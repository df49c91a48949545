#ifndef HALOBEAT_TESTS_VOLUME_CASE_H
#define HALOBEAT_TESTS_VOLUME_CASE_H

#include "kernels/label/label.h"

/* A labelling of a volume under MPI, with all its results checked against a flood fill. */
typedef struct {
    halo_world *world;
    halo_domain domain;        /* 3 axes */
    const uint8_t *foreground; /* all of it, 0 or 1; the same on all ranks */
    halo_partition partition;
    halo_label_options options;
    char text[512];
} volume_case;

/* Local. A simple reference labelling: writes numbers in raster order of first voxels to `numbers`,
 * an entry per voxel. Returns the number of regions. Ends the program if there is no memory. */
int64_t volume_flood(const halo_domain *domain, const uint8_t *foreground, int connectivity,
                     int32_t *numbers);

/* Collective. Checks total, regions, painted rows and rows of the whole width. */
void volume_case_check(const volume_case *c);

#endif
