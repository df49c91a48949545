#include "kernels/heat/row_ops.h"

#include <string.h>

const heat_rows *const heat_rows_built[] = {
#ifdef HALOBEAT_X86
    &heat_rows_avx512,
    &heat_rows_avx2,
#endif
    &heat_rows_plain,
    NULL,
};

const heat_rows *heat_rows_find(const char *name, size_t length)
{
    for (const heat_rows *const *rows = heat_rows_built; *rows != NULL; rows++) {
        bool meant = name == NULL ||
                     (strlen((*rows)->name) == length && strncmp(name, (*rows)->name, length) == 0);
        if (meant && halo_instructions_run((*rows)->needs)) {
            return *rows;
        }
    }
    return NULL;
}
