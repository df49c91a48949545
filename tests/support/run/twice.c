/* A kernel with two options of one name. */

#include "core/beat/kernel_export.h"

static halo_status twice_step(halo_step *step)
{
    (void)step;
    return HALO_OK;
}

static const halo_option rows[] = {
    {.name = "speed", .type = HALO_OPTION_REAL, .help = "One"},
    {.name = "speed", .type = HALO_OPTION_REAL, .offset = sizeof(double), .help = "Another"},
    {0}};

static const halo_kernel twice = {.name = "twice",
                                  .help = "an option too many",
                                  .axes = 2,
                                  .cell_bits = {8},
                                  .depth = 1,
                                  .step = twice_step,
                                  .options = rows,
                                  .options_bytes = 2 * sizeof(double)};

HALO_KERNEL_EXPORT(twice);
