#include "kernels/life/row_ops.h"

#include "base/isa.h"

#include <stddef.h>
#include <string.h>

const life_path *const life_paths_built[] = {
#ifdef HALOBEAT_X86
    &life_path_avx512,
    &life_path_avx2,
#endif
    &life_path_plain,
    NULL,
};

static bool machine_has(const life_path *path)
{
#ifdef HALOBEAT_X86
    if (path == &life_path_avx512) {
        return halo_instructions_run(HALO_INSTRUCTIONS_AVX512_BITS);
    }
    if (path == &life_path_avx2) {
        return halo_instructions_run(HALO_INSTRUCTIONS_AVX2);
    }
#endif
    return path == &life_path_plain;
}

const life_path *life_path_find(const char *name)
{
    for (const life_path *const *path = life_paths_built; *path != NULL; path++) {
        if (machine_has(*path) && (name == NULL || strcmp(name, (*path)->name) == 0)) {
            return *path;
        }
    }
    return NULL;
}

const life_rule_code *life_path_code(const life_path *path, const halo_life_rule *rule)
{
    if (rule->states > 2) {
        return &path->generations;
    }
    for (const life_rule_code *code = path->codes; code->name != NULL; code++) {
        if (code->born == rule->born && code->survive == rule->survive) {
            return code;
        }
    }
    return &path->any;
}
