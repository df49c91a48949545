#define _DEFAULT_SOURCE /* realpath */
#include "app/paths/paths.h"
#include "app/paths/paths_internal.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/standard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Two names of one file, whatever their spelling, and files in folders that count as a whole. */

/* ---- which file is it? ----------------------------------------------------------------------- */

const char *app_file_around(const char *path, char folder[PATH_SIZE])
{
    struct stat there;
    size_t length = strlen(path);
    do {
        while (length > 0 && path[length - 1] == '/') {
            length--;
        }
        while (length > 0 && path[length - 1] != '/') {
            length--;
        }
        snprintf(folder, PATH_SIZE, "%.*s", length > 0 ? (int)length : 1, length > 0 ? path : ".");
    } while (length > 0 && stat(folder, &there) != 0);
    return path + length;
}

/* The folder of the file before, which most files of a list share. */
typedef struct {
    char path[PATH_SIZE]; /* with its slash; "": it is not to be used again */
    bool known;           /* is there such a folder? */
    dev_t device;
    ino_t number;
} known_folder;

/* Returns the name of the file in its folder. */
static const char *look_at_folder(const char *path, known_folder *out)
{
    struct stat there;
    char folder[PATH_SIZE];
    const char *name = app_file_around(path, folder);
    out->known = stat(folder, &there) == 0;
    if (out->known) {
        out->device = there.st_dev;
        out->number = there.st_ino;
    }
    return name;
}

/* Finds the folder and the name of an output that does not exist yet. */
static void identify_folder(app_file *file, known_folder *last)
{
    const char *path = app_file_name(file), *slash = strrchr(path, '/');
    size_t length = slash != NULL ? (size_t)(slash - path) + 1 : 0;
    bool is_name = slash != NULL && slash[1] != '\0' && length < PATH_SIZE;
    bool is_last = is_name && strncmp(path, last->path, length) == 0 && last->path[length] == '\0';
    if (is_last) {
        file->name = slash + 1;
    } else {
        file->name = look_at_folder(path, last);
        bool is_folder = last->known && is_name && file->name == slash + 1;
        snprintf(last->path, PATH_SIZE, "%.*s", is_folder ? (int)length : 0, path);
    }
    file->known = last->known;
    if (file->known) {
        file->device = last->device;
        file->number = last->number;
    }
}

/* Finds a file's device and number. Failures are left to the check of the file itself. Lists may
 * be long, and each call of the system takes a microsecond on one rank, while all others wait. */
static halo_status identify(app_file *file, known_folder *last)
{
    if (halo_is_standard(file->path)) {
        file->name = app_file_is_written(file) ? "standard output" : "standard input";
        file->known = true;
        return HALO_OK;
    }
    struct stat there;
    bool named = lstat(file->path, &there) == 0;
    file->link = named && S_ISLNK(there.st_mode);
    file->there = named && !file->link;
    if (!file->there && (named || strstr(file->path, ":/") != NULL)) {
        file->there = halo_name_there(file->path, &there) != 0;
    }
    if (file->there) {
        file->known = true;
        file->is_dir = S_ISDIR(there.st_mode);
        file->device = there.st_dev;
        file->number = there.st_ino;
        return HALO_OK;
    }
    if (named || file->path[0] == '\0' || file->path[strlen(file->path) - 1] == '/') {
        HALO_TRY(app_file_follow_links(file->path, &file->end));
    }
    file->link = file->end != NULL;
    identify_folder(file, last);
    return HALO_OK;
}

halo_status app_files_identify(app_files *files)
{
    known_folder last = {.path = ""};
    for (int64_t i = 0; i < files->count; i++) {
        app_file *file = &files->list[i];
        HALO_TRY(file->known || file->end != NULL ? HALO_OK : identify(file, &last));
    }
    return HALO_OK;
}

/* Slashes that are one, and folders that are the same, before the next name. */
static const char *skip_slashes(const char *path)
{
    while (*path == '/' || (path[0] == '.' && path[1] == '/')) {
        path++;
    }
    return path;
}

/* Compares names in folders that are still to be made. */
static int compare_names(const char *a, const char *b)
{
    a = skip_slashes(a);
    b = skip_slashes(b);
    while (*a == *b && *a != '\0') {
        bool ended = *a == '/';
        a = ended ? skip_slashes(a) : a + 1;
        b = ended ? skip_slashes(b) : b + 1;
    }
    return (unsigned char)*a - (unsigned char)*b;
}

/* 0 for names of one file. */
static int compare_files(const app_file *a, const app_file *b)
{
    if (a->device != b->device) {
        return a->device < b->device ? -1 : 1;
    }
    if (a->number != b->number) {
        return a->number < b->number ? -1 : 1;
    }
    return compare_names(a->name != NULL ? a->name : "", b->name != NULL ? b->name : "");
}

/* Names of one file lie beside each other, in the order in which they were added. */
static int compare_entries(const void *x, const void *y)
{
    const app_file *a = *(const app_file *const *)x, *b = *(const app_file *const *)y;
    int order = compare_files(a, b);
    return order != 0 ? order : a < b ? -1 : a > b;
}

/* ---- two names of one file ------------------------------------------------------------------- */

/* "ct.raw", or: "ct.raw", which goes with "ct.mhd", */
static void describe(const app_file *file, char *text, size_t size)
{
    bool with = file->of != NULL && strcmp(file->of, file->path) != 0;
    snprintf(text, size, "\"%.200s\"%s%.200s%s", file->path, with ? ", which goes with \"" : "",
             with ? file->of : "", with ? "\"," : "");
}

halo_status app_files_fail_same(const app_file *a, const app_file *b)
{
    char first[HALO_MESSAGE_SIZE / 2], second[HALO_MESSAGE_SIZE / 2];
    HALO_FAIL_IF(halo_is_standard(a->path) && halo_is_standard(b->path), HALO_ARGUMENT,
                 "one file can %s, and two are called \"-\"; give one of them another name",
                 app_file_is_written(a) ? "go to standard output" : "come from standard input");
    describe(a, first, sizeof first);
    describe(b, second, sizeof second);
    return halo_fail(HALO_ARGUMENT,
                     "%s and %s are the same file, which is named twice; every file needs its own "
                     "name",
                     first, second);
}

/* Files of sets are distinct by their names, unless these are links. */
static bool are_of_sets(const app_file *a, const app_file *b)
{
    return a->numbered && b->numbered && (strcmp(a->path, b->path) == 0 || !(a->link || b->link));
}

/* Would the first, which is written, replace what the second is for? */
static bool collides(const app_file *a, const app_file *b)
{
    return a != b && app_file_is_written(a) &&
           !(a->use == APP_STATE_WRITTEN && b->use == APP_STATE_READ) && !are_of_sets(a, b);
}

/* `names` [count] of one file. */
static halo_status check_names(app_file *const *names, int64_t count)
{
    int64_t a = 0;
    /* A file can be read twice, standard input cannot. */
    if (count > 1 && !app_file_is_written(names[0]) && halo_is_standard(names[0]->path)) {
        return app_files_fail_same(names[0], names[1]);
    }
    while (a < count && !app_file_is_written(names[a])) {
        a++;
    }
    for (int64_t b = 0; a < count && b < count; b++) {
        if (collides(names[a], names[b])) {
            return app_files_fail_same(names[a], names[b]);
        }
    }
    return HALO_OK;
}

/* ---- folders that count as a whole ----------------------------------------------------------- */

static int compare_folders(const void *key, const void *folder)
{
    return compare_files(key, *(const app_file *const *)folder);
}

/* A label layer is added to the image that it is made of, whose samples stay as they are. */
static bool is_added(const app_file *file, const app_file *folder)
{
    return app_file_is_written(file) && !app_file_is_written(folder) &&
           halo_name_layer(file->path) > 0;
}

/* The first of the sorted `folders` [count] that has `file` in it, on the way up from the folder
 * `path` with its links followed, if one of the two is written; or NULL. */
static const app_file *find_folder(app_file *const *folders, int64_t count, const char *path,
                                   const app_file *file)
{
    char *at = realpath(path, NULL);
    const app_file *found = NULL;
    while (at != NULL && at[0] != '\0' && found == NULL) {
        struct stat there;
        if (stat(at, &there) == 0) {
            const app_file key = {.device = there.st_dev, .number = there.st_ino};
            app_file *const *in =
                bsearch(&key, folders, (size_t)count, sizeof *folders, compare_folders);
            bool matters = in != NULL && compare_files(*in, file) != 0 &&
                           (app_file_is_written(*in) || app_file_is_written(file)) &&
                           !is_added(file, *in);
            found = matters ? *in : NULL;
        }
        *strrchr(at, '/') = '\0';
    }
    free(at);
    return found;
}

static halo_status fail_inside(const app_file *file, const app_file *folder)
{
    char text[HALO_MESSAGE_SIZE / 2];
    describe(file, text, sizeof text);
    return halo_fail(HALO_ARGUMENT,
                     "%s lies in the folder \"%.200s\", which is %s as a whole; name a file "
                     "elsewhere",
                     text, folder->path, app_file_is_written(folder) ? "written" : "read");
}

/* The same on the way down through folders that are not there yet. */
static const app_file *find_new_folder(app_file *const *folders, int64_t count,
                                       const app_file *file)
{
    const char *slash = file->name;
    char name[PATH_SIZE];
    while (slash != NULL && (slash = strchr(slash, '/')) != NULL) {
        const app_file key = {.device = file->device, .number = file->number, .name = name};
        snprintf(name, sizeof name, "%.*s", (int)(slash - file->name), file->name);
        app_file *const *in =
            bsearch(&key, folders, (size_t)count, sizeof *folders, compare_folders);
        slash = skip_slashes(slash);
        if (in != NULL && *slash != '\0' && compare_files(*in, file) != 0) {
            return *in;
        }
    }
    return NULL;
}

/* Both where its name is and, if it is a link, where it leads. */
static halo_status check_inside(app_file *const *folders, int64_t count, const app_file *file)
{
    char around[PATH_SIZE];
    app_file_around(app_file_name(file), around);
    const app_file *in = find_folder(folders, count, around, file);
    if (in == NULL && file->there) {
        in = find_folder(folders, count, file->path, file);
    }
    in = in != NULL ? in : find_new_folder(folders, count, file);
    return in != NULL ? fail_inside(file, in) : HALO_OK;
}

/* `names` [count] are all files. */
static halo_status check_folders(app_file *const *names, int64_t count)
{
    app_file **folders;
    int64_t found = 0;
    halo_status status = HALO_ALLOCATE(folders, count, "names of folders");
    for (int64_t i = 0; i < count && status == HALO_OK; i++) {
        if (names[i]->folder) {
            folders[found++] = names[i];
        }
    }
    for (int64_t i = 0; i < count && found > 0 && status == HALO_OK; i++) {
        if (!halo_is_standard(names[i]->path)) {
            status = check_inside(folders, found, names[i]);
        }
    }
    free(folders);
    return status;
}

/* ---------------------------------------------------------------------------------------------- */

halo_status app_files_find_collision(app_files *files)
{
    app_file **sorted;
    int64_t count = 0;
    HALO_TRY(HALO_ALLOCATE(sorted, files->count, "names of files"));
    halo_status status = app_files_identify(files);
    for (int64_t i = 0; i < files->count; i++) {
        if (files->list[i].known) {
            sorted[count++] = &files->list[i];
        }
    }
    qsort(sorted, (size_t)count, sizeof *sorted, compare_entries);
    for (int64_t begin = 0, end; begin < count && status == HALO_OK; begin = end) {
        end = begin + 1;
        while (end < count && compare_files(sorted[begin], sorted[end]) == 0) {
            end++;
        }
        status = check_names(sorted + begin, end - begin);
    }
    HALO_IF_OK(status, check_folders(sorted, count));
    HALO_IF_OK(status, app_files_check_case(sorted, count));
    free(sorted);
    return status;
}
