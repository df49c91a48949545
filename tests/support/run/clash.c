/* A kernel with an option that all programs have. */

#include "core/beat/kernel_export.h"

static halo_status clash_step(halo_step *step)
{
    (void)step;
    return HALO_OK;
}

static const halo_option rows[] = {
    {.name = "size", .type = HALO_OPTION_REAL, .help = "What would hide --size"}, {0}};

static const halo_kernel clash = {.name = "clash",
                                  .help = "an option too many",
                                  .axes = 2,
                                  .cell_bits = {8},
                                  .depth = 1,
                                  .step = clash_step,
                                  .options = rows,
                                  .options_bytes = sizeof(double)};

HALO_KERNEL_EXPORT(clash);
