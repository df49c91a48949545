#ifndef HALOBEAT_APP_STENCIL_CHECKPOINT_H
#define HALOBEAT_APP_STENCIL_CHECKPOINT_H

#include "core/beat/beat.h"
#include "core/file/checkpoint.h"

/* What a checkpoint of a kernel says about its rows, which are the lines of all its fields: the
 * options of core/file/checkpoint.h. */
typedef struct {
    halo_domain domain;
    int cell_bits[HALO_KERNEL_FIELDS];
    char *options; /* the kernel's own, or NULL */
    size_t saved_bytes;
    unsigned char saved[HALO_KERNEL_SAVED]; /* of its state */
} run_checkpoint;

/* Local. HALO_ARGUMENT for a kernel's options that no checkpoint could hold. */
halo_status run_checkpoint_check_options(const char *options);

/* Collective. Save the cells and the state as they are: the same bytes for every number of ranks
 * and decomposition. HALO_FILE, HALO_MEMORY, HALO_MPI. */
halo_status run_checkpoint_write(halo_world *world, const char *path, const halo_kernel *kernel,
                                 const halo_domain *domain, const char *options,
                                 const halo_beat *beat, halo_clock *clock);

/* Local. What the checkpoint `path` says. HALO_FORMAT if it is of another kernel, or its parts
 * contradict each other; HALO_MEMORY. run_checkpoint_free in any case. */
halo_status run_checkpoint_read(run_checkpoint *what, const char *path, const halo_checkpoint *info,
                                const halo_kernel *kernel);

void run_checkpoint_free(run_checkpoint *what);

/* Collective. Fill in cells and state of a run as the checkpoint says. What is read is verified.
 * HALO_FORMAT, HALO_FILE, HALO_MEMORY, HALO_MPI. */
halo_status run_checkpoint_restore(const run_checkpoint *what, halo_checkpoint_reader *reader,
                                   halo_world *world, const halo_kernel *kernel, halo_beat *beat,
                                   halo_clock *clock);

#endif
