#ifndef HALOBEAT_APP_KEPT_H
#define HALOBEAT_APP_KEPT_H

#include "app/options.h"

/* What a checkpoint keeps besides options, as tables of rows like theirs. Anybody can write a file
 * with a right checksum: every value is held against its row, type and limits, before anything uses
 * it. All local, and the same on all ranks. */
typedef struct {
    app_option row; /* name, the key in the file; type APP_INTEGER, APP_REAL, APP_FLAG, APP_TEXT or
                     * APP_CHOICE; limits; choices */
    int min, max;   /* values of a list; both 0: one value, and no list */
    bool null;      /* it may be null */
} app_kept;

/* More cells than any image has, for numbers of them. */
#define APP_KEPT_CELLS 4611686018427387904.0

/* Are all rows, [1 + ...], the last without a name, in `object` with values that they take? The
 * first that is not is named, as that of the checkpoint `path`: HALO_FORMAT. `rows` may be NULL. */
halo_status app_kept_check(const app_kept *rows, const json_t *object, const char *path);

/* The same of options that checkpoints keep. */
halo_status app_kept_check_options(const app_syntax *syntax, const json_t *object,
                                   const char *path);

/* Does the row take this value of a checkpoint? */
bool app_kept_takes(const app_kept *kept, const json_t *value);

/* The key of an option in JSON and checkpoints. */
const char *app_option_key(const app_option *row);

#endif
