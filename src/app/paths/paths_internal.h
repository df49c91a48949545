#ifndef HALOBEAT_APP_PATHS_PATHS_INTERNAL_H
#define HALOBEAT_APP_PATHS_PATHS_INTERNAL_H

#include "app/paths/paths.h"
#include "app/run.h"

#include <stdbool.h>
#include <sys/types.h>

/* Internals of the files of a run. */

enum { PATH_SIZE = 4096 };

/* Names of planes in a folder given for them (planes.h). */
#define APP_PLANE_PREFIX "z"
#define APP_PLANE_SUFFIX ".png"

/* A file of the run, with its identity, which does not depend on how it is spelled: the file itself
 * if it exists, otherwise its folder and name. */
typedef struct {
    char *path;
    char *given; /* the same with what stands behind it: the part that is read */
    char *of;    /* the file that brings it along, such as the header of these samples; or NULL */
    char *end;   /* where a symbolic link leads, if nothing is there; or NULL */
    app_file_use use;
    bool folder;   /* a folder that is read or written as a whole */
    bool numbered; /* one of a set's files */
    bool known;    /* what follows is */
    bool there;    /* the file exists, */
    bool is_dir;   /* and is a folder */
    bool link;     /* the name is a symbolic link */
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
    int64_t set_count, set_room;
};

/* The name of the file that will be there. */
static inline const char *app_file_name(const app_file *file)
{
    return file->end != NULL ? file->end : file->path;
}

static inline bool app_file_is_written(const app_file *file)
{
    return file->use >= APP_WRITTEN;
}

/* Local. Adds a file or folder that the file `of` (or NULL) brings along. HALO_MEMORY. */
halo_status app_files_add_of(app_files *files, app_file_use use, const char *path, const char *of,
                             bool folder);

/* ---- inputs.c --------------------------------------------------------------------------- */

/* On rank 0. Adds all that readers open besides the files in the list: slices, samples beside
 * headers, folders of chunks, what standard input comes from. Looks only where something that is
 * written could replace them. HALO_MEMORY. */
halo_status app_files_add_inputs(app_files *files, const app_run *run);

/* ---- collisions.c ----------------------------------------------------------------------- */

/* Local. Finds out which files the names are. HALO_FILE for a link to too long a name, HALO_MEMORY.
 */
halo_status app_files_identify(app_files *files);

/* On rank 0. HALO_ARGUMENT, with both names, if one file has two names of which one is written, or
 * if one that is written lies in a folder that is read or written as a whole. HALO_MEMORY. */
halo_status app_files_find_collision(app_files *files);

/* Local. The innermost folder on the way to `path` that exists, in `folder`; returns the rest of
 * the path. */
const char *app_file_around(const char *path, char folder[PATH_SIZE]);

/* Local. HALO_ARGUMENT: the two are one file. */
halo_status app_files_fail_same(const app_file *a, const app_file *b);

/* ---- links.c ---------------------------------------------------------------------------- */

/* Local. Sets *end to where the symbolic link `path` leads, for the caller to free; NULL if it is
 * none. HALO_FILE, HALO_MEMORY. */
halo_status app_file_follow_links(const char *path, char **end);

/* ---- case.c ----------------------------------------------------------------------------- */

/* On rank 0. HALO_ARGUMENT if two of `files` [count] that do not exist yet, of which one is
 * written, have names that differ in case only, in a folder for which these are one. Their order
 * may change. */
halo_status app_files_check_case(app_file **files, int64_t count);

/* ---- sets.c ----------------------------------------------------------------------------- */

/* On rank 0. HALO_ARGUMENT if another file, or a file of another set, has a name that belongs to a
 * set. */
halo_status app_file_sets_check(const app_files *files);

/* On rank 0. Adds a file of each set, for its folder, and those that exist already. HALO_MEMORY. */
halo_status app_file_sets_add_members(app_files *files);

/* On rank 0. HALO_ARGUMENT if one of these is a symbolic link to another one that will be made.
 * Call it when all files are identified. */
halo_status app_file_sets_check_links(const app_files *files);

/* Collective. Checks that the files of the sets can be created. HALO_FILE. */
halo_status app_file_sets_check_folders(halo_world *world, const app_files *files);

void app_file_sets_discard(app_files *files);

#endif
