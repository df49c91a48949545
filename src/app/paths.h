#ifndef HALOBEAT_APP_PATHS_H
#define HALOBEAT_APP_PATHS_H

#include "core/world/world.h"

/* The files of a run, which are compared with each other before any work is done: a file written
 * over another would be lost. The frame adds those that options name; a command adds the others. */
typedef struct app_files app_files;

typedef enum {
    APP_READ,
    APP_RESTORED, /* a checkpoint that is read, which that of APP_CHECKPOINT may replace */
    APP_WRITTEN,  /* from here on: files that are written */
    APP_BESIDE,   /* one of many, in the folder of another that is written */
    APP_CHECKPOINT,
    APP_LOG /* opened as it is, and not as halo_file_create does */
} app_file_use;

/* Local. Add a file, by a name that is copied; NULL is none. HALO_MEMORY. */
halo_status app_files_add(app_files *files, app_file_use use, const char *path);

/* Local. Add all files "FOLDER/PREFIX" NUMBER "SUFFIX", which are written: no other file may have
 * such a name. FOLDER may be one that is not there yet; NULL is none. HALO_MEMORY. */
halo_status app_files_add_numbered(app_files *files, const char *folder, const char *prefix,
                                   const char *suffix);

/* Local. The same of a name with a place for a number (base/filename_pattern.h), in a folder that
 * is there; another name is one file that is written. HALO_ARGUMENT for a place in the name of a
 * folder; HALO_MEMORY. */
halo_status app_files_add_pattern(app_files *files, const char *path);

/* Collective. Rank 0 makes the folder `path` unless it is there. HALO_FILE, with the system's
 * reason, if it cannot be made, is no folder, or cannot be written to. */
halo_status paths_make_folder(halo_world *world, const char *path);

#endif
