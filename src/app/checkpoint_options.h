#ifndef HALOBEAT_APP_CHECKPOINT_OPTIONS_H
#define HALOBEAT_APP_CHECKPOINT_OPTIONS_H

#include "app/arguments.h"
#include "app/schedule.h"

/* Checkpoints as users ask for them. Each command that has them describes these options in its own
 * table. All of it is local, and the same on all ranks for the same argv. */

/* Strings belong to argv; NULL: not asked for. */
typedef struct {
    const char *checkpoint, *restore;
    int64_t every; /* beats; 0: only at the end */
} saving_arguments;

/* Keys of the options for their tables: --checkpoint, --checkpoint-every, --restore. */
enum { SAVING_CHECKPOINT = 576, SAVING_EVERY, SAVING_RESTORE };

/* Store the value of an option with one of these keys, or complain about it; ARGP_ERR_UNKNOWN for
 * any other key. */
error_t saving_parse(const arguments_parse *parse, int key, const char *text,
                     saving_arguments *into);

/* Once all is parsed: complain of what says nothing by itself, or return 0. */
error_t saving_check(const arguments_parse *parse, const saving_arguments *arguments);

/* When checkpoints are due. */
schedule_event saving_event(const saving_arguments *arguments);

#endif
