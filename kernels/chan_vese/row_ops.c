#include "kernels/chan_vese/row_ops.h"

#include <string.h>

const chan_vese_rows *const chan_vese_rows_built[] = {
#ifdef HALOBEAT_X86
    &chan_vese_rows_avx512,
    &chan_vese_rows_avx2,
#endif
    &chan_vese_rows_plain,
    NULL,
};

const chan_vese_rows *chan_vese_rows_find(const char *name)
{
    for (const chan_vese_rows *const *rows = chan_vese_rows_built; *rows != NULL; rows++) {
        bool meant = name == NULL || strcmp((*rows)->name, name) == 0;
        if (meant && halo_instructions_run((*rows)->needs)) {
            return *rows;
        }
    }
    return NULL;
}
