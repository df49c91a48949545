#ifndef HALOBEAT_TESTS_VOLUME_CASE_H
#define HALOBEAT_TESTS_VOLUME_CASE_H

#include "kernels/label/label.h"

/* One labelling of a volume under MPI, checked against a flood fill in everything it tells. */
typedef struct {
    halo_world *world;
    halo_domain domain;        /* 3 axes */
    const uint8_t *foreground; /* all of it, 0 or 1; the same on all ranks */
    halo_partition partition;
    halo_label_options options;
    char text[512];
} volume_case;

/* Local. The plainest correct labelling: numbers in raster order of first voxels, into `numbers`,
 * which has an entry a voxel. Returns how many regions there are. Ends the program when memory is
 * out. */
int64_t volume_flood(const halo_domain *domain, const uint8_t *foreground, int connectivity,
                     int32_t *numbers);

/* Collective. Total, regions, painted rows and rows of the whole width. */
void volume_case_check(const volume_case *c);

#endif
