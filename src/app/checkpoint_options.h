#ifndef HALOBEAT_APP_CHECKPOINT_OPTIONS_H
#define HALOBEAT_APP_CHECKPOINT_OPTIONS_H

#include "app/options.h"
#include "app/schedule.h"

/* Checkpoints as users ask for them. Strings belong to argv; NULL: not asked for. */
typedef struct {
    const char *checkpoint, *restore;
    int64_t every; /* beats; 0: only at the end */
} checkpoint_arguments;

/* --checkpoint, --checkpoint-every, --restore. Their structure is checkpoint_arguments. */
extern const app_option app_checkpoint_rows[];

/* Local. When checkpoints are due. */
schedule_event checkpoint_event(const checkpoint_arguments *arguments);

#endif
