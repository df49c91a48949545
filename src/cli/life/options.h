#ifndef HALOBEAT_CLI_LIFE_OPTIONS_H
#define HALOBEAT_CLI_LIFE_OPTIONS_H

#include "app/checkpoint_options.h"
#include "app/common_options.h"
#include "app/decomposition_options.h"
#include "app/movie_options.h"
#include "app/until.h"
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

/* A file, or a soup. */
typedef struct {
    const char *text; /* as it was given: the file's name; NULL: it was not */
    bool is_soup;
    life_soup soup;
} life_pattern;

/* What pictures show. */
typedef struct {
    bool all;                   /* the grid, or what is ever alive of a plane */
    halo_picture_window window; /* of no width: none was asked for */
} life_view;

typedef struct {
    life_pattern pattern;
    /* The grid. */
    const char *rule; /* or NULL */
    halo_life_topology topology;
    int64_t size[HALO_LIFE_AXES]; /* 0 if none was asked for */
    int64_t at[HALO_LIFE_AXES];
    /* How far it goes. */
    int64_t beats;
    app_until until;
    /* What comes of it; paths or NULL. */
    const char *output, *population, *frames;
    movie_arguments movie; /* its `every` is also that of the table, the frames and the terminal */
    int scale;             /* 0: none was asked for */
    int style;             /* a halo_picture_style */
    life_view view;
    bool watch;
    saving_arguments saving;
    cutting_arguments cutting; /* its decomposition, exchange and beats_per_exchange */
    common_arguments common;
} life_arguments;

extern const app_syntax life_syntax;

#endif
