#ifndef HALOBEAT_CORE_BEAT_PARAM_H
#define HALOBEAT_CORE_BEAT_PARAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A kernel's own options. A row gives the place of a value in the kernel's options structure and
 * its type and range. Programs made by halo_main, and `halobeat run`, make a command-line option of
 * each row and pass the structure to the kernel's `create`. Programs that run the heartbeat
 * themselves fill in the structure and pass it as halo_beat_options.kernel_options.
 *
 *     typedef struct { double kept; int64_t seed; } plate_options;
 *     static const halo_param params[] = {
 *         {.name = "kept", .type = HALO_PARAM_REAL, .offset = offsetof(plate_options, kept),
 *          .standard = "1", .max = 1, .help = "Share of its heat that a cell keeps"},
 *         {0}};
 *
 * and in the kernel's table `.params = params, .params_bytes = sizeof(plate_options)`. */

typedef enum {
    HALO_PARAM_END,     /* ends a table; all zero */
    HALO_PARAM_INTEGER, /* int64_t from `min` to `max` */
    HALO_PARAM_REAL,    /* double from `min` to `max` */
    HALO_PARAM_CHOICE,  /* const char *: one of `choices` */
    HALO_PARAM_TEXT     /* const char *: text without commas; valid as long as the run */
} halo_param_type;

typedef struct {
    const char *name; /* the option's name without its dashes */
    halo_param_type type;
    size_t offset;        /* of the value in the kernel's options structure, bytes */
    const char *standard; /* the default as a user would write it; NULL: 0, or a NULL pointer */
    double min, max;      /* limits of a number, both included. If `max` is not above `min` there is
                           * no upper limit, so that 0 and 0 mean 0 or more */
    const char *choices;  /* "a|b|c" */
    const char *value;    /* the value's name in the help text; NULL: by the type */
    const char *help;
    bool input_type; /* of a choice: it is the type of the cells, by NumPy's names. Its default
                      * is then the type of the samples of --input, if that is one of the choices */
    bool start;      /* describes the initial cells: refused with --input, which provides them */
    const char *edge_hint; /* of an option about the cells at edges that are not periodic: what the
                            * summary says of a run with --input and pictures, but without the
                            * option; or NULL */
} halo_param;

#endif
