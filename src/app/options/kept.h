#ifndef HALOBEAT_APP_OPTIONS_KEPT_H
#define HALOBEAT_APP_OPTIONS_KEPT_H

#include "app/options/options.h"

/* Entries that a checkpoint stores besides options, as tables of rows like those of options. A
 * file with a valid checksum may still be forged: every value is checked against the type and
 * limits of its row before it is used. All functions are local, with the same results on all ranks.
 * */
typedef struct {
    app_option row; /* name, the key in the file; type APP_INTEGER, APP_REAL, APP_FLAG, APP_TEXT
                     * or APP_CHOICE; limits; choices */
    int min, max;   /* number of values in a list; both 0: a single value */
    bool null;      /* null is allowed, and so is that the key is missing */
} app_kept;

/* A limit for numbers of cells, larger than any image. */
#define APP_KEPT_CELLS 4611686018427387904.0

/* HALO_FORMAT unless all rows, ended by one without a name, are in `object` with allowed values;
 * the message names the first that is not, and the checkpoint `path`. `rows` may be NULL. */
halo_status app_kept_check(const app_kept *rows, const json_t *object, const char *path);

/* As app_kept_check, for the options that checkpoints store. */
halo_status app_kept_check_options(const app_syntax *syntax, const json_t *object,
                                   const char *path);

/* True if this value of a checkpoint is allowed by the row. */
bool app_kept_takes(const app_kept *kept, const json_t *value);

/* The key of an option in JSON and checkpoints. */
const char *app_option_key(const app_option *row);

#endif
