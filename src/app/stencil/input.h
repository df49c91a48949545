#ifndef HALOBEAT_APP_STENCIL_INPUT_H
#define HALOBEAT_APP_STENCIL_INPUT_H

#include "core/beat/beat.h"
#include "io/npy/npy.h"

/* An array file whose samples become the cells of a kernel's first field. */
typedef struct {
    const char *path;
    halo_npy_header header;
    bool swapped; /* the other byte order */
    size_t head;  /* bytes before the samples */
} stencil_input;

/* Collective; every rank must be able to read the file. Finds out its size, which `domain` gets,
 * all but its periodic axes. HALO_FILE, HALO_FORMAT, also for samples that are not what the
 * kernel's cells are, naming the remedy. */
halo_status stencil_input_open(stencil_input *input, halo_world *world, const char *path,
                               const halo_kernel *kernel, halo_domain *domain);

/* Collective. Fill in the cells. HALO_FILE, HALO_MEMORY, HALO_MPI. */
halo_status stencil_input_read(const stencil_input *input, halo_world *world,
                               const halo_kernel *kernel, const halo_domain *domain,
                               halo_beat *beat, halo_clock *clock);

#endif
