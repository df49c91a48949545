#ifndef HALOBEAT_CORE_BEAT_KERNEL_CHECK_H
#define HALOBEAT_CORE_BEAT_KERNEL_CHECK_H

#include "core/beat/kernel.h"

/* Does a kernel keep to what its table says? A kernel that reads beyond its `depth`, or diagonally
 * without `corners`, is right on one rank and wrong in some decompositions.
 *
 * The check computes a small grid for a few beats as one part, and then beat by beat in the parts
 * of several decompositions: strips, blocks, and parts as narrow as the halo. A part gets the cells
 * that its rank would have; whatever lies beyond them has other values, which the kernel must not
 * notice. The same is done with a halo for two beats, where the kernel computes cells of its halo,
 * too. For a cell that differs, cells beyond are changed one by one until one makes the
 * difference.
 *
 * Then threads compute parts at the same time, unless the table says that they may not: variables
 * that they share show by cells that differ from those of a part computed alone. */

typedef struct {
    int axes;
    int64_t n[HALO_AXES];   /* of the grid */
    int64_t decompositions; /* how many were compared with one part */
    int64_t beats;          /* of each */
    int threads;            /* that computed parts at the same time; 0: none did */
    /* The difference of a thread's results while other threads computed, and a remedy; or "". */
    char unsafe[HALO_MESSAGE_SIZE];
} halo_kernel_check_report;

/* Local. Checks the kernel with these options (of its `create`) on a domain of at most that size,
 * with its periodic axes; if it has none, with all axes periodic, too, unless the kernel refuses
 * that. HALO_ARGUMENT if the kernel breaks its contract: the message says how, at which cell, and
 * what helps. HALO_MEMORY; what the kernel returns. */
halo_status halo_kernel_check(const halo_kernel *kernel, const halo_domain *domain,
                              const void *options, halo_kernel_check_report *report);

#endif
