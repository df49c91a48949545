#ifndef HALOBEAT_APP_PATHS_INTERNAL_H
#define HALOBEAT_APP_PATHS_INTERNAL_H

#include "app/paths.h"

#include <stdbool.h>
#include <sys/types.h>

/* Internals of the files of a run. */

enum { PATH_SIZE = 4096 };

/* Identity of a file, independent of its spelling: the file itself if it exists, otherwise its
 * folder and name. */
/* Names of planes in a folder given for them (planes.h). */
#define APP_PLANE_PREFIX "z"
#define APP_PLANE_SUFFIX ".png"

typedef struct {
    char *path;
    app_file_use use;
    dev_t device;
    ino_t number;
    const char *name; /* or NULL */
} app_file;

/* Files to be written that differ in a number. */
typedef struct {
    char *folder, *prefix, *suffix;
    bool makes_folder; /* if it does not exist */
} app_file_set;

struct app_files {
    app_file *list; /* [count] */
    int64_t count, room;
    app_file_set *sets; /* [set_count] */
    int64_t set_count;
};

static inline bool app_file_is_written(const app_file *file)
{
    return file->use >= APP_WRITTEN;
}

/* ---- path_sets.c ----------------------------------------------------------------------------- */

/* Collective. HALO_ARGUMENT if another file, or a file of another set, has a name that belongs to a
 * set. */
halo_status app_file_sets_check(halo_world *world, const app_files *files);

/* Collective. Checks that the files of the sets can be created. HALO_FILE. */
halo_status app_file_sets_check_folders(halo_world *world, const app_files *files);

void app_file_sets_discard(app_files *files);

#endif
