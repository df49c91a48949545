#include "kernels/life/soup.h"

#include "base/isa.h"
#include "kernels/life/soup_ops.h"

#include <stddef.h>
#include <string.h>

static const halo_isa_variant variants[] = HALO_ISA_VARIANTS(life_soup_ops, AVX512);

bool life_soup_row(const char *instructions, uint64_t seed, uint64_t chance, int64_t row,
                   int64_t width, uint64_t *out)
{
    const halo_isa_variant *variant = halo_isa_find(variants, instructions);
    if (variant == NULL) {
        return false;
    }
    int64_t words = (width + 63) / 64;
    if (chance >> LIFE_SOUP_PLANES != 0) {
        memset(out, 0xFF, (size_t)words * sizeof *out);
    } else {
        const life_soup_ops *ops = variant->ops;
        uint64_t start = life_soup_mixed(seed + ((uint64_t)row + 1) * LIFE_SOUP_STEP);
        ops->fill(start, (uint32_t)chance, words, out);
    }
    if (width % 64 != 0) {
        out[words - 1] &= (UINT64_C(1) << width % 64) - 1;
    }
    return true;
}
