#ifndef HALOBEAT_FILTER_NETWORK_OPS_H
#define HALOBEAT_FILTER_NETWORK_OPS_H

#include "base/isa.h"
#include "base/sample.h"
#include "kernels/filter/network.h"

#include <stddef.h>

/* Programs of networks (network.h), run on rows of keys (keys.h) by loops for each ISA. Internal to
 * the kernel. */

typedef struct {
    /* Computes `count` samples of the outputs. Registers, of which up to 64 bytes past those may be
     * read or written, do not overlap. */
    void (*run[HALO_SAMPLE_TYPES])(const filter_program *program, int64_t count,
                                   char *const *registers);
} filter_network_ops;

extern const filter_network_ops filter_network_ops_avx512, filter_network_ops_avx2,
    filter_network_ops_plain;

#endif
