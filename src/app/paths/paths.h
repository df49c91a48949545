#ifndef HALOBEAT_APP_PATHS_PATHS_H
#define HALOBEAT_APP_PATHS_PATHS_H

#include "core/world/world.h"

#include <stdbool.h>
#include <stdint.h>

/* The files of a run, which are compared before any work is done, so that no file overwrites
 * another one of the run. The frame adds those that options name; a command adds others. */
typedef struct app_files app_files;
typedef struct app_run app_run;

typedef enum {
    APP_READ,
    APP_NAMED,      /* a plain file, whose name is handed to other programs, which may read it */
    APP_STATE_READ, /* that the run goes on from; the one of APP_STATE_WRITTEN may replace it */
    APP_WRITTEN,    /* this and the following are written */
    APP_BESIDE,     /* one of several files in the folder of another one that is written */
    APP_STATE_WRITTEN,
    APP_LOG,  /* opened directly, not by halo_file_create */
    APP_PLAIN /* the same, with its folder, when the run has begun */
} app_file_use;

/* The file that an option names. */
typedef struct app_option_file {
    const char *path; /* as it was given: it may be a pattern of names; NULL: there is none */
    app_file_use use;
    bool unchecked;    /* it is not compared with others: a service adds those that it stands for
                        * itself, or there is no file of this name */
    const char *store; /* each host has a part of it in this folder; NULL: it is one file */
    bool lost;         /* it could not be written */
} app_option_file;

/* Local. Adds a file; the name is copied. NULL: none. HALO_MEMORY. */
halo_status app_files_add(app_files *files, app_file_use use, const char *path);

/* Local. Adds the file that the shell has opened as standard output, if it is one, for what is
 * printed; not if data go there, or an option names it. HALO_MEMORY. */
halo_status app_files_add_printed(app_files *files);

/* Local. Adds all files "FOLDER/PREFIX" NUMBER "SUFFIX", which are written, so that no other file
 * may have such a name. FOLDER need not exist; NULL: none. HALO_MEMORY. */
halo_status app_files_add_numbered(app_files *files, const char *folder, const char *prefix,
                                   const char *suffix);

/* Local. As app_files_add_numbered for a name with a number pattern (base/filename_pattern.h) in an
 * existing folder; a name without one is a single file that is written. HALO_ARGUMENT for a pattern
 * in the name of a folder; HALO_MEMORY. */
halo_status app_files_add_pattern(app_files *files, const char *path);

/* Local. The name, as it was given, of the next file in the list that is used so, at *at or behind
 * it; NULL after the last. Begin with 0. */
const char *app_files_next(const app_files *files, app_file_use use, int64_t *at);

/* On rank 0. For a command that learns late which files there are: compares those that `add` adds
 * with each other and with those that options name. HALO_ARGUMENT, with both names,
 * HALO_MEMORY. */
halo_status app_files_check_also(app_run *run, halo_status (*add)(void *context, app_files *files),
                                 void *context);

/* Collective. Rank 0 creates the folder `path` if it does not exist. HALO_FILE, with the system's
 * reason, if it cannot be created, is not a folder, or cannot be written. */
halo_status paths_make_folder(halo_world *world, const char *path);

#endif
