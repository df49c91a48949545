#include "support/blocks.h"

#include "support/images.h"
#include "support/mpi_check.h"

#include <stdio.h>
#include <stdlib.h>

halo_partition even_strips(const halo_domain *domain)
{
    return even_blocks(domain, (const int[HALO_AXES]){all_ranks(), 1, 1});
}

halo_partition even_blocks(const halo_domain *domain, const int parts[HALO_AXES])
{
    halo_partition made;
    if (halo_partition_blocks(&made, domain, parts) != HALO_OK) {
        fprintf(stderr, "parts: %s\n", halo_last_message());
        exit(EXIT_FAILURE);
    }
    return made;
}

halo_field *own_field(const halo_domain *domain, const halo_partition *partition, int cell_bits,
                      int depth)
{
    halo_field *made = NULL;
    halo_box owned = halo_partition_box(partition, my_rank());
    expect_ok(halo_field_create(&made, domain, &owned, cell_bits, depth));
    return made;
}

void random_block_cuts(uint64_t *state, const halo_domain *domain, const int parts[HALO_AXES],
                       int64_t min, halo_partition *out)
{
    *out = even_blocks(domain, parts);
    for (int axis = 0; axis < HALO_AXES; axis++) {
        random_cuts(state, domain->n[axis], parts[axis], parts[axis] > 1 ? min : 1,
                    out->cuts[axis]);
    }
}

void random_factors(uint64_t *state, int axes, int ranks, int parts[HALO_AXES])
{
    parts[0] = parts[1] = parts[2] = 1;
    for (int factor = 2; ranks > 1; factor++) {
        for (; ranks % factor == 0; ranks /= factor) {
            parts[random_below(state, axes)] *= factor;
        }
    }
}

void random_blocks(uint64_t *state, const halo_domain *domain, int ranks, int64_t min,
                   halo_partition *out)
{
    int parts[HALO_AXES];
    random_factors(state, domain->axes, ranks, parts);
    random_block_cuts(state, domain, parts, min, out);
}
