#include "support/blocks.h"

#include "support/images.h"

#include <stdio.h>
#include <stdlib.h>

void random_block_cuts(uint64_t *state, const halo_domain *domain, const int parts[HALO_AXES],
                       int64_t least, halo_partition *out)
{
    if (halo_partition_blocks(out, domain, parts) != HALO_OK) {
        fprintf(stderr, "random blocks: %s\n", halo_last_message());
        exit(EXIT_FAILURE);
    }
    for (int axis = 0; axis < HALO_AXES; axis++) {
        random_cuts(state, domain->n[axis], parts[axis], parts[axis] > 1 ? least : 1,
                    out->cuts[axis]);
    }
}

void random_blocks(uint64_t *state, const halo_domain *domain, int ranks, int64_t least,
                   halo_partition *out)
{
    int parts[HALO_AXES] = {1, 1, 1}, left = ranks;
    for (int factor = 2; left > 1; factor++) {
        for (; left % factor == 0; left /= factor) {
            parts[random_below(state, domain->axes)] *= factor;
        }
    }
    random_block_cuts(state, domain, parts, least, out);
}
