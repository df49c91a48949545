#include "kernels/label/rows.h"

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
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") &&
               __builtin_cpu_supports("avx512bitalg") &&
               __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("bmi2");
    }
    if (rows == &label_rows_avx2) {
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
               __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
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
