#include "kernels/life/row_ops.h"

#include <stddef.h>

const halo_isa_variant life_row_variants[] = HALO_ISA_VARIANTS(life_row_ops, AVX512_BITS);

const life_rule_code *life_rule_code_of(const life_row_ops *ops, const halo_life_rule *rule)
{
    if (rule->states > 2) {
        return &ops->generations[rule->neighbourhood];
    }
    for (const life_rule_code *code = ops->codes; code->name != NULL; code++) {
        if (rule->neighbourhood == HALO_LIFE_MOORE && code->born == rule->born &&
            code->survive == rule->survive) {
            return code;
        }
    }
    return &ops->any[rule->neighbourhood];
}
