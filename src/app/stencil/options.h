#ifndef HALOBEAT_APP_STENCIL_OPTIONS_H
#define HALOBEAT_APP_STENCIL_OPTIONS_H

#include "app/checkpoint_options.h"
#include "app/common_options.h"
#include "app/decomposition_options.h"
#include "app/movie_options.h"
#include "app/until.h"
#include "core/beat/kernel.h"

/* What a user asked of a kernel, by `halobeat run` or a program of its own. Strings belong to argv.
 */

/* Who is asked: a program of one kernel, or `halobeat run`. */
typedef struct {
    const char *name;          /* as its user calls it, on one line with its arguments */
    const halo_kernel *kernel; /* or NULL: the first argument names one; */
    const app_syntax *syntax;  /* then this */
} run_program;

typedef struct {
    int axes;             /* 0: none were asked for */
    int64_t n[HALO_AXES]; /* cells, along the slowest axis first */
} run_size;

typedef struct {
    const char *kernel; /* a built-in's name or a shared object's; NULL in programs of one */
    run_size size;
    const char *periodic; /* or NULL */
    const char *options;  /* the kernel's own, or NULL */
    const char *input;    /* or NULL */
    int64_t beats;
    app_until until;
    const char *output; /* or NULL */
    int64_t field;      /* that output and movie show */
    int64_t plane;      /* that pictures show; -1: the middle one */
    movie_arguments movie;
    saving_arguments saving;
    cutting_arguments cutting; /* beats_per_exchange 0: as many beats as serve most kernels well */
    common_arguments common;
} run_arguments;

/* Local. Is the output a picture? */
bool run_output_is_picture(const run_arguments *arguments);

/* Tables of `halobeat run`, whose first argument names the kernel. */
extern const app_table run_tables[];
app_check run_check;

enum { RUN_DOCUMENTATION = 4096 };

/* Local. What a program of one kernel takes. `text` has space for its documentation, and must
 * outlive the syntax. */
app_syntax run_program_syntax(const run_program *program, char text[RUN_DOCUMENTATION]);

/* Local. Which axes of a domain are periodic by what was asked for. HALO_ARGUMENT for an axis that
 * it does not have. */
halo_status run_set_periodic(const char *text, halo_domain *domain);

#endif
