#ifndef HALOBEAT_APP_BEAT_FILES_H
#define HALOBEAT_APP_BEAT_FILES_H

#include "app/options/values.h"
#include "app/paths/paths.h"
#include "base/filename_pattern.h"

#include <stdint.h>

/* The outputs of a command that are APP_EACH_BEAT: every beat of the run writes a file of its own,
 * as in `motion -o 'flow-%04d.flo'`. Their options are filename_patterns. */
typedef struct {
    int64_t first;    /* number in the name of beat 0's file */
    int64_t inputs;   /* what the run has, for messages: 5 frames */
    const char *name; /* "frames" */
    const char *beat; /* "pair of frames" */
} app_beat_files;

/* Local, once run->last_beat is known. Adds the files of all beats; those of beats before
 * run->first_beat are not written, but no other file may replace them. HALO_ARGUMENT where there is
 * more than one beat, and a name has no place for a number; HALO_MEMORY. */
halo_status app_beat_files_add(const app_run *run, const app_beat_files *of, app_files *files);

/* Local, on rank 0. Are the files of beats before run->first_beat there? If not, `path` becomes the
 * name of one that is missing, and `option` what asks for it, as users write it. */
bool app_beat_files_are_there(const app_run *run, const app_beat_files *of,
                              char path[FILENAME_SIZE], char option[APP_OPTION_NAME]);

/* Collective. Writes the files of a beat, as app_output_write. */
halo_status app_beat_files_write(app_run *run, const app_beat_files *of, int64_t beat);

#endif
