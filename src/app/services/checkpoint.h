#ifndef HALOBEAT_APP_SERVICES_CHECKPOINT_H
#define HALOBEAT_APP_SERVICES_CHECKPOINT_H

#include "app/beat_files.h"
#include "app/options/kept.h"
#include "app/schedule.h"
#include "app/services/service.h"
#include "core/file/checkpoint.h"

/* Checkpoints of a run: what a command saves, and when that is written. */

/* The service; a command with it tells its app_state. */
extern const app_service app_checkpoint_service;

/* Its options. Strings belong to argv or, if restored, to the checkpoint. */
typedef struct {
    const char *checkpoint, *restore;
    const char *store; /* folder of local stores; NULL: one file that all ranks write */
    int64_t every;     /* beats; 0: only at the end */
    bool resume;
    int64_t until_beat;
} checkpoint_arguments;

extern const halo_option app_checkpoint_rows[];

/* Local. The options of a run's checkpoints. */
const checkpoint_arguments *app_checkpoint_arguments(const app_run *run);

/* Local. Does this run go on from a checkpoint (--restore, or --resume and there is one)? */
bool app_restores(const app_run *run);

/* Local. Does it by --resume? */
bool app_resumes(const app_run *run);

/* Local. The entries of that checkpoint, an object; NULL if there is none. */
const json_t *app_restored(const app_run *run);

/* Local, on rank 0, for --resume. HALO_FILE if the file of a beat before the checkpoint is missing:
 * it would not be written again. */
halo_status app_checkpoint_check_files(const app_run *run, const app_beat_files *of);

/* The rows of a checkpoint, and who has which of them. */
typedef struct {
    int64_t rows;
    size_t row_bytes;
    const int64_t *cuts;        /* [ranks + 1]: which rows each rank has */
    halo_rows_fill *fill;       /* copies rows of this rank out */
    halo_checkpoint_take *take; /* copies rows of this rank in */
    void *context;              /* of both */
} app_layout;

/* A command's description of what a checkpoint has beside the options whose rows are APP_SAVED. */
typedef struct {
    /* Local. The beats that the state comes after. NULL: app_beats_done. A command that does not
     * beat counts something else, and sets run->last_beat in its `open`. */
    int64_t (*beat)(const app_run *run);
    /* Local. Its name in the file; NULL: that of the command. */
    const char *(*name)(const app_run *run);
    const char *image;   /* the key of the image's size and digest; NULL: it is of no image */
    const char *options; /* the key of an object with the options; NULL: they are beside the rest */
    /* Entries beside options; ended by one without a name; or NULL. Members are those of the job:
     * the frame sets them before `check`, and saves them after `store`. */
    const app_kept *kept;
    /* The frame checks the rows of the file. There is one for each row of the image, of a volume
     * through all planes, with `pixel_bits` bits for each pixel, or the number that the option
     * called `rows` has. 0, NULL: no check. */
    int pixel_bits;
    const char *rows;

    /* Local. Take the entries that `keep` left, from `saved`; do they and the numbers of rows and
     * bytes fit each other? Each entry and each option has been held against its row. Options have
     * their saved values only afterwards. NULL: they fit. */
    bool (*check)(app_run *run, const halo_checkpoint *info, const json_t *saved);

    /* Local. Add entries that are no members to `saved`; false for want of memory. NULL: there are
     * none. */
    bool (*keep)(app_run *run, json_t *saved);

    /* The rows are one of three kinds. Records have this size, the same on all ranks: `count`,
     * local, is the number to save; if it is 0, there is nothing to save yet, and no file is made.
     */
    size_t record_bytes;
    int64_t (*count)(const app_run *run);

    /* Lines (app/stencil/lines.h) of this number of fields of run->beat, from the first on. Local.
     */
    int (*fields)(const app_run *run);

    /* Rows that this function describes, before they are written or (`reads`) read; then `release`,
     * local, is called in any case. */
    halo_status (*layout)(app_run *run, app_layout *rows, bool reads);
    void (*release)(app_run *run);

    /* Called before the rows are written, to compute the state that they hold. `records` [count]
     * are to be filled in; NULL for other rows. */
    halo_status (*store)(app_run *run, void *records);
    /* Once they are read. `records` [count] are of every rank. */
    halo_status (*recall)(app_run *run, const void *records, int64_t count);
} app_state;

/* Checkpoints as an app_event, for commands that have events of their own: `when` is local, `visit`
 * collective. */
schedule_event app_checkpoint_when(const app_run *run);
halo_status app_checkpoint_visit(app_run *run);

/* Collective. Save the state now, in the file `path`. */
halo_status app_checkpoint_write(app_run *run, const char *path);

#endif
