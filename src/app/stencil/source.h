#ifndef HALOBEAT_APP_STENCIL_SOURCE_H
#define HALOBEAT_APP_STENCIL_SOURCE_H

#include "app/stencil/checkpoint.h"
#include "app/stencil/input.h"
#include "app/stencil/options.h"
#include "core/beat/beat.h"
#include "core/world/world.h"

/* What a run begins with. */
typedef struct {
    halo_world *world;
    const run_arguments *arguments;
    const halo_kernel *kernel;
    halo_domain domain;
    const char *options;            /* the kernel's own, or NULL */
    int64_t beat;                   /* done before */
    halo_checkpoint_reader *reader; /* NULL if there is no checkpoint; otherwise */
    run_checkpoint *saved;          /* what it says */
    run_input input;                /* without a path if there is none */
} run_source;

/* Collective. Find out what it is. HALO_ARGUMENT where the arguments do not fit the kernel or file,
 * HALO_FILE, HALO_FORMAT, HALO_MEMORY, HALO_MPI.
 * run_source_close in any case. */
halo_status run_source_open(run_source *source, halo_world *world, const run_arguments *arguments,
                            const halo_kernel *kernel);

/* Collective. Fill in the first cells. */
halo_status run_source_fill(run_source *source, halo_beat *beat, halo_clock *clock);

/* Local. */
void run_source_close(run_source *source);

#endif
