#ifndef HALOBEAT_TESTS_STENCILS_H
#define HALOBEAT_TESTS_STENCILS_H

#include "core/beat/kernel.h"

/* Small kernels that detect all errors of an exchange. */

extern const halo_kernel stencil_heat;       /* 5 points of float64 in two axes */
extern const halo_kernel stencil_heat_whole; /* the same in one piece */
extern const halo_kernel stencil_pair; /* two coupled fields in three axes, depth 2, with corners */
extern const halo_kernel stencil_spread; /* bits that become steady, in two axes */

#endif
