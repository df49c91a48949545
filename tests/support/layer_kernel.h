#ifndef HALOBEAT_TESTS_LAYER_KERNEL_H
#define HALOBEAT_TESTS_LAYER_KERNEL_H

#include "core/beat/kernel.h"
#include "core/world/world.h"

/* A stencil that can be stepped and advanced, and that checks the calls it gets (with expect of
 * mpi_check.h). Cells of 64 bits either mix for ever, or take the maximum of their neighbours,
 * where cells of 0 stay 0, until nothing changes. */

enum { LOW, HIGH, ENDS, MAX_REACH = 2 };

typedef struct {
    int reach; /* layers above and below */
    bool rises;
    bool wraps; /* columns */
} rule;

/* Input of a rank's kernel, and what it expects of the following calls. */
typedef struct {
    rule rule;
    int depth;         /* beats per exchange */
    int64_t remaining; /* beats left in the run; negative: no limit */
    bool others[ENDS]; /* other ranks' cells are beyond the strip */
    halo_end ends[ENDS];
    int fail_call; /* number of the call that fails; -1: none */
    int64_t beats;
    int calls, supersteps;
    bool follows[ENDS];  /* calls of this superstep */
    halo_advance first;  /* of this superstep */
    uint64_t *history;   /* [beats + 1][layers][width] of this superstep */
    int64_t layers, low; /* of the strip and its halo; of the halo */
} order;

/* The kernel for a rule; its options are a pointer to a pointer to this rank's order. */
halo_kernel layer_kernel(const rule *r, bool advances);

/* Sets the neighbours of this rank for these cuts, which the following calls must agree with. */
void layer_kernel_look(order *o, const halo_domain *domain, const halo_world *world,
                       const int64_t *cuts);

/* Frees what `advance` stores between calls. */
void layer_kernel_forget(order *o);

#endif
