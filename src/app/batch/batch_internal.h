#ifndef HALOBEAT_APP_BATCH_BATCH_INTERNAL_H
#define HALOBEAT_APP_BATCH_BATCH_INTERNAL_H

#include "app/batch/batch.h"
#include "app/batch/names.h"
#include "app/batch/result.h"
#include "app/paths/paths.h"
#include "app/run.h"
#include "io/table/table.h"

#include <stdatomic.h>

/* Internals of this folder. */

/* The result of an image on rank 0, as text, since the JSON objects need ten times the memory. */
typedef struct {
    char *facts;    /* JSON on one line; NULL before it has arrived */
    char *rows;     /* rows of tables that all images share, each table behind its size; or NULL */
    char *error;    /* message of its failure, or NULL */
    int64_t number; /* of a folder that is watched: by which its outputs are named */
} batch_result;

/* Images of a journal that are done again, for one reason. */
typedef struct {
    int64_t count;
    const char *first;
} batch_redone;

typedef struct app_batch {
    app_run *run;       /* the whole run */
    char *text;         /* names of the images, each followed by a 0 byte */
    const char **image; /* [count], pointers into text */
    int64_t count;

    halo_world *group;   /* world of the ranks that compute an image together with this rank;
                          * possibly alone */
    halo_world *leaders; /* world of the first ranks of all groups; NULL on other ranks.
                          * run->world if groups have one rank */
    int64_t largest;     /* maximum bytes that an image of this rank took, and bytes that there
                          * were */
    atomic_bool stopped; /* by a signal */
    bool watched;        /* images arrive in a folder: each name is allocated by itself, and NULL
                          * while the number is free */
    bool watching;       /* it has begun: what is added to files are those of an image that came */
    int64_t room[2];     /* of `image` and `results`, if so */

    /* Rank 0: */
    batch_result *results; /* [count] */
    int64_t failed;
    batch_redone changed, lost; /* since their files have changed; since outputs are gone */
} app_batch;

/* The state of the service. */
typedef struct {
    app_batch *all;    /* of the whole run and of the run of each image; or NULL */
    halo_buffer *rows; /* of one image: its rows of shared tables, each behind its size */
} batch_state;

/* ---- inputs.c -------------------------------------------------------------------------------- */

/* Collective. Sets the names of all images; rank 0 expands patterns. HALO_ARGUMENT for one that
 * matches nothing; HALO_MEMORY. */
halo_status batch_find_images(app_batch *batch);

/* ---- outputs.c ------------------------------------------------------------------------------- */

/* Local, the same on all ranks. HALO_ARGUMENT if an option is not possible with many images. */
halo_status batch_check(const app_batch *batch);

/* Local. Says of the image's name, and of outputs, which are patterns of names, that they are none
 * to be compared. */
void batch_take_file(const app_run *run, const app_place *at, app_option_file *file);

/* Local, the same on all ranks. Adds the files of all images. HALO_ARGUMENT, HALO_MEMORY. */
halo_status batch_add_files(app_batch *batch, app_files *files);

/* On rank 0. Creates missing folders of outputs. HALO_FILE. */
halo_status batch_make_folders(app_batch *batch);

/* On rank 0. The same for the one of an output. */
halo_status batch_prepare_folder(const char *path);

/* Local. True if the output is a table that all images share. */
bool batch_joins(const app_run *run, const app_output *output);

/* Local. The number of such tables. */
int batch_count_tables(const app_run *run);

/* Local. Appends a CSV value, in quotes if necessary. */
halo_status batch_append_quoted(halo_buffer *out, const char *text);

/* ---- joined.c -------------------------------------------------------------------------------- */

/* Collective, in the run of an image, as app_writing.table. Keeps the rows of a table that all
 * images share; writes another one to its file. */
halo_status batch_take_table(app_run *run, const char *path, const halo_table *table);

/* Collective. Writes the tables that all images share. */
halo_status batch_write_tables(app_batch *batch);

/* ---- image.c --------------------------------------------------------------------------------- */

/* The result of an image, before it is sent. Zero-initialise it. */
typedef struct {
    json_t *facts; /* its report, on the group's first rank; NULL if no report of images is read */
    halo_buffer rows; /* of tables that all images share, there */
    batch_origin origin;
} batch_computed;

/* Collective in batch->group. Computes and writes an image. Call batch_computed_free in any case.
 */
halo_status batch_run_image(app_batch *batch, int64_t number, batch_computed *computed);
void batch_computed_free(batch_computed *computed);

/* ---- resume.c -------------------------------------------------------------------------------- */

/* Local. Options with which the files of the images are found. */
halo_image_options batch_image_options(const app_batch *batch);

/* Local, on rank 0; as app_journal_job.check. An image of the journal is done again if its files
 * have changed or are gone, or if one of its outputs is gone. HALO_FORMAT if it has no result. */
halo_status batch_check_done(void *batch, int64_t number, const void *data, size_t bytes,
                             bool *done);

/* Local, before files of images are added. If there is a journal, rank 0 notes what it belongs to:
 * names and contents of the files that options name for all images. */
void batch_note_inputs(const app_batch *batch, const app_files *files);

/* Local, on rank 0. Warns of images that are done again. */
void batch_warn_redone(const app_batch *batch);

/* ---- groups.c -------------------------------------------------------------------------------- */

/* Collective. Creates the worlds; runs images, all of them or those of `numbers` [count],
 * ascending. Call batch_end_groups, which is collective, in any case. */
halo_status batch_begin_groups(app_batch *batch);
halo_status batch_run_images(app_batch *batch, const int64_t *numbers, int64_t count);
void batch_end_groups(app_batch *batch);

/* Local, on rank 0, as functions of tasks: take the result, or the failure, of an image. */
halo_status batch_collect(void *batch, int64_t number, const void *data, size_t bytes);
void batch_take_failure(void *batch, int64_t number, const char *message);

/* ---- watched_check.c, watched.c
 * ------------------------------------------------------------------------------- */

/* Local. HALO_ARGUMENT for options that are not possible with a folder that is watched, and, while
 * there is a stand-in for its images, for the name of an output; HALO_FILE on rank 0 if there is no
 * such folder. */
halo_status batch_check_watching(const app_run *run);
halo_status batch_check_watched_output(const app_batch *batch, const app_output *output);

/* Local. Sets a name that images of the folder could have as the only one; forgets all names. */
halo_status batch_set_stand_in(app_batch *batch);
void batch_forget_images(app_batch *batch);

/* Local. True if an output has a folder for each image. */
bool batch_has_own_folders(const char *pattern);

/* Collective. Runs images that arrive in the folder, until a signal comes. If the folder goes away,
 * the run ends as well, with what it has, and fails. */
halo_status batch_watch_folder(app_batch *batch);

/* ---- sheet.c --------------------------------------------------------------------------------- */

/* Local, the same on all ranks. HALO_ARGUMENT if a contact sheet has nothing to show. */
halo_status batch_check_sheet(const app_batch *batch);

/* Collective. Writes the contact sheet, if one is asked for. HALO_FILE, HALO_MEMORY. */
halo_status batch_write_sheet(app_batch *batch);

/* ---- report.c -------------------------------------------------------------------------------- */

/* Local, the same on all ranks. True if a file, a table or the summary has something of each image.
 * To report an image takes a tenth of the time of a small one. */
bool batch_reports_images(const app_batch *batch);

/* Collective. Writes JSON, timeline and summary. */
halo_status batch_report(app_batch *batch);

#endif
