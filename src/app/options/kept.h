#ifndef HALOBEAT_APP_OPTIONS_KEPT_H
#define HALOBEAT_APP_OPTIONS_KEPT_H

#include "app/options/options.h"

/* Entries that a checkpoint stores besides options, as tables of rows like those of options. A
 * file with a valid checksum may still be forged: every value is checked against the type and
 * limits of its row before it is used. All functions are local, with the same results on all ranks.
 *
 * An entry may be a member of a structure, as in APP_KEPT_ROW: the frame then saves the member's
 * value and restores it. Other entries are the command's to save and to take. */
typedef struct {
    halo_option row; /* name, the key in the file; type HALO_OPTION_INTEGER, HALO_OPTION_REAL,
                      * HALO_OPTION_FLAG, HALO_OPTION_TEXT or HALO_OPTION_CHOICE; limits; choices;
                      * offset and bytes of the member; no bytes: the entry is no member */
    int min, max;    /* number of values in a list; both 0: a single value */
    bool null;       /* null is allowed, and so is that the key is missing */
} app_kept;

/* The beginning of a row: key, kind and the member of `structure` that has the value. The kinds
 * are INTEGER (int or int64_t), REAL (double), FLAG (bool) and HASH (uint64_t, as text). */
#define APP_KEPT_ROW(structure, key, kind, member)                  \
    .row.name = key, .row.bytes = sizeof(((structure *)0)->member), \
    .row.offset = offsetof(structure, member), APP_KEPT_##kind

#define APP_KEPT_INTEGER .row.type = HALO_OPTION_INTEGER
#define APP_KEPT_REAL    .row.type = HALO_OPTION_REAL
#define APP_KEPT_FLAG    .row.type = HALO_OPTION_FLAG
#define APP_KEPT_HASH                                               \
    .row.type = HALO_OPTION_TEXT, .row.parse = app_kept_parse_hash, \
    .row.takes = "a text of 16 hexadecimal digits"

/* A limit for numbers of cells, larger than any image. */
#define APP_KEPT_CELLS 4611686018427387904.0

/* HALO_FORMAT unless all rows, ended by one without a name, are in `object` with allowed values;
 * the message names the first that is not, and the checkpoint `path`. `rows` may be NULL. */
halo_status app_kept_check(const app_kept *rows, const json_t *object, const char *path);

/* As app_kept_check, for the options that checkpoints store. */
halo_status app_kept_check_options(const app_syntax *syntax, const json_t *object,
                                   const char *path);

/* Adds the rows that are members of the structure `from` to `object`, in their order. False if
 * there is no memory. `rows` may be NULL. */
bool app_kept_save(const app_kept *rows, const void *from, json_t *object);

/* Sets the members of the structure `into` to what `object` has, which app_kept_check has checked.
 * `rows` may be NULL. */
void app_kept_restore(const app_kept *rows, const json_t *object, void *into);

/* Parses a hash of 64 bits as checkpoints have it, 16 hexadecimal digits; `into`, a uint64_t, may
 * be NULL. */
halo_option_parse app_kept_parse_hash;

/* True if this value of a checkpoint is allowed by the row. */
bool app_kept_takes(const app_kept *kept, const json_t *value);

/* The key of an option in JSON and checkpoints. */
const char *app_option_key(const halo_option *row);

#endif
