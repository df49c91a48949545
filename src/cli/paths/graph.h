#ifndef HALOBEAT_CLI_PATHS_GRAPH_H
#define HALOBEAT_CLI_PATHS_GRAPH_H

#include "app/outputs.h"
#include "cli/paths/job.h"
#include "io/dimacs/dimacs.h"
#include "kernels/graph/graph_search.h"

/* `halobeat paths roads.gr`. Vertices are numbered from 0 on here, and from 1 on for users. */
typedef struct {
    halo_dimacs *file;   /* on rank 0, while it is read */
    halo_digraph *whole; /* on rank 0; else NULL */
    halo_digraph *graph; /* of this rank, to search in */
    int64_t vertices, arcs;
    int64_t *cuts;              /* [ranks + 1] */
    int64_t *sources, *targets; /* [source_count], [target_count], the same on all ranks */
    int64_t source_count, target_count;
    double *own;              /* distances of this rank's vertices */
    double *distances;        /* of all, on rank 0, where they may be `own`; else NULL */
    double *target_distances; /* [target_count], the same on all ranks */
    const char *method;       /* by name */
    halo_search_places places;
    halo_search_counts counts;
    double seconds;  /* of the search, on this rank */
    int64_t reached; /* rank 0 */
    double farthest; /* rank 0 */
} graph_job;

extern const app_command paths_graph_command;

extern const app_output paths_graph_outputs[];

#endif
