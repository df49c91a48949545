#include "kernels/motion/match_ops.h"

#include <string.h>

const motion_loops *const motion_loops_built[] = {
#ifdef HALOBEAT_X86
    &motion_loops_avx512,
    &motion_loops_avx2,
#endif
    &motion_loops_plain,
    NULL,
};

const motion_loops *motion_loops_find(const char *name)
{
    for (const motion_loops *const *loops = motion_loops_built; *loops != NULL; loops++) {
        if ((name == NULL || strcmp((*loops)->name, name) == 0) &&
            halo_instructions_run((*loops)->needs)) {
            return *loops;
        }
    }
    return NULL;
}
