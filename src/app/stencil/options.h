#ifndef HALOBEAT_APP_STENCIL_OPTIONS_H
#define HALOBEAT_APP_STENCIL_OPTIONS_H

#include "app/checkpoint_options.h"
#include "app/decomposition_options.h"
#include "core/beat/kernel.h"

/* What a user asked of a kernel, by `halobeat run` or a program of its own. Strings belong to argv.
 */

#define RUN_OUTPUT_LIST(X) \
    X(NPY, ".npy")         \
    X(PNG, ".png")

typedef enum {
#define RUN_OUTPUT_ENUM(code, ending) RUN_OUTPUT_##code,
    RUN_OUTPUT_LIST(RUN_OUTPUT_ENUM)
#undef RUN_OUTPUT_ENUM
} run_output_kind;

/* Who is asked: a program of one kernel, or `halobeat run`. */
typedef struct {
    const char *name;          /* as its user calls it, on one line with its arguments */
    const halo_kernel *kernel; /* or NULL: the first argument names one */
    const char *kernels;       /* lines of help about those that have names, or NULL */
} run_program;

typedef struct {
    const run_program *program;
    const char *kernel;      /* a built-in's name or a shared object's; NULL in programs of one */
    int axes;                /* of `size`; 0 if none was asked for */
    int64_t size[HALO_AXES]; /* cells */
    const char *periodic;    /* or NULL */
    const char *options;     /* the kernel's own, or NULL */
    const char *input;       /* or NULL */
    int64_t beats;           /* 0: none were asked for */
    bool until_still;
    const char *output; /* or NULL */
    run_output_kind output_kind;
    int64_t field;                    /* that output and movie show */
    int64_t plane;                    /* that pictures show; -1: the middle one */
    const char *movie;                /* or NULL */
    int64_t every, frames_per_second; /* 0: none was asked for */
    saving_arguments saving;
    cutting_arguments cutting; /* halo_depth 0: as many beats as serve most kernels well */
    common_arguments common;
} run_arguments;

/* Local, the same on all ranks for the same argv; only with `speaks` are help and complaints
 * printed. */
arguments_verdict run_arguments_parse(int argc, char **argv, const run_program *program,
                                      bool speaks, run_arguments *arguments);

#endif
