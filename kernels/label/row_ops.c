#include "kernels/label/row_ops.h"

#include "base/isa.h"

#include <stddef.h>
#include <string.h>

const label_rows *const label_rows_built[] = {
#ifdef HALOBEAT_X86
    &label_rows_avx512,
    &label_rows_avx2,
#endif
    &label_rows_plain,
    NULL,
};

static bool machine_has(const label_rows *rows)
{
#ifdef HALOBEAT_X86
    if (rows == &label_rows_avx512) {
        return halo_instructions_run(HALO_INSTRUCTIONS_AVX512_BITS);
    }
    if (rows == &label_rows_avx2) {
        return halo_instructions_run(HALO_INSTRUCTIONS_AVX2);
    }
#endif
    return rows == &label_rows_plain;
}

const label_rows *label_rows_find(const char *name)
{
    for (const label_rows *const *rows = label_rows_built; *rows != NULL; rows++) {
        if (machine_has(*rows) && (name == NULL || strcmp(name, (*rows)->name) == 0)) {
            return *rows;
        }
    }
    return NULL;
}
