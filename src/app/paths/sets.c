#define _POSIX_C_SOURCE 200809L /* strdup, strndup */
#include "app/paths/paths.h"
#include "app/paths/paths_internal.h"
#include "app/paths/planes.h"
#include "base/filename_pattern.h"
#include "base/memory.h"
#include "base/names.h"
#include "core/world/collect.h"
#include "io/array/array_write.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Files that differ in a number. */

/* The three texts become the list's, also after a failure. */
static halo_status add_set(app_files *files, app_file_set set)
{
    halo_status status = halo_grow(&files->sets, &files->set_room, files->set_count,
                                   sizeof *files->sets, "names of files");
    if (status != HALO_OK || set.folder == NULL || set.prefix == NULL || set.suffix == NULL) {
        free(set.folder);
        free(set.prefix);
        free(set.suffix);
        return halo_fail(HALO_MEMORY, "out of memory: names of files");
    }
    files->sets[files->set_count++] = set;
    return HALO_OK;
}

halo_status app_files_add_numbered(app_files *files, const char *folder, const char *prefix,
                                   const char *suffix)
{
    return folder == NULL ? HALO_OK
                          : add_set(files, (app_file_set){.folder = strdup(folder),
                                                          .prefix = strdup(prefix),
                                                          .suffix = strdup(suffix),
                                                          .makes_folder = true});
}

/* `context` is the list. The folder's name has no number. */
static halo_status add_pattern(void *context, const char *path, bool folder_is_file)
{
    filename_pattern pattern;
    (void)folder_is_file;
    HALO_TRY(halo_filename_parse(&pattern, path));
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    HALO_FAIL_IF(path + pattern.before < name, HALO_ARGUMENT,
                 "\"%s\": numbers have their place in the names of files, not in those of folders",
                 path);
    size_t length = slash == path ? 1 : (size_t)(slash - path);
    size_t file = halo_name_file(path), after = (size_t)(pattern.after - path);
    size_t behind = file > after ? file - after : strlen(pattern.after);
    char *folder = slash == NULL ? strdup(".") : strndup(path, length);
    return add_set(context,
                   (app_file_set){.folder = folder,
                                  .prefix = strndup(name, (size_t)(path + pattern.before - name)),
                                  .suffix = strndup(pattern.after, behind)});
}

halo_status app_files_add_pattern(app_files *files, const char *path)
{
    filename_pattern pattern;
    if (app_planes_in_folder(path)) {
        return app_files_add_numbered(files, path, APP_PLANE_PREFIX, APP_PLANE_SUFFIX);
    }
    HALO_TRY(path != NULL ? halo_filename_parse(&pattern, path) : HALO_OK);
    return path == NULL || !pattern.numbered ? app_files_add(files, APP_WRITTEN, path)
                                             : halo_array_files(path, add_pattern, files);
}

void app_file_sets_discard(app_files *files)
{
    for (int64_t i = 0; i < files->set_count; i++) {
        free(files->sets[i].folder);
        free(files->sets[i].prefix);
        free(files->sets[i].suffix);
    }
    free(files->sets);
}

static bool are_one(const char *a, const char *b)
{
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

/* The folder that a path is in, and the path's last name without slashes behind it. */
static void split(const char *path, char around[PATH_SIZE], char name[PATH_SIZE])
{
    int length = (int)strlen(path), begin;
    while (length > 1 && path[length - 1] == '/') {
        length--;
    }
    for (begin = length; begin > 0 && path[begin - 1] != '/';) {
        begin--;
    }
    snprintf(around, PATH_SIZE, "%.*s", begin > 0 ? begin : 1, begin > 0 ? path : ".");
    snprintf(name, PATH_SIZE, "%.*s", length - begin, path + begin);
}

/* Are both folders the same? Of one that is still to be made, the folder around it counts. */
static bool are_same_folder(const char *a, const char *b)
{
    char around[2][PATH_SIZE], name[2][PATH_SIZE];
    struct stat there;
    if (stat(a, &there) == 0 || stat(b, &there) == 0) {
        return are_one(a, b);
    }
    split(a, around[0], name[0]);
    split(b, around[1], name[1]);
    return strcmp(name[0], name[1]) == 0 && are_one(around[0], around[1]);
}

/* Is it the name of one of the numbered files? */
static bool is_named(const app_file_set *set, const char *name)
{
    size_t prefix = strlen(set->prefix);
    if (strncmp(name, set->prefix, prefix) != 0) {
        return false;
    }
    size_t digits = strspn(name + prefix, "0123456789");
    return digits > 0 && strcmp(name + prefix + digits, set->suffix) == 0;
}

/* And in their folder? */
static bool has(const app_file_set *set, const char *path)
{
    const char *slash = strrchr(path, '/');
    char folder[PATH_SIZE];
    snprintf(folder, sizeof folder, "%.*s", slash != NULL ? (int)(slash - path) + 1 : 1,
             slash != NULL ? path : ".");
    return is_named(set, slash != NULL ? slash + 1 : path) && are_same_folder(set->folder, folder);
}

static halo_status check_files(const app_files *files, const app_file_set *set)
{
    for (int64_t i = 0; i < files->count; i++) {
        HALO_FAIL_IF(has(set, files->list[i].path) || has(set, app_file_name(&files->list[i])),
                     HALO_ARGUMENT,
                     "\"%s\" has the name of one of the files %s/%sNUMBER%s, which would replace "
                     "it; name another folder",
                     files->list[i].path, set->folder, set->prefix, set->suffix);
    }
    return HALO_OK;
}

halo_status app_file_sets_check(const app_files *files)
{
    const app_file_set *sets = files->sets;
    for (int64_t i = 0; i < files->set_count; i++) {
        HALO_TRY(check_files(files, &sets[i]));
        for (int64_t j = 0; j < i; j++) {
            HALO_FAIL_IF(
                strcmp(sets[i].prefix, sets[j].prefix) == 0 &&
                    strcmp(sets[i].suffix, sets[j].suffix) == 0 &&
                    are_same_folder(sets[i].folder, sets[j].folder),
                HALO_ARGUMENT,
                "two outputs are files called %s/%sNUMBER%s; every output needs its own names",
                sets[i].folder, sets[i].prefix, sets[i].suffix);
        }
    }
    return HALO_OK;
}

static halo_status add_member(app_files *files, const app_file_set *set, const char *name)
{
    char path[PATH_SIZE];
    if (snprintf(path, sizeof path, "%s/%s", set->folder, name) >= PATH_SIZE) {
        return HALO_OK; /* and cannot be written */
    }
    HALO_TRY(app_files_add_of(files, APP_BESIDE, path, NULL, halo_name_ends(path, ".zarr")));
    files->list[files->count - 1].numbered = true;
    return HALO_OK;
}

static halo_status add_members(app_files *files, const app_file_set *set)
{
    char first[PATH_SIZE];
    DIR *folder = opendir(set->folder);
    snprintf(first, sizeof first, "%s0%s", set->prefix, set->suffix);
    halo_status status = add_member(files, set, first);
    for (const struct dirent *entry;
         status == HALO_OK && folder != NULL && (entry = readdir(folder)) != NULL;) {
        status = is_named(set, entry->d_name) ? add_member(files, set, entry->d_name) : HALO_OK;
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return status;
}

halo_status app_file_sets_add_members(app_files *files)
{
    for (int64_t i = 0; i < files->set_count; i++) {
        HALO_TRY(add_members(files, &files->sets[i]));
    }
    return HALO_OK;
}

halo_status app_file_sets_check_links(const app_files *files)
{
    for (int64_t i = 0; i < files->count; i++) {
        const app_file *file = &files->list[i];
        for (int64_t s = 0; s < files->set_count && file->numbered && file->end != NULL; s++) {
            const app_file_set *set = &files->sets[s];
            HALO_FAIL_IF(has(set, file->end), HALO_ARGUMENT,
                         "\"%s\" is a symbolic link to another of the files %s/%sNUMBER%s; remove "
                         "it, or name another folder",
                         file->path, set->folder, set->prefix, set->suffix);
        }
    }
    return HALO_OK;
}

/* On rank 0. The folder may still have to be made: then its own folder counts. */
static halo_status name_one(const app_file_set *set, char name[PATH_SIZE])
{
    struct stat folder;
    int length = (int)strlen(set->folder);
    while (length > 1 && set->folder[length - 1] == '/') {
        length--;
    }
    bool there = stat(set->folder, &folder) == 0 || !set->makes_folder;
    HALO_FAIL_IF(there && set->makes_folder && !S_ISDIR(folder.st_mode), HALO_FILE,
                 "\"%s\" is not a folder; give another name", set->folder);
    snprintf(name, PATH_SIZE, "%.*s%s%s%s%s", length, set->folder, there ? "/" : "",
             there ? set->prefix : "", there ? "0" : "", there ? set->suffix : "");
    return HALO_OK;
}

halo_status app_file_sets_check_folders(halo_world *world, const app_files *files)
{
    for (int64_t i = 0; i < files->set_count; i++) {
        char name[PATH_SIZE] = "";
        bool first = halo_world_rank(world) == 0;
        HALO_TRY(halo_agree(world, first ? name_one(&files->sets[i], name) : HALO_OK));
        HALO_TRY(halo_bcast(world, name, sizeof name, 0));
        HALO_TRY(halo_array_check_path(world, name));
    }
    return HALO_OK;
}
