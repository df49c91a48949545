#ifndef HALOBEAT_TESTS_MOTION_CASE_H
#define HALOBEAT_TESTS_MOTION_CASE_H

#include "kernels/motion/motion.h"

#include <stdint.h>

/* Frames of an infinite scene, and the motion found in them, whole on every rank. */

typedef struct {
    int64_t rows, columns;
    int cell_bits;
    int frames;
    uint16_t *cells; /* [frames][rows * columns] */
} motion_scene;

/* Frame f is the scene moved by f times (u, v) pixels, right and down. The caller frees it. Exits
 * the program if there is no memory. */
motion_scene motion_case_make(uint64_t seed, int64_t rows, int64_t columns, int cell_bits,
                              int frames, int u, int v);
void motion_case_free(motion_scene *scene);

/* Results of the last pair. */
typedef struct {
    halo_status status;
    halo_motion_vector *vectors; /* [clusters] */
    int clusters;
    float *flow; /* [rows * columns * 2] */
    size_t flow_bytes;
    int64_t beats;
} motion_result;

/* Collective over the world. Matches frames `first` to scene->frames - 1, starting from `centres`
 * if not NULL, and stores those from before the last frame in `kept` ([clusters]) if not NULL. */
motion_result motion_case_run(halo_world *world, const motion_scene *scene,
                              const halo_motion_options *options, int first,
                              const halo_motion_centre *centres, halo_motion_centre *kept);
void motion_case_end(motion_result *result);

/* Local. True if vectors and flow are the same bytes. */
bool motion_case_same(const motion_result *a, const motion_result *b);

#endif
