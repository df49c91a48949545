/* A kernel with an option that nobody can name. */

#include "core/beat/kernel_export.h"

static halo_status unnamed_step(halo_step *step)
{
    (void)step;
    return HALO_OK;
}

static const halo_option rows[] = {
    {.name = "a=b,c\n", .type = HALO_OPTION_REAL, .help = "Cannot be given"}, {0}};

static const halo_kernel unnamed = {.name = "unnamed",
                                    .help = "an option without a name",
                                    .axes = 2,
                                    .cell_bits = {8},
                                    .depth = 1,
                                    .step = unnamed_step,
                                    .options = rows,
                                    .options_bytes = sizeof(double)};

HALO_KERNEL_EXPORT(unnamed);
