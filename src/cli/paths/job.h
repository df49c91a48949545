#ifndef HALOBEAT_CLI_PATHS_JOB_H
#define HALOBEAT_CLI_PATHS_JOB_H

#include "app/outputs.h"
#include "app/run.h"
#include "app/services/checkpoint.h"
#include "core/field/field.h"
#include "io/dimacs/dimacs.h"
#include "kernels/graph/graph_search.h"
#include "kernels/paths/paths.h"
#include "kernels/paths/paths_back.h"
#include "kernels/paths/paths_costs.h"
#include "partition/cuts.h"

enum {
    PATHS_MAX_PLACES = 1024, /* that --from and --to may name */
    PATHS_MAX_BARRIERS = 16  /* times that --barrier may be given */
};

/* Places of --from or --to: columns and rows, or vertices of a graph, or a file with them. */
typedef struct {
    int64_t numbers[2 * PATHS_MAX_PLACES]; /* all that were given, one after the other */
    int64_t number_count;
    int64_t count;    /* times that the option was given */
    const char *odd;  /* what was given last that is not a pair, or NULL */
    const char *path; /* or NULL */
} paths_places;

/* Cells that are barriers, besides infinite costs and cells that are missing. */
typedef struct {
    bool negative;
    int count;
    double values[PATHS_MAX_BARRIERS];
} paths_barriers;

typedef struct {
    double along_x, along_y;
} paths_cell_size;

typedef struct {
    app_arguments all;
    paths_places from, to;
    paths_barriers barriers;
    paths_cell_size cell_size;
    const char *neighbours;
    double max_distance;
    const char *method;
    int64_t quota;
    const char *output, *nearest, *path, *overlay; /* or NULL */
} paths_options;

typedef struct {
    halo_paths_options options;
    halo_kernel kernel;
    halo_partition strips;       /* of rows, as files are read and written */
    halo_field *cells;           /* of the strips, while they are filled in and read */
    bool collected;              /* cells are a copy of those that are computed on */
    bool settled;                /* distances are final */
    halo_paths_cost_range range; /* of all cells */
    uint64_t search;             /* hash of what a checkpoint must agree with */
    int64_t sources_found;       /* cells */
    int64_t reached;             /* cells */
    double farthest;             /* of the distances */
    halo_paths_counts done;      /* by all ranks; queue_bytes: the largest */
    bool has_pooled;             /* a pool of Moore's algorithm has searched, */
    halo_search_counts pooled;   /* and done this */
    halo_paths_place *sources;   /* [source_count], the same on all ranks; none of a picture's */
    int64_t source_count;
    halo_paths_place *targets; /* [target_count], the same on all ranks */
    double *target_distances;  /* [target_count], the same on all ranks; infinite: unreachable */
    int64_t target_count;
    halo_paths_trail *trail; /* on every rank once paths are traced; else NULL */
    halo_field *numbers;     /* of nearest sources, of the strips */
} paths_job;

/* Collective. The places that were asked for, the same on all ranks, to be freed; of `vertices` the
 * number of each is its column. HALO_FILE, HALO_FORMAT, HALO_MEMORY. */
halo_status paths_open_list(app_run *run, const paths_places *asked, bool vertices,
                            halo_paths_place **out, int64_t *count);

/* Collective. Read the targets, and check that places lie on the raster. HALO_ARGUMENT, HALO_FILE,
 * HALO_FORMAT, HALO_MEMORY. */
halo_status paths_open_places(app_run *run);

/* True if these places are pixels of an image: its file is no table, and not standard input. */
bool paths_is_mask(const paths_places *places);

/* Collective. Read the costs into cells, and for a picture of the paths into run->samples, too.
 * HALO_FORMAT for a cell that is no cost; as app_read_image. */
halo_status paths_read_costs(app_run *run);

/* Called for a source: its cell and its number, from 1 on. */
typedef void paths_source_take(void *context, int64_t row, int64_t column, int64_t number);

/* Collective. `take` is called on every rank for the sources in its strip. HALO_ARGUMENT,
 * HALO_FILE, HALO_FORMAT, HALO_MEMORY. */
halo_status paths_visit_sources(app_run *run, paths_source_take *take, void *context);

/* Collective. The first distances: 0 of sources. HALO_ARGUMENT for one on a barrier. */
halo_status paths_fill_sources(app_run *run);

/* Methods: name, and what follows from it. */
#define PATHS_METHOD_LIST(X)               \
    X(async, PATHS_QUEUES | PATHS_DETECTS) \
    X(settle, PATHS_ROUNDS)                \
    X(bucket, PATHS_ALONE)                 \
    X(central, PATHS_POOL | PATHS_CENTRAL) \
    X(decentral, PATHS_POOL | PATHS_DETECTS)

enum {
    PATHS_QUEUES = 1,  /* each rank has a queue, and sends changes at once */
    PATHS_DETECTS = 2, /* a detector finds the end */
    PATHS_ROUNDS = 4,  /* halos are exchanged in rounds, which graphs have not */
    PATHS_ALONE = 8,   /* one rank does it */
    PATHS_POOL = 16,   /* a pool of cells or vertices (paths_run_pool) */
    PATHS_CENTRAL = 32 /* which rank 0 hands out */
};

/* Local, pure. What follows from the method of this name; 0 for NULL and other names. */
unsigned paths_method_traits(const char *name);

/* Collective. Make job->cells, if cells are computed on by others than those that read them, and
 * run->samples, if there will be one. HALO_MEMORY. */
halo_status paths_create_cells(app_run *run);

/* Collective. Bring job->cells to where they are computed on, and back into job->cells, a new
 * field, from there; paths_release, local, frees it. Strips that have not moved are not copied. */
halo_status paths_spread(app_run *run);
halo_status paths_collect(app_run *run);
void paths_release(app_run *run);

/* Local. The distances for results, once they are final. */
halo_paths_map paths_map(const app_run *run);

/* Local. The number of targets [count] that no path leads to, and in *first the first of them. */
int64_t paths_count_lost(const double *distances, int64_t count, int64_t *first);

/* Local. What a summary lists of targets: each an object that `name` makes and its distance; null
 * if there are too many. `distances` is [count], or NULL: none is known yet. */
json_t *paths_list_targets(const double *distances, int64_t count,
                           json_t *(*name)(const void *context, int64_t i), const void *context);

/* Local. Cells of row `row` of the strip, a global number. */
halo_paths_cell *paths_row(const app_run *run, int64_t row);

/* Local, once sources are known. Was the checkpoint, if one is restored, made with the same
 * arguments? HALO_ARGUMENT. */
halo_status paths_check_restored(const app_run *run);

/* Is the input with this name a graph, and not a raster? */
bool paths_is_graph(const char *name);

extern const app_syntax paths_syntax;
extern const app_state paths_state;
extern const app_output paths_outputs[];

/* ---- graphs ---------------------------------------------------------------------------------- */

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
    int32_t *numbers;         /* rank 0, while they are written: nearest sources of all vertices */
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
