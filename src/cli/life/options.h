#ifndef HALOBEAT_CLI_LIFE_OPTIONS_H
#define HALOBEAT_CLI_LIFE_OPTIONS_H

#include "app/decomposition_options.h"
#include "io/canvas/picture.h"
#include "kernels/life/life_topology.h"

/* What a user asked `halobeat life` to do. Strings belong to argv. */

#define LIFE_OUTPUT_LIST(X) \
    X(RLE, ".rle")          \
    X(CELLS, ".cells")      \
    X(PNG, ".png")          \
    X(NPY, ".npy")

typedef enum {
#define LIFE_OUTPUT_ENUM(code, ending) LIFE_OUTPUT_##code,
    LIFE_OUTPUT_LIST(LIFE_OUTPUT_ENUM)
#undef LIFE_OUTPUT_ENUM
} life_output;

/* soup:WxH:DENSITY[:SEED] */
typedef struct {
    int64_t n[HALO_LIFE_AXES];
    double density;
    uint64_t seed;
} life_soup;

typedef struct {
    /* What it begins with; paths or NULL. */
    const char *pattern;
    bool is_soup;
    life_soup soup;
    const char *restore;
    /* The grid. */
    const char *rule; /* or NULL */
    bool has_topology;
    halo_life_topology topology;
    int64_t size[HALO_LIFE_AXES]; /* 0 if none was asked for */
    bool at;
    int64_t to[HALO_LIFE_AXES];
    /* How far it goes. */
    int64_t generations;
    bool stop_when_still;
    int64_t period; /* 0: none */
    /* What comes of it; paths or NULL. */
    const char *output;
    life_output output_kind;
    const char *population;
    int64_t every; /* 0: none was asked for */
    const char *frames, *movie;
    int scale; /* 0: none was asked for */
    halo_picture_style style;
    bool has_style;
    bool has_view;
    halo_picture_window view; /* with has_view */
    bool view_all;
    int64_t frames_per_second; /* 0: none was asked for */
    bool watch;
    const char *checkpoint;
    int64_t checkpoint_every;  /* 0: only at the end */
    cutting_arguments cutting; /* its decomposition, exchange and halo_depth */
    common_arguments common;
} life_arguments;

/* Local, the same on all ranks for the same argv; only with `speaks` are help and complaints
 * printed. */
arguments_verdict life_arguments_parse(int argc, char **argv, bool speaks,
                                       life_arguments *arguments);

#endif
