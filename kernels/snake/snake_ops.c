#include "kernels/snake/snake_ops.h"

#include <string.h>

const snake_loops *const snake_loops_built[] = {
#ifdef HALOBEAT_X86
    &snake_loops_avx512,
    &snake_loops_avx2,
#endif
    &snake_loops_plain,
    NULL,
};

halo_status snake_loops_find(const snake_loops **out, const char *name)
{
    for (const snake_loops *const *loops = snake_loops_built; *loops != NULL; loops++) {
        if ((name == NULL || strcmp(name, (*loops)->name) == 0) &&
            halo_instructions_run((*loops)->needs)) {
            *out = *loops;
            return HALO_OK;
        }
    }
    return halo_fail(HALO_ARGUMENT,
                     "this machine or build has no instructions \"%s\" for active contours; there"
                     " are avx512, avx2 and plain, the last on every machine",
                     name);
}
