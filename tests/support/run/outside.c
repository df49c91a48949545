/* A kernel whose structure of options is smaller than its table says. */

#include "core/beat/kernel_export.h"

static halo_status outside_step(halo_step *step)
{
    (void)step;
    return HALO_OK;
}

static const halo_option rows[] = {
    {.name = "speed", .type = HALO_OPTION_REAL, .help = "Where nothing is"}, {0}};

static const halo_kernel outside = {.name = "outside",
                                    .help = "an option outside of its structure",
                                    .axes = 2,
                                    .cell_bits = {8},
                                    .depth = 1,
                                    .step = outside_step,
                                    .options = rows,
                                    .options_bytes = sizeof(double) - 1};

HALO_KERNEL_EXPORT(outside);
