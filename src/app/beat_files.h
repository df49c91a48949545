#ifndef HALOBEAT_APP_BEAT_FILES_H
#define HALOBEAT_APP_BEAT_FILES_H

#include "app/paths/paths.h"

#include <stdint.h>

/* The outputs of a command that are APP_EACH_BEAT: every beat of the run writes a file of its own,
 * as in `motion -o 'flow-%04d.flo'`. Their options are filename_patterns. */
typedef struct {
    int64_t first;    /* number in the name of beat 0's file */
    int64_t inputs;   /* what the run has, for messages: 5 frames */
    const char *name; /* "frames" */
    const char *beat; /* "pair of frames" */
} app_beat_files;

/* Local, once run->last_beat is known. Adds the files of all beats; those of beats before a
 * checkpoint are not written, but no other file may replace them. HALO_ARGUMENT where there is more
 * than one beat, and a name has no place for a number; HALO_MEMORY. */
halo_status app_beat_files_add(const app_run *run, const app_beat_files *of, app_files *files);

/* Local, on rank 0, for --resume. HALO_FILE if a file of a beat before the checkpoint is missing:
 * it would not be written again. */
halo_status app_beat_files_check_earlier(const app_run *run, const app_beat_files *of);

/* Collective. Writes the files of a beat, as app_output_write. */
halo_status app_beat_files_write(app_run *run, const app_beat_files *of, int64_t beat);

#endif
