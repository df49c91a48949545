#ifndef HALOBEAT_CLUSTER_STATE_H
#define HALOBEAT_CLUSTER_STATE_H

#include "kernels/cluster/engine.h"

/* The state of a run, which halo_beat keeps. Internal to the cluster kernel. */

typedef struct {
    cluster_job job;
    const cluster_engine *engine;
    void *finds; /* the engine's own */
    halo_cluster_record *records, *records_before;
    cluster_shown shown;
} cluster_state;

#endif
