#ifndef HALOBEAT_APP_BATCH_BATCH_INTERNAL_H
#define HALOBEAT_APP_BATCH_BATCH_INTERNAL_H

#include "app/batch/batch.h"
#include "app/batch/names.h"
#include "app/frame_internal.h"

#include <stdatomic.h>

/* What the files of this folder share. */

/* What rank 0 knows of an image: text, since the objects that it stands for take ten times as much.
 */
typedef struct {
    char *facts; /* JSON, of one line; NULL until it has come */
    char *rows;  /* [rows_size] of tables that all images share, one after the other; or NULL */
    size_t rows_size;
    char *error; /* why it failed, or NULL */
} batch_result;

typedef struct app_batch {
    app_run *run;       /* of all of it */
    char *text;         /* names of the images, one after the other, each with its 0 byte */
    const char **image; /* [count], in text */
    int64_t count;

    halo_world *group;   /* in which this rank computes images: alone, or with others */
    halo_world *leaders; /* of the first ranks of all groups; NULL on others. run->world where a
                          * group has one rank */
    int64_t largest;     /* bytes that images of this rank took at most, and there were */
    atomic_bool stopped; /* by a signal */

    /* Rank 0: */
    batch_result *results; /* [count] */
    int64_t failed;
} app_batch;

/* ---- inputs.c -------------------------------------------------------------------------------- */

/* Collective. Fills in the names of all images: rank 0 looks what patterns match. HALO_ARGUMENT for
 * one that matches nothing; HALO_MEMORY. */
halo_status batch_find_images(app_batch *batch);

/* ---- outputs.c ------------------------------------------------------------------------------- */

/* Local, the same on all ranks. Can all that was asked for be done with many images?
 * HALO_ARGUMENT. */
halo_status batch_check(const app_batch *batch);

/* Local. Does the row name an output of the command's table? */
bool batch_writes(const app_run *run, const app_option *row);

/* Local, the same on all ranks. Adds the files of all images; rank 0 makes folders for outputs
 * where there are none. HALO_ARGUMENT, HALO_FILE, HALO_MEMORY. */
halo_status batch_add_files(app_batch *batch, struct app_files *files);

/* Local. Is the output a table that all images share? */
bool batch_joins(const app_run *run, const app_output *output);

/* Local. Appends a value of a CSV table, in quotes where it needs them. */
halo_status batch_append_quoted(halo_buffer *out, const char *text);

/* Collective. Writes the tables that all images share. */
halo_status batch_write_tables(app_batch *batch);

/* ---- image.c --------------------------------------------------------------------------------- */

/* Collective in batch->group. Computes and writes an image. On its first rank *facts becomes what
 * is reported of it, and `rows` gets its rows of tables that all share. */
halo_status batch_run_image(app_batch *batch, int64_t number, json_t **facts, halo_buffer *rows);

/* ---- groups.c -------------------------------------------------------------------------------- */

/* Collective. Makes the worlds; runs all images. batch_end_groups, collective, in any case. */
halo_status batch_begin_groups(app_batch *batch);
halo_status batch_run_images(app_batch *batch);
void batch_end_groups(app_batch *batch);

/* ---- report.c -------------------------------------------------------------------------------- */

/* Collective. What came of it: JSON, timeline, and text. */
halo_status batch_report(app_batch *batch);

#endif
