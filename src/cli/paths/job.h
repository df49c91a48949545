#ifndef HALOBEAT_CLI_PATHS_JOB_H
#define HALOBEAT_CLI_PATHS_JOB_H

#include "app/outputs.h"
#include "app/report/facts.h"
#include "app/run.h"
#include "app/services/checkpoint.h"
#include "core/field/field.h"
#include "io/dimacs/dimacs.h"
#include "io/places/places.h"
#include "kernels/graph/graph_search.h"
#include "kernels/paths/paths.h"
#include "kernels/paths/paths_back.h"
#include "kernels/paths/paths_costs.h"
#include "partition/cuts.h"

/* Sides of a cell, as they were given: along planes, rows and columns. */
typedef struct {
    double along[HALO_AXES];
    int count; /* of numbers: 1, for all; 0: none */
} paths_cell_size;

typedef struct {
    app_arguments all;
    halo_places from, to;
    halo_paths_barriers barriers; /* without `missing` */
    paths_cell_size cell_size;
    halo_paths_options kernel;                     /* max_distance, quota; also of graphs */
    const char *neighbours, *method;               /* "8" is 26 of a volume */
    const char *output, *nearest, *path, *overlay; /* or NULL */
} paths_options;

/* Sources and targets, the same on all ranks: each is a row and a column, or of a graph a vertex,
 * from 0 on. Jobs of rasters and of graphs begin with them. */
typedef struct {
    int axes;                   /* 2; of a graph 1. Rows of a volume are numbered through */
    int64_t plane_rows;         /* all planes, which have so many; 0: it is none */
    int64_t *sources, *targets; /* [source_count][axes], [target_count][axes] */
    int64_t source_count;       /* none of a picture's */
    int64_t target_count;
    double *distances; /* [target_count] of targets; infinite: unreachable; NULL: none is known */
} paths_ends;

typedef struct {
    paths_ends ends;
    halo_paths_volume volume;
    halo_kernel kernel;
    halo_partition strips; /* of rows or planes, as files are read and written */
    int64_t *row_cuts;     /* the same of rows, numbered through all planes */
    halo_field *cells;     /* of the strips, while they are filled in and read */
    bool collected;        /* cells are a copy of those that are computed on */
    bool settled;          /* distances are final */
    halo_paths_barriers barriers;
    halo_paths_cost_range range; /* of all cells */
    uint64_t search;             /* hash of what a checkpoint must agree with */
    int64_t reached;             /* cells */
    double farthest;             /* of the distances */
    halo_paths_counts done;      /* by all ranks; queue_bytes: the largest */
    bool has_pooled;             /* a pool of Moore's algorithm has searched, */
    halo_search_counts pooled;   /* and done this */
    halo_paths_trail *trail;     /* on every rank once paths are traced; else NULL */
    halo_field *numbers;         /* of nearest sources, of the strips */
} paths_job;

/* Local. HALO_ARGUMENT: the text of --from or --to is no place. */
halo_status paths_refuse_place(const char *option, const char *text);

/* Collective. Reads the places that were asked for, of run->domain. Those of pictures of sources
 * are left out. As halo_places_read. */
halo_status paths_ends_open(app_run *run);

/* Collective. HALO_FORMAT, with the first of them, if no path leads to some targets. */
halo_status paths_ends_verdict(app_run *run);

/* Local. The targets for a summary, each with its distance; null if there are too many. */
json_t *paths_ends_json(const paths_ends *ends);

/* Local. Frees them. */
void paths_ends_free(paths_ends *ends);

/* Local, pure. Places of a raster: a row and a column. */
static inline const halo_paths_place *paths_places_of(const int64_t *places)
{
    _Static_assert(sizeof(halo_paths_place) == 2 * sizeof(int64_t) &&
                       offsetof(halo_paths_place, row) == 0,
                   "places go as they are");
    return (const void *)places;
}

/* Local, pure. True of a file of results that is neither an array nor a picture, which only graphs
 * have; not for NULL. */
bool paths_is_text(const char *path);

/* True if these places are pixels of an image: its file is no table, and not standard input. */
bool paths_is_mask(const halo_places *places);

/* Called for a source: its cell and its number, from 1 on. */
typedef void paths_source_take(void *context, int64_t row, int64_t column, int64_t number);

/* Collective. `take` is called on every rank for the sources in its strip. HALO_ARGUMENT,
 * HALO_FILE, HALO_FORMAT, HALO_MEMORY. */
halo_status paths_visit_sources(app_run *run, paths_source_take *take, void *context);

/* Methods: name, and what follows from it. */
#define PATHS_METHOD_LIST(X)               \
    X(async, PATHS_QUEUES | PATHS_DETECTS) \
    X(settle, PATHS_ROUNDS)                \
    X(bucket, PATHS_ALONE)                 \
    X(central, PATHS_POOL)                 \
    X(decentral, PATHS_POOL | PATHS_DETECTS)

enum {
    PATHS_QUEUES = 1,  /* each rank has a queue, and sends changes at once */
    PATHS_DETECTS = 2, /* a detector finds the end */
    PATHS_ROUNDS = 4,  /* halos are exchanged in rounds, which graphs have not */
    PATHS_ALONE = 8,   /* one rank does it */
    PATHS_POOL = 16    /* a pool of cells or vertices */
};

/* Local. How the image is read. */
void paths_use_image(const app_run *run, app_image_options *use);

/* Collective. Takes the options of a raster, whose axes are known. HALO_ARGUMENT for those that do
 * not suit them. */
halo_status paths_open(app_run *run);

/* Collective. The distances before a search: 0 of sources. HALO_ARGUMENT for one on a barrier, and
 * if there is none. */
halo_status paths_fill_sources(app_run *run);

/* Local, pure. The traits of the method of this name; 0 for NULL and other names. */
unsigned paths_method_traits(const char *name);

/* Local. Has the run's method the trait? */
bool paths_has_trait(const app_run *run, unsigned trait);

/* Local. The method by its name: what was asked for, or the default. */
const char *paths_method_of(const app_run *run);

/* Collective. Brings the cells from where they are computed on into job->cells, a new field; only
 * if they lie elsewhere. Local: frees it. */
halo_status paths_collect(app_run *run);
void paths_release(app_run *run);

/* Local. The picture under the paths, run->samples, if one is drawn and not read once more in its
 * colours: its memory; a copy of samples of 8 or 16 bits, which lie where cells will be; or greys
 * of other costs, of which the smallest is black, as barriers are. */
halo_status paths_create_picture(app_run *run);
void paths_keep_samples(const app_run *run);
void paths_draw_costs(const app_run *run);

/* Local. The distances for results, once they are final. */
halo_paths_map paths_map(const app_run *run);

/* Local. Cells of row `row` of the strip, a global number, through all planes. */
halo_paths_cell *paths_row(const app_run *run, int64_t row);

/* Local, pure. Writes a place as users give it, the column first: "X,Y", "X,Y,Z", or of a graph the
 * vertex. */
enum { PATHS_PLACE_TEXT = 80 };
void paths_print_place(const paths_ends *ends, const int64_t *place, char text[PATHS_PLACE_TEXT]);

/* Local, pure. The cells of the raster. */
int64_t paths_cells(const app_run *run);

/* Local, once sources are known. Was the checkpoint, if one is restored, made with the same
 * arguments? HALO_ARGUMENT. */
halo_status paths_check_restored(const app_run *run);

extern const app_syntax paths_syntax;
extern const app_state paths_state;
extern const app_output paths_outputs[];
extern const app_line paths_lines[];
json_t *paths_facts(app_run *run, json_t *texts);
extern const app_command paths_raster_command;

/* ---- graphs ---------------------------------------------------------------------------------- */

/* `halobeat paths roads.gr`. Vertices are numbered from 0 on here, and from 1 on for users. */
typedef struct {
    paths_ends ends;
    halo_dimacs *file;   /* on rank 0, while it is read */
    halo_digraph *whole; /* on rank 0; else NULL */
    halo_digraph *graph; /* of this rank, to search in */
    int64_t vertices, arcs;
    int64_t *cuts;      /* [ranks + 1] */
    double *own;        /* distances of this rank's vertices */
    int32_t *numbers;   /* rank 0, while they are written: nearest sources of all vertices */
    double *distances;  /* of all, on rank 0, where they may be `own`; else NULL */
    const char *method; /* by name */
    halo_search_places places;
    halo_search_counts counts;
    double seconds;  /* of the search, on this rank */
    int64_t reached; /* rank 0 */
    double farthest; /* rank 0 */
} graph_job;

extern const app_command paths_graph_command;

#endif
