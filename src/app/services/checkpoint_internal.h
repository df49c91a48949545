#ifndef HALOBEAT_APP_SERVICES_CHECKPOINT_INTERNAL_H
#define HALOBEAT_APP_SERVICES_CHECKPOINT_INTERNAL_H

#include "app/run.h"
#include "app/services/checkpoint.h"
#include "core/file/checkpoint_store.h"

/* The service of checkpoints in several files: checkpoint_service.c has what the frame calls,
 * checkpoint_options.c the options, checkpoint.c the rows of a file, checkpoint_entries.c the
 * entries beside the rows. */

typedef struct {
    halo_checkpoint_reader *reader;  /* the checkpoint that is restored from, or NULL */
    json_t *saved;                   /* its entries */
    bool resumed;                    /* by --resume */
    halo_checkpoint_store *store;    /* of --checkpoint and --checkpoint-store, or NULL */
    halo_checkpoint_store *restored; /* the store that is restored from; it may be `store` */
    bool written;                    /* has a checkpoint been written? */
    int64_t written_beat;            /* the beat of the last one */
    bool fails;                      /* the last one that was due could not be written */
} checkpoint_state;

static inline checkpoint_state *app_checkpoint_state(const app_run *run)
{
    return app_service_state(run, &app_checkpoint_service);
}

/* Local. Returns the command's description of what it saves. */
static inline const app_state *app_checkpoint_what(const app_run *run)
{
    return app_service_with(run->command, &app_checkpoint_service);
}

/* Local. The name in its files. */
static inline const char *app_checkpoint_name(const app_run *run)
{
    const app_state *what = app_checkpoint_what(run);
    return what->name != NULL ? what->name(run) : run->command->syntax->name;
}

/* Collective. Reads the rows of the checkpoint that the run goes on from. */
halo_status app_checkpoint_restore(app_run *run);

/* Local, once the reader is open. Reads the entries and checks them, and the numbers of rows and
 * bytes, against the command's description; sets run->first_beat and members of the job.
 * HALO_ARGUMENT, HALO_FORMAT. */
halo_status app_checkpoint_take_entries(app_run *run, const char *path);

/* Local. The entries of a new file, as text for free(); NULL for want of memory. */
char *app_checkpoint_entries(app_run *run);

#endif
