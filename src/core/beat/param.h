#ifndef HALOBEAT_CORE_BEAT_PARAM_H
#define HALOBEAT_CORE_BEAT_PARAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A kernel's own options. A row says where a value stands in the kernel's structure of options, and
 * what it may be: programs made by halo_main, and `halobeat run`, make an option of each row, and
 * hand the structure to the kernel's `create`. Programs that run the heartbeat themselves fill it
 * in themselves, and hand it over as halo_beat_options.kernel_options.
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
    HALO_PARAM_TEXT     /* const char *: any text without commas; valid as long as the run */
} halo_param_type;

typedef struct {
    const char *name; /* of the option, without its dashes */
    halo_param_type type;
    size_t offset;        /* of the value in the kernel's structure */
    const char *standard; /* the default, as a user would write it; NULL: 0, or NULL */
    double min, max; /* limits of a number, both included; with `max` not above `min` there is no
                      * upper one: both 0 mean from 0 on */
    const char *choices; /* "a|b|c" */
    const char *value;   /* what the help calls the value; NULL: follows from the type */
    const char *help;
    bool input_type; /* of a choice: which type cells have, by NumPy's names. Unless it is given, it
                      * is that of the samples of --input, where that is one of the choices */
} halo_param;

#endif
