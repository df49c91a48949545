#ifndef HALOBEAT_CLI_CLUSTER_JOB_H
#define HALOBEAT_CLI_CLUSTER_JOB_H

#include "app/outputs.h"
#include "app/report/facts.h"
#include "app/run.h"
#include "kernels/cluster/cluster.h"
#include "kernels/cluster/cluster_chunk.h"
#include "kernels/cluster/cluster_connect.h"
#include "kernels/cluster/cluster_means.h"
#include "kernels/cluster/cluster_paint.h"

typedef struct {
    app_arguments all;
    halo_cluster_options kernel; /* clusters, colour, engine; the others follow from them */
    double weight;               /* of greys from 0 to 255, or of L, a and b */
    double compactness;          /* instead of the weight, as SLIC has it; 0: not given */
    bool connected;              /* every label is one piece */
    double min_size;             /* of such a piece: share of the mean size */
    const char *output, *mosaic, *outline, *centres; /* or NULL */
} cluster_options;

typedef struct {
    halo_kernel kernel;
    int64_t change_threshold; /* pixels; a beat that changes no more of them is the last one */
    double inertia; /* squares of distances to the mean of the own cluster, summed over pixels */
    halo_cluster_means means; /* for mosaic and centres, once the first of them is written */
    halo_cluster_connection connection;
    double connecting_seconds;
    /* While one of them is written. */
    halo_cluster_chunk chunk;
    halo_cluster_palette palette; /* of a mosaic */
} cluster_job;

extern const app_output cluster_outputs[];

/* Local, on rank 0: see app_command. */
json_t *cluster_facts(app_run *run, json_t *texts);

extern const app_line cluster_lines[];
extern const app_column cluster_batch_columns[];

#endif
